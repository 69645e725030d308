/**
 * Writes test/released/schema.sql, the schema of this version with a row in every table. Run it once at each release:
 * the test of the upgrade (server/database/upgrade.test.ts) then migrates from that release.
 *
 *   npx node scripts/released-schema.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
// Loads the definitions of all tables, from which rights and rows follow.
import '../server/start.ts';
import { withClient } from '../server/database/pool.ts';
import { startTestPostgres } from '../test/support/global-setup.ts';
import { createTestDatabase } from '../test/support/postgres.ts';
import { dumpDatabase, RELEASED_SCHEMA } from '../test/support/released-schema.ts';
import { rowOfEveryTable } from '../test/support/row-of-every-table.ts';

const server = await startTestPostgres(false);
try {
  const test = await createTestDatabase({ server });
  // The lists that tests import would be most of the dump.
  await test.sql('TRUNCATE watch_list_entity, watch_list_file, watch_list_version');
  await rowOfEveryTable(test);
  mkdirSync(dirname(RELEASED_SCHEMA), { recursive: true });
  writeFileSync(RELEASED_SCHEMA, await withClient(test.superuser, dumpDatabase));
  await test.close();
} finally {
  await server.stop();
}
