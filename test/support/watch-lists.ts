/** Files of invented watch lists. Used by tests that screen or upload lists. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../server/database/index.ts';
import { importList, type WatchListId } from '../../server/modules/watch-lists/index.ts';
import type { FormatName } from '../../server/screening/sources/index.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const NOTHING = ',-0- '.repeat(7);

/**
 * Returns an OFAC file of `count` invented people, the first with these remarks; none of its content is published
 * anywhere.
 */
export function ofacCsv(count: number, remarks = '-0- '): Buffer {
  return Buffer.from(
    upTo(count)
      .map(
        (number) =>
          `${number},"REIS, Pessoa ${number.toString(36)}",individual,"SDGT"${NOTHING},${number === 1 ? remarks : '-0- '}`,
      )
      .join('\r\n'),
  );
}

/** A file of aliases, without which an OFAC list is incomplete; it names nobody on the list. */
export const OFAC_ALT = Buffer.from('999999,999999,aka,"REIS, Ninguem",-0- ');
/** Returns the aliases of `count` people, and the overflow of their remarks. */
export const ofacAliases = (count: number): Buffer =>
  Buffer.from(
    upTo(count)
      .map((number) => `${number},${number + 5000},aka,"REIS, Outra ${number.toString(36)}",-0- `)
      .join('\r\n'),
  );
export const ofacComments = (text: string): Buffer => Buffer.from(`1,${text}`);

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
/** Returns the checksum of a version made of this file and `OFAC_ALT`. */
export const sha256OfList = (main: Uint8Array): string =>
  sha256Of(Buffer.from(`main ${sha256Of(main)}\nalt ${sha256Of(OFAC_ALT)}`));

/** Makes a file the active version of a list, replacing any earlier version. */
export async function activate(
  database: Database,
  listId: WatchListId,
  bytes: Uint8Array,
  { now, format = 'ofac-csv' }: { readonly now: Date; readonly format?: FormatName },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'watch-list-of-test-'));
  await writeFile(join(folder, 'list'), bytes);
  await writeFile(join(folder, 'alt'), OFAC_ALT);
  await importList(database, {
    environment: 'live',
    listId,
    format,
    files: { main: join(folder, 'list'), ...(format === 'ofac-csv' && { alt: join(folder, 'alt') }) },
    mayShrink: true,
    mayBeOlder: true,
    by: { type: 'system', id: 'test', display: 'Test' },
    now,
  });
  await rm(folder, { recursive: true });
}

/** Returns a tenant's own list, in the columns of an upload. */
export function ownListCsv(rows: readonly string[]): Buffer {
  return Buffer.from(['key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks', ...rows].join('\n'));
}
