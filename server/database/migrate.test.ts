/** Tests of creating and migrating the schema. */
import '../start.ts';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { testSecret } from '../../test/support/postgres.ts';
import { silent } from '../../test/support/silent.ts';
import { secretsFrom } from '../base/secrets.ts';
import { UnknownSchema } from './errors.ts';
import { type DatabaseLocation, type DatabaseLogin, loginAs, rolePassword } from './database-login.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { withClient } from './pool.ts';
import { provision, restrictDatabase } from './provision.ts';
import { roles } from './roles.ts';

const secrets = secretsFrom(testSecret);
let location: DatabaseLocation;
let administrator: DatabaseLogin;

beforeEach(() => {
  const { host, port } = inject('postgres');
  location = {
    host,
    port,
    database: `test_${randomBytes(8).toString('hex')}`,
    ssl: false,
  };
  administrator = {
    ...location,
    database: 'postgres',
    user: 'postgres',
    password: rolePassword('superuser', secrets),
  };
});
afterEach(() =>
  withClient(administrator, (client) => client.query(`DROP DATABASE IF EXISTS ${location.database} WITH (FORCE)`)),
);

const applied = (): Promise<string[]> =>
  withClient(loginAs('owner', location, secrets), async (client) =>
    (await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY id')).rows.map((row) => row.name),
  );

describe('provisioning and migrating', () => {
  it('create an empty database’s schema once, however many services start at the same time', async () => {
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        await provision(administrator, location, secrets);
        await migrate(loginAs('owner', location, secrets), silent);
      }),
    );
    expect(await applied()).toEqual(migrations.map((migration) => migration.name));
  });

  it('change nothing the second time', async () => {
    await provision(administrator, location, secrets);
    await migrate(loginAs('owner', location, secrets), silent);
    // The administrator is no longer needed: these credentials are wrong.
    await provision({ ...administrator, password: 'wrong' }, location, secrets);
    const info = vi.fn();
    await migrate(loginAs('owner', location, secrets), { ...silent, info });
    expect(info).not.toHaveBeenCalled();
  });

  it('continue after a service was killed while it held Knex’s lock', async () => {
    await provision(administrator, location, secrets);
    const owner = loginAs('owner', location, secrets);
    await withClient(owner, async (client) => {
      await client.query(
        `CREATE TABLE schema_migration (id serial PRIMARY KEY, name varchar(255), batch integer,
          migration_time timestamptz)`,
      );
      await client.query('CREATE TABLE schema_migration_lock (index serial PRIMARY KEY, is_locked integer)');
      await client.query('INSERT INTO schema_migration_lock (is_locked) VALUES (1)');
    });
    await migrate(owner, silent);
    expect(await applied()).toHaveLength(migrations.length);
  });

  it('refuse a database that a later version has migrated', async () => {
    await provision(administrator, location, secrets);
    const owner = loginAs('owner', location, secrets);
    await migrate(owner, silent);
    await withClient(owner, (client) =>
      client.query(`INSERT INTO schema_migration (name, batch) VALUES ('9999-future', 2)`),
    );
    await expect(migrate(owner, silent)).rejects.toThrow('later version of the service (9999-future)');
  });

  it('refuse a database from before the first release, whose steps were replaced by one schema', async () => {
    await provision(administrator, location, secrets);
    const owner = loginAs('owner', location, secrets);
    await migrate(owner, silent);
    await withClient(owner, (client) => client.query(`DELETE FROM schema_migration WHERE name <> '0000-schema'`));
    await withClient(owner, (client) => client.query(`UPDATE schema_migration SET name = '0001-tenants'`));
    const migrating = migrate(owner, silent);
    await expect(migrating).rejects.toBeInstanceOf(UnknownSchema);
    await expect(migrating).rejects.toThrow('start with a new one: set DATA_DIR to a new folder');
    expect(await applied()).toEqual(['0001-tenants']);
  });

  it('give the owner role the right to make the schema of the queue, also in a database of another owner that an earlier version has provisioned', async () => {
    const user = { ...administrator, database: location.database };
    await withClient(administrator, (client) => client.query(`CREATE DATABASE ${location.database}`));
    await withClient(user, async (client) => {
      await restrictDatabase(client);
      await client.query(`GRANT USAGE, CREATE ON SCHEMA public TO ${roles.owner}`);
    });
    await provision(user, location, secrets);
    await withClient(loginAs('owner', location, secrets), (client) => client.query('CREATE SCHEMA graphile_worker'));
    await withClient(user, async (client) => {
      const { rows } = await client.query(
        `SELECT nspowner::regrole::text AS owner FROM pg_namespace WHERE nspname = 'graphile_worker'`,
      );
      expect(rows).toEqual([{ owner: roles.owner }]);
    });
  });

  it('accept a user of an external server that only owns the database', async () => {
    const user = `owner_${location.database}`;
    await withClient(administrator, async (client) => {
      await client.query(`CREATE ROLE ${user} LOGIN CREATEROLE PASSWORD 'given'`);
      await client.query(`CREATE DATABASE ${location.database} OWNER ${user}`);
    });
    try {
      await provision({ ...location, user, password: 'given' }, location, secrets);
      await migrate(loginAs('owner', location, secrets), silent);
      expect(await applied()).toHaveLength(migrations.length);
    } finally {
      await withClient(administrator, async (client) => {
        await client.query(`DROP DATABASE ${location.database} WITH (FORCE)`);
        await client.query(`DROP ROLE ${user}`);
      });
    }
  });

  it('refuse a request role that belongs to the owner role', async () => {
    await provision(administrator, location, secrets);
    const user = { ...administrator, database: location.database };
    await withClient(user, (client) => client.query(`GRANT ${roles.owner} TO ${roles.platform}`));
    try {
      await expect(provision(administrator, location, secrets)).rejects.toThrow('tenants would not be isolated');
    } finally {
      await withClient(user, (client) => client.query(`REVOKE ${roles.owner} FROM ${roles.platform}`));
    }
  });
});
