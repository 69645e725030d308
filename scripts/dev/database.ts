import { startEmbedded } from '../../server/database/embedded.ts';
import { provision } from '../../server/database/provision.ts';
import { rolePassword } from '../../server/database/settings.ts';
import { readConfig } from '../../server/config.ts';
import { loadSecrets } from '../../server/secrets.ts';

const silent = { info: () => {}, warn: console.warn, error: console.error };

export interface DevDatabase { readonly url: string; stop(): Promise<void> }

/**
 * The service's own database, kept running across its restarts: starting PostgreSQL takes longer than everything else.
 * An external one (`DATABASE_URL`) is left alone.
 */
export async function devDatabase(environment: NodeJS.ProcessEnv): Promise<DevDatabase> {
  const config = readConfig(environment);
  if (config.databaseUrl !== null) return { url: config.databaseUrl, stop: () => Promise.resolve() };
  const secrets = loadSecrets(config);
  const [user, password, database] = ['postgres', rolePassword('superuser', secrets), 'compliance'];
  const server = await startEmbedded({ dataDir: config.dataDir, superuser: user, password, durable: true, log: silent });
  const location = { host: server.host, port: server.port, database, ssl: false };
  await provision({ ...location, database: 'postgres', user, password }, location, secrets);
  // libpq's form of a socket folder; the host of the authority part is overridden by the parameter.
  const url = `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(server.host)}&port=${server.port}`;
  return { url, stop: () => server.stop() };
}
