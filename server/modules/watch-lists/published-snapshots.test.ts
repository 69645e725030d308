/** Test with real files of a publisher, if they are present: importing them in turn equals importing each alone. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/postgres.ts';
import { BY, DAY, ListImports, removeLists } from '../../../test/support/list-imports.ts';
import { OFAC_ALT } from '../../../test/support/watch-lists.ts';
import { PUBLISHED_BOUNDS } from '../../screening/sources/list-bounds.ts';
import { readList } from '../../screening/sources/reading.ts';
import { importList, type ListVersion } from './index.ts';

const lists = new ListImports();

/** Each day is compared with the content of its file; the long campaigns also import each day alone. */
const EVERY_DAY = process.env['SOAK'] === 'true';
const OFAC = new URL('../../../../shared/data/screening/ofac/', import.meta.url);

if (existsSync(OFAC))
  describe('Published snapshots of a list, one after the other', () => {
    it('give the same result as each of them alone, and almost nothing changes in matching on a day of changed remarks', async () => {
      const snapshots = readdirSync(OFAC)
        .filter((name) => /^sdn-\d{4}-\d\d-\d\d\.csv\.gz$/.test(name))
        .sort();
      expect(snapshots.length).toBeGreaterThanOrEqual(8);
      const alt = await lists.fileOf(OFAC_ALT);
      const found = new Map<string, ListVersion>();
      for (const name of snapshots) {
        const { version } = await importList(lists.test.database, {
          environment: 'live',
          listId: 'ofac-sdn',
          format: 'ofac-csv',
          files: { main: new URL(name, OFAC).pathname, alt },
          publishedOn: name.slice(4, 14),
          doubtsChanges: true,
          by: BY,
          now: DAY,
        });
        found.set(name.slice(4, 14), version);
      }
      expect(found.get('2022-04-29')!.matchChanged).toBeLessThanOrEqual(2);
      const rowsOf = async ({ sql }: TestDatabase, where: string): Promise<string[]> =>
        (
          await sql<{ row: string }>(
            `SELECT key || ' ' || encode(content_hash, 'hex') AS row FROM watch_list_entity
              WHERE environment = 'live' AND ${where}`,
          )
        )
          .map(({ row }) => row)
          .sort();
      const [first, last] = [[...found.keys()][0], [...found.keys()].at(-1)];
      const alone = await createTestDatabase();
      onTestFinished(() => alone.close());
      for (const [day, { sequence }] of found) {
        const main = new URL(`sdn-${day}.csv.gz`, OFAC).pathname;
        const inSequence = await rowsOf(
          lists.test,
          `from_sequence <= ${sequence} AND (to_sequence IS NULL OR to_sequence > ${sequence})`,
        );
        const inFile = new Map<string, string>();
        for await (const entities of readList(
          { format: 'ofac-csv', files: { main, alt }, bounds: PUBLISHED_BOUNDS },
          {},
        ))
          for (const { key, content } of entities) inFile.set(key, content);
        expect(inSequence).toEqual([...inFile].map(([key, content]) => `${key} ${content}`).sort());
        if (!EVERY_DAY && day !== first && day !== last) continue;
        await removeLists(alone);
        await importList(alone.database, {
          environment: 'live',
          listId: 'ofac-sdn',
          format: 'ofac-csv',
          files: { main, alt },
          publishedOn: day,
          by: BY,
          now: DAY,
        });
        expect(await rowsOf(alone, 'true')).toEqual(inSequence);
      }
    }, 300_000);
  });
