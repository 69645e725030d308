/** API tests of decisions about entities whose key the publisher has changed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { importList } from '../../server/modules/watch-lists/index.ts';
import { shared } from '../support/service.ts';
import { type Screening, startScreeningWorld } from './screenings-world.ts';

const world = await shared(startScreeningWorld());
const officer = await world.sandboxed.user('compliance_officer');

interface Entity {
  readonly id: string;
  readonly referents?: readonly string[];
  readonly names?: readonly string[];
}

/** Makes these entities the list of OpenSanctions, whose entities name their former ids. */
async function publish(...entities: readonly Entity[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rekeyed-'));
  const main = join(folder, 'entities.json');
  await writeFile(
    main,
    entities
      .map(({ id, referents = [], names = ['Belisário Inventado Quaresma'] }) =>
        JSON.stringify({
          id,
          schema: 'Person',
          referents,
          properties: { name: names, topics: ['role.pep'] },
        }),
      )
      .join('\n'),
  );
  await importList(world.database.database, {
    environment: 'sandbox',
    listId: 'opensanctions',
    format: 'ftm-json',
    files: { main },
    mayShrink: true,
    by: { type: 'system', id: 'test', display: 'Test' },
    now: world.running.services.clock(),
  });
  await rm(folder, { recursive: true });
}

const screen = async (): Promise<Screening> =>
  (
    await world.screen(
      { subject: { type: 'person', names: ['Belisario Inventado Quaresmo'] }, lists: ['un-csnu', 'opensanctions'] },
      world.test,
    )
  ).body;
const again = async ({ id }: Screening): Promise<Screening> =>
  (await world.request<Screening>('POST', `/v1/screenings/${id}/rerun`, { as: world.test, body: {} })).body;
const decide = async ({ id, hits: [hit] }: Screening): Promise<number> =>
  (
    await world.request('POST', `/v1/screenings/${id}/hits/${hit!.id}/adjudicate`, {
      as: officer,
      body: { status: 'false_positive', reasonCode: 'name_only', note: 'The passport says otherwise.' },
    })
  ).status;

beforeEach(() => publish({ id: 'old-1' }));

it('a decision holds for an entity with a new key if the publisher names the former key', async () => {
  const first = await screen();
  expect([first.hits.map(({ entityId }) => entityId), await decide(first)]).toEqual([['old-1'], 200]);
  await publish({ id: 'NK-new', referents: ['old-0', 'old-1'] });
  const second = await again(first);
  expect(second.hits.map(({ entityId, status }) => [entityId, status])).toEqual([['NK-new', 'false_positive']]);
  expect(second.result).toBe('cleared');
});

it('a decision about an entity that was merged into another one is reported, and the hit is open', async () => {
  const first = await screen();
  await decide(first);
  await publish({
    id: 'NK-new',
    referents: ['old-1', 'old-2'],
    names: ['Belisário Inventado Quaresma', 'Quaresma o Moço'],
  });
  const {
    hits: [hit],
  } = await again(first);
  expect([hit!.status, hit!.reopened?.changes.map(({ path }) => path)]).toEqual(['open', ['/entity/names']]);
});

it('a decision does not hold for an entity with the same names and another key', async () => {
  const first = await screen();
  await decide(first);
  await publish({ id: 'somebody-else' });
  const {
    hits: [hit],
  } = await again(first);
  expect([hit!.status, hit!.reopened]).toEqual(['open', null]);
});
