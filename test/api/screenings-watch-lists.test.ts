/** API tests of the watch lists that a tenant sees, and of the index that the next start reads. */
import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { LISTED, type Screening, startScreeningWorld } from './screenings-world.ts';

/** Number of simultaneous screenings. The pool has further connections beside them on a machine of any size. */
const TURNS = Math.max(2, availableParallelism());

const world = await shared(startScreeningWorld({ env: { DATABASE_POOL_SIZE: String(TURNS + 4) } }));

const hitsOf = ({ hits }: Screening): [string, string][] =>
  hits.map(({ listId, entity }): [string, string] => [listId, entity.name]);

describe('the watch lists', () => {
  it('are shown with their versions, their age and the changes of the last version', async () => {
    await world.publish('cgu-cnep', [
      '1,organisation,Obras de Mentira S.A.,,,BR,,disqualified,',
      '2,organisation,Pontes de Papel Ltda,,,BR,,disqualified,',
    ]);
    const {
      body: { items },
    } = await world.request<{ items: { id: string }[] }>('GET', '/v1/screenings/lists', { as: world.test });
    expect(items[0]).toMatchObject({
      id: 'un-csnu',
      mandatory: true,
      category: 'sanction',
      entryCount: 3,
      isStale: false,
    });
    expect(items.find(({ id }) => id === 'cgu-cnep')).toMatchObject({
      entryCount: 2,
      lastChange: {
        added: 1,
        changed: 0,
        matchChanged: 0,
        removed: 0,
      },
    });
    expect(items).toHaveLength(12);
  });

  it('are searched as soon as a new version is active, and a screening stores its version', async () => {
    const ghost = {
      subject: { type: 'organisation', names: ['Pontes de Vidro Ltda'] },
      lists: ['un-csnu', 'cgu-cepim'],
    };
    const { body: before } = await world.screen(ghost, world.test);
    expect(before.result).toBe('clear');
    await world.publish('cgu-cepim', ['1,organisation,Pontes de Vidro Ltda,,,BR,,disqualified,first']);
    const { body: after } = await world.screen(ghost, world.test);
    expect(hitsOf(after)).toEqual([['cgu-cepim', 'Pontes de Vidro Ltda']]);
    await world.publish('cgu-cepim', ['1,organisation,Pontes de Vidro Ltda,,,BR,,disqualified,second']);
    expect((await world.get(after.id, world.test)).body.hits[0]?.entity.remarks).toBe('first');
    expect((await world.screen(ghost, world.test)).body.hits[0]?.entity.remarks).toBe('second');
  });

  it('are stored as an index beside the database, which the next start reads', async () => {
    const folder = join(world.running.services.config.dataDir, 'indexes');
    await world.person('Quintiliana Zorzetto');
    await expect.poll(async () => (await readdir(folder)).filter((name) => name.startsWith('live-')).length).toBe(2);
    const replica = await world.replica();
    try {
      const { body } = await replica.request<Screening>('POST', '/v1/screenings', {
        as: world.key,
        body: { subject: LISTED },
      });
      expect(body.result).toBe('open_hits');
    } finally {
      await replica.stop();
    }
  });
});
