/** Test databases, each cloned from the migrated template. Used by tests with a database of their own. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { type Secrets, secretsFrom } from '../../server/base/secrets.ts';
import { uuidv7 } from '../../server/base/uuid.ts';
import { connectDatabase, type Database } from '../../server/database/index.ts';
import {
  type DatabaseLocation,
  type DatabaseLogin,
  loginAs,
  rolePassword,
} from '../../server/database/database-login.ts';
import { createPool, withClient } from '../../server/database/pool.ts';
import { restrictDatabase } from '../../server/database/provision.ts';
import { createTenant } from '../../server/identity/store.ts';
import { silent } from './silent.ts';

export const templateName = 'compliance_template';
export const testSecret = 'the root secret of every test database';

export interface TestDatabase {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly location: DatabaseLocation;
  readonly superuser: DatabaseLogin;
  readonly app: DatabaseLogin;
  readonly platform: DatabaseLogin;
  readonly owner: DatabaseLogin;
  /**
   * Runs a statement as a superuser, who sees every row, to inspect what the service has written. A named statement is
   * prepared once for each connection.
   */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[], name?: string): Promise<Row[]>;
  /** Creates a tenant and returns its id. */
  tenant(name?: string): Promise<string>;
  close(): Promise<void>;
}

export interface TestDatabaseOptions {
  readonly poolSize?: number;
  /** Server of the database; by default the PostgreSQL of the test run. */
  readonly server?: { readonly host: string; readonly port: number };
  /** Whether it has no tables, as for restoring a backup. */
  readonly empty?: boolean;
}

/** Creates a separate migrated database, cloned from the template; `close` drops it. */
export async function createTestDatabase({
  poolSize = 4,
  server: { host, port } = inject('postgres'),
  empty = false,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const secrets = secretsFrom(testSecret);
  const location: DatabaseLocation = {
    host,
    port,
    database: `test_${randomBytes(8).toString('hex')}`,
    ssl: false,
  };
  const administrator: DatabaseLogin = {
    ...location,
    database: 'postgres',
    user: 'postgres',
    password: rolePassword('superuser', secrets),
  };
  // Copying the files of the template takes half the processor time of writing them to the log, which no test reads.
  await withClient(administrator, (client) =>
    client.query(
      `CREATE DATABASE ${location.database} TEMPLATE ${empty ? 'template1' : templateName} STRATEGY file_copy`,
    ),
  );

  const superuser = { ...administrator, database: location.database };
  // The rights on a database itself are not cloned with it.
  await withClient(superuser, restrictDatabase);
  const looking = createPool(superuser, { size: 2, log: silent });
  const drop = async (): Promise<void> => {
    await looking.close();
    await withClient(administrator, (client) => client.query(`DROP DATABASE ${location.database} WITH (FORCE)`));
  };
  const database = connectDatabase(location, secrets, { poolSize, log: silent, stop: drop });
  return {
    database,
    secrets,
    location,
    superuser,
    app: loginAs('app', location, secrets),
    platform: loginAs('platform', location, secrets),
    owner: loginAs('owner', location, secrets),
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], name?: string) =>
      (await looking.pool.query<Row>({ text, values, ...(name !== undefined && { name }) })).rows,
    async tenant(name = 'Test tenant') {
      const id = uuidv7();
      await database.platform({ tenantId: id }, (tx) =>
        createTenant(tx, {
          id,
          slug: `t-${id.slice(-12)}`,
          name,
          now: new Date(),
        }),
      );
      return id;
    },
    close: () => database.close(),
  };
}
