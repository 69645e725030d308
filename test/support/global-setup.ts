/** Set-up before all tests: the database server, and the template that every test database is cloned from. */
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Loads the definitions of all tables, from which a migration grants rights.
import '../../server/start.ts';
import type { TestProject } from 'vitest/node';
import { type Secrets, secretsFrom } from '../../server/base/secrets.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { connectDatabase } from '../../server/database/index.ts';
import {
  type DatabaseLocation,
  type DatabaseLogin,
  loginAs,
  rolePassword,
} from '../../server/database/database-login.ts';
import { migrate } from '../../server/database/migrate.ts';
import { withClient } from '../../server/database/pool.ts';
import { provision } from '../../server/database/provision.ts';
import { installShippedLists } from '../../server/modules/watch-lists/index.ts';
import { cacheCluster, copyCached } from './cached-cluster.ts';
import { templateName, testSecret } from './postgres.ts';
import { cachedCluster } from './quick.ts';
import { silent } from './silent.ts';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Returns a folder in memory if there is room, because each test file clones its databases, which then takes half the
 * time.
 */
async function folderFor(durable: boolean): Promise<string> {
  if (durable) return tmpdir();
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ENOUGH_BYTES ? IN_MEMORY : tmpdir();
}

/**
 * Imports the invented lists of the sandbox, also as if their publishers had issued them, because the project contains
 * no published list.
 */
async function importLists(template: DatabaseLocation, secrets: Secrets, superuser: DatabaseLogin): Promise<void> {
  const database = connectDatabase(template, secrets, { poolSize: 1, log: silent, stop: async () => {} });
  await installShippedLists(database, new Date());
  await database.close();
  await withClient(superuser, async (client) => {
    for (const table of ['watch_list_version', 'watch_list_file', 'watch_list_entity']) {
      await client.query(
        `CREATE TEMP TABLE live AS TABLE ${table}; UPDATE live SET environment = 'live'; INSERT INTO ${table} ` +
          'TABLE live; DROP TABLE live',
      );
    }
  });
}

/**
 * Starts a PostgreSQL in a temporary folder, with a migrated database that others are cloned from. Without `durable`,
 * commits do not wait for the disk. With `cached`, the folder starts as a copy of one that an earlier run has cached.
 */
export async function startTestPostgres(
  durable: boolean,
  cached: string | null = null,
): Promise<{ readonly host: string; readonly port: number; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(await folderFor(durable), 'compliance-test-'));
  const secrets = secretsFrom(testSecret);
  const password = rolePassword('superuser', secrets);
  const isCopy = cached !== null && copyCached(cached, dataDir);
  const server = await startEmbedded({
    dataDir,
    superuser: 'postgres',
    password,
    durable,
    log: silent,
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  if (isCopy) return { host: server.host, port: server.port, stop };
  try {
    const template = {
      host: server.host,
      port: server.port,
      database: templateName,
      ssl: false,
    };
    await provision(
      {
        ...template,
        database: 'postgres',
        user: 'postgres',
        password,
      },
      template,
      secrets,
    );
    await migrate(loginAs('owner', template, secrets), silent);
    await importLists(template, secrets, { ...template, user: 'postgres', password });
    if (cached !== null) {
      // Only the files of a stopped server are consistent.
      await server.stop();
      cacheCluster(dataDir, cached);
      await rm(dataDir, { recursive: true, force: true });
      return await startTestPostgres(durable, cached);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { host: server.host, port: server.port, stop };
}

/** Starts one PostgreSQL for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { host, port, stop } = await startTestPostgres(false, cachedCluster());
  project.provide('postgres', { host, port });
  return stop;
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { readonly host: string; readonly port: number };
  }
}
