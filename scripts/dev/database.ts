import { startEmbedded } from '../../server/database/embedded.ts';
import { provision } from '../../server/database/provision.ts';
import { rolePassword } from '../../server/database/settings.ts';
import { readConfig } from '../../server/config.ts';
import { loadSecrets } from '../../server/secrets.ts';

const silent = { info: () => {}, warn: console.warn, error: console.error };

/** What a service must be told in order to use it. */
export interface DevDatabase { readonly environment: Readonly<Record<string, string>>; stop(): Promise<void> }

/**
 * The service's own database, kept running across its restarts: starting PostgreSQL takes longer than everything else.
 * An external one (`DATABASE_URL`) is left alone.
 */
export async function devDatabase(environment: NodeJS.ProcessEnv): Promise<DevDatabase> {
  const config = readConfig(environment);
  if (config.databaseUrl !== null) return { environment: {}, stop: () => Promise.resolve() };
  const secrets = loadSecrets(config);
  const [user, password, database] = ['postgres', rolePassword('superuser', secrets), 'compliance'];
  const server = await startEmbedded({ dataDir: config.dataDir, superuser: user, password, durable: true, log: silent });
  const location = { host: server.host, port: server.port, database, ssl: false };
  await provision({ ...location, database: 'postgres', user, password }, location, secrets);
  // libpq's form of a socket folder; the host of the authority part is overridden by the parameter.
  const url = `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(server.host)}&port=${server.port}`;
  // With a database of its own a service plays the directory of the sandboxes too, unless it is told otherwise.
  return { environment: { DATABASE_URL: url, DIRECTORY_SIMULATOR: String(config.directorySimulator) }, stop: () => server.stop() };
}
