/**
 * The schema of the last release with a row in every table, as SQL that a superuser runs on a provisioned database
 * without tables. `scripts/released-schema.ts` writes it at a release; a test migrates it.
 */
import { join } from 'node:path';
import type pg from 'pg';
import { roles } from '../../server/database/roles.ts';
import { dumpSchema, dumpRows } from './schema-dump.ts';

export const RELEASED_SCHEMA = join(import.meta.dirname, '../released/schema.sql');

/** Returns the dump of a database. */
export async function dumpDatabase(client: pg.Client): Promise<string> {
  const statements = [
    `SET ROLE ${roles.owner}`,
    // Functions name tables and types that are created after them.
    'SET check_function_bodies = off',
    ...(await dumpSchema(client)),
    'RESET ROLE',
    'SET session_replication_role = replica',
    ...(await dumpRows(client)),
    'RESET session_replication_role',
    'RESET check_function_bodies',
  ];
  return `${statements.map((statement) => `${statement.trimEnd()};`).join('\n')}\n`;
}
