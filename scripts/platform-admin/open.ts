import type { Config } from '../../server/config.ts';
import { EmbeddedDatabaseError } from '../../server/database/embedded/error.ts';
import { runningServer } from '../../server/database/embedded/running.ts';
import { connectDatabase, openDatabase, type Database } from '../../server/database/index.ts';
import { createLog } from '../../server/http/log.ts';
import type { Secrets } from '../../server/secrets.ts';

/**
 * The database of the service. Its own PostgreSQL is started for this if it does not run; if it does, because the
 * service runs, it is reached through its socket, with the passwords that derive from the same secret.
 */
export async function openServiceDatabase(config: Config, secrets: Secrets): Promise<Database> {
  const log = createLog('error', { write: (line) => process.stderr.write(line) });
  try {
    return await openDatabase(config, secrets, log);
  } catch (error) {
    const running = error instanceof EmbeddedDatabaseError ? runningServer(config.dataDir) : null;
    if (running === null) throw error;
    return connectDatabase({ ...running, database: 'compliance', ssl: false }, secrets, { kind: 'embedded', poolSize: 2, log, stop: async () => {} });
  }
}
