/**
 * Runs the migrations that a database lacks. Called by the index at the start. Throws `UnknownSchema` for a database
 * that this version does not know; there is no way back.
 */
import knexFactory, { type Knex } from 'knex';
import type { Log } from '../base/log.ts';
import type { DatabaseLogin } from './database-login.ts';
import { UnknownSchema } from './errors.ts';
import type { Migration, MigrationTools } from './migration.ts';
import { migrations, SCHEMA } from './migrations/index.ts';
import { withClient } from './pool.ts';
import { applyRights, areRightsBehind } from './rights.ts';

const MIGRATION_TABLE = 'schema_migration';
/**
 * Lock of the migrating session. No other session-level lock is used (advisory-lock.ts defines those of transactions).
 */
const ADVISORY_LOCK = 0x636f_6d70;

/** Migrates the schema as its owner. Services that start at the same time wait for the first one. */
export async function migrate(owner: DatabaseLogin, log: Log): Promise<void> {
  await withClient(owner, async (client) => {
    const applied = async (): Promise<string[]> => {
      const {
        rows: [found],
      } = await client.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [MIGRATION_TABLE]);
      if (found?.exists !== true) return [];
      return (await client.query<{ name: string }>(`SELECT name FROM ${MIGRATION_TABLE}`)).rows.map(({ name }) => name);
    };
    const isCurrent = async (): Promise<boolean> => !isBehind(await applied()) && !(await areRightsBehind(client));
    if (await isCurrent()) return;
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    // The previous holder of the lock may have migrated already. The lock ends with the connection.
    const migrates = isBehind(await applied());
    if (migrates) await run(owner, log);
    // A migration may create tables, which have no rights yet.
    if (migrates || (await areRightsBehind(client))) await applyRights(client);
  });
}

function isBehind(applied: readonly string[]): boolean {
  if (applied.length > 0 && !applied.includes(SCHEMA)) {
    throw new UnknownSchema(
      'The database was created by a version from before the first release, and no version migrates it. ' +
        'Keep a copy of it if its contents are still needed, and start with a new one: ' +
        'set DATA_DIR to a new folder, or DATABASE_URL to a new database.',
    );
  }
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new UnknownSchema(
      `The database was migrated by a later version of the service (${unknown.join(', ')}); start that version`,
    );
  }
  return applied.length < migrations.length;
}

async function run(owner: DatabaseLogin, log: Log): Promise<void> {
  const { host, port, database, user, password, ssl } = owner;
  const knex = knexFactory({
    client: 'pg',
    connection: {
      host,
      port,
      database,
      user,
      password,
      ssl,
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: 2 },
    log: {
      warn: (message: unknown) => log.warn({}, String(message)),
      error: (message: unknown) => log.error({}, String(message)),
    },
  });
  try {
    // Knex's own lock is a row that a killed process leaves behind; the advisory lock above replaces it.
    const migrationSource = sourceWith({ owner, log });
    await knex.migrate.forceFreeMigrationsLock({ tableName: MIGRATION_TABLE, migrationSource });
    const [, names] = (await knex.migrate.latest({ tableName: MIGRATION_TABLE, migrationSource })) as [
      number,
      string[],
    ];
    log.info({ migrations: names }, 'database schema migrated');
  } finally {
    await knex.destroy();
  }
}

/** Source of the migrations. They are imported and not searched for, so order and set are those of the source code. */
const sourceWith = (tools: MigrationTools): Knex.MigrationSource<Migration> => ({
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ up }) => ({
    up: (knex) => up(knex, tools),
    down: async () => {
      throw new Error('migrations only go forward');
    },
  }),
});
