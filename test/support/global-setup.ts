import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { secretsFrom } from '../../server/base/secrets.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { loginAs, rolePassword } from '../../server/database/login.ts';
import { migrate } from '../../server/database/migrate.ts';
import { provision } from '../../server/database/provision.ts';
import { templateName, testSecret } from './postgres.ts';
import { RECORDINGS } from './recordings.ts';
import { silent } from './silent.ts';

/** One PostgreSQL for the whole run, without fsync, with a migrated database that tests clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // What an earlier run answered proves nothing about this one, and neither does what another run answers meanwhile.
  const recordings = `${RECORDINGS}-${process.pid}`;
  await rm(RECORDINGS, { recursive: true, force: true });
  await mkdir(recordings, { recursive: true });
  project.provide('recordings', recordings);
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-test-'));
  const secrets = secretsFrom(testSecret);
  const password = rolePassword('superuser', secrets);
  const server = await startEmbedded({ dataDir, superuser: 'postgres', password, durable: false, log: silent });
  const teardown = async (): Promise<void> => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
    await rm(RECORDINGS, { recursive: true, force: true });
    await rename(recordings, RECORDINGS);
  };
  try {
    const template = { host: server.host, port: server.port, database: templateName, ssl: false };
    await provision({ ...template, database: 'postgres', user: 'postgres', password }, template, secrets);
    await migrate(loginAs('owner', template, secrets), silent);
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide('postgres', { host: server.host, port: server.port });
  return teardown;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tested services of this run leave what they answered. */
    recordings: string;
    postgres: { readonly host: string; readonly port: number };
  }
}
