/** API tests of describing a list or an engine by the hits it would change, before it is active. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PreviewedChange, previewList, previewRelease } from '../../server/modules/screenings/index.ts';
import { shared } from '../support/service.ts';
import { startScreeningWorld } from './screenings-world.ts';

const world = await shared(startScreeningWorld());
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preview-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function preview(rows: readonly string[]): Promise<{ count: number; changes: PreviewedChange[] }> {
  const main = join(folder, 'list.csv');
  await writeFile(main, ['key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks', ...rows].join('\n'));
  const changes: PreviewedChange[] = [];
  const count = await previewList(
    world.database.database,
    { listId: 'eu-fsf', format: 'own', files: { main } },
    new Date(),
    (change) => changes.push(change),
  );
  return { count, changes };
}

const KEPT = '1,person,Anton Ausente Volkov,Антон Волков,1968-09-12,BY,,sanction,';

it('a version that is not active yet is described by the hits that it would add, remove and score otherwise, and changes nothing', async () => {
  const screen = async (name: string, more: object = {}): Promise<string> =>
    (await world.screen({ subject: { type: 'person', names: [name], ...more }, lists: ['un-csnu', 'eu-fsf'] })).body.id;
  const [volkov, zorzetto] = [
    await screen('Anton Ausente Volkov', { dateOfBirth: '1968-09-12' }),
    await screen('Quintiliana Zorzetto'),
  ];
  await world.screen({ subject: { type: 'person', names: ['Quintiliana Zorzetto'] }, lists: ['un-csnu'] });
  const before = await world.database.sql('SELECT count(*) FROM watch_list_version');
  expect(await preview([KEPT])).toEqual({ count: 2, changes: [] });
  const { changes } = await preview([
    '2,person,Quintiliana Zorzetto,,,,,sanction,',
    '1,person,Anton Ausente Volkov,,1971,BY,,sanction,',
  ]);
  expect(
    changes.map(({ what, screeningId, entityKey, entityName }) => [what, screeningId, entityKey, entityName]),
  ).toEqual(
    expect.arrayContaining([
      ['new', zorzetto, '2', 'Quintiliana Zorzetto'],
      [expect.stringMatching(/changed|lost/), volkov, '1', 'Anton Ausente Volkov'],
    ]),
  );
  expect((await preview(['9,person,Somebody Else Entirely,,,,,sanction,'])).changes).toMatchObject([
    {
      what: 'lost',
      screeningId: volkov,
      after: null,
      tenantId: world.acme.id,
    },
  ]);
  expect(await world.database.sql('SELECT count(*) FROM watch_list_version')).toEqual(before);
});

it('only the newest screening of a subject is examined, and none of an erased subject', async () => {
  const { body: first } = await world.screen({
    subject: { type: 'person', names: ['Anton Ausente Volkov'] },
    lists: ['un-csnu', 'eu-fsf'],
  });
  const { body: second } = await world.request<{ id: string }>('POST', `/v1/screenings/${first.id}/rerun`, {
    as: world.key,
    body: { criteria: { threshold: 0.9 } },
  });
  const { changes } = await preview(['9,person,Somebody Else Entirely,,,,,sanction,']);
  expect(changes.map(({ screeningId }) => screeningId)).toContain(second.id);
  expect(changes.map(({ screeningId }) => screeningId)).not.toContain(first.id);
});

it('a release is described by the hits that its engine finds otherwise than they are stored, and not by later changes of a list', async () => {
  const release = async (id: string): Promise<(string | number | null)[][]> => {
    const changes: PreviewedChange[] = [];
    await previewRelease(world.database.database, new Date(), (change) => changes.push(change));
    return changes
      .filter(({ screeningId }) => screeningId === id)
      .map(({ what, listId, entityKey, before, after }) => [
        what,
        listId,
        entityKey,
        before === null ? null : Number(before.toFixed(2)),
        after === null ? null : Number(after.toFixed(2)),
      ]);
  };
  const {
    body: {
      id,
      hits: [hit],
    },
  } = await world.screen({
    subject: { type: 'person', names: ['Anton Ausente Volkof'] },
    lists: ['un-csnu', 'eu-fsf'],
  });
  const score = Number(hit!.score.toFixed(2));
  expect(await release(id)).toEqual([]);
  await world.database.sql('UPDATE screening_hit SET score = 0.5 WHERE screening_id = $1', [id]);
  expect(await release(id)).toEqual([['changed', 'eu-fsf', '1', 0.5, score]]);
  await world.database.sql(`UPDATE screening SET criteria = jsonb_set(criteria, '{threshold}', '1') WHERE id = $1`, [
    id,
  ]);
  expect(await release(id)).toEqual([['lost', 'eu-fsf', '1', 0.5, null]]);
  await world.database.sql(`UPDATE screening SET criteria = jsonb_set(criteria, '{threshold}', '0.7') WHERE id = $1`, [
    id,
  ]);
  await world.database.sql('DELETE FROM screening_hit WHERE screening_id = $1', [id]);
  expect(await release(id)).toEqual([['new', 'eu-fsf', '1', null, score]]);
  const others = Array.from(
    { length: 600 },
    (_, index) => `f${index},organisation,Firma ${index.toString(36)} Fictícia,,,,,sanction,`,
  );
  await world.publish('eu-fsf', [KEPT, ...others], 'live');
  expect((await release(id)).map((change) => change.slice(0, 3))).toEqual([['new', 'eu-fsf', '1']]);
  await world.publish('eu-fsf', ['1,person,Anton Ausente Volkov,,1968,BY,,sanction,', ...others], 'live');
  expect(await release(id)).toEqual([]);
});
