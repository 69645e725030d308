import { knex, type Database } from '../../database/index.ts';
import { sweepOrphans, type FileKey, type FileStorage } from '../../providers/files/index.ts';

/** Removes files whose documents were never committed, or are gone: work for the start of the service. */
export function sweepFiles(database: Database, files: FileStorage, now: Date): Promise<number> {
  return sweepOrphans(files, async ({ owner, keys }) => {
    const rows = await database.transaction({ tenantId: owner, readOnly: true }, (tx) =>
      tx.query<{ storage_key: FileKey }>(knex('document').select('storage_key').where('tenant_id', owner).whereIn('storage_key', keys)));
    return new Set(rows.map(({ storage_key }) => storage_key));
  }, now);
}
