/**
 * Opens the database of the service for a command, whether the service runs or not. Used by backup, administrators and
 * watch lists. The caller closes it.
 */
import type { Config } from '../server/base/config.ts';
import { createLog } from '../server/base/log.ts';
import type { Secrets } from '../server/base/secrets.ts';
import { EmbeddedDatabaseError } from '../server/database/embedded/account.ts';
import { runningServer } from '../server/database/embedded/postmaster.ts';
import { connectDatabase, type Database, openDatabase } from '../server/database/index.ts';
// Defines all tables, because opening a database grants its roles the rights that the tables declare.
import '../server/start.ts';

/**
 * Opens the database of the service. Starts the service's own PostgreSQL if it is not running; if it is running,
 * because the service runs, connects through its socket with the passwords derived from the same secret.
 */
export async function openServiceDatabase(config: Config, secrets: Secrets): Promise<Database> {
  const log = createLog('error', { write: (line) => process.stderr.write(line) });
  try {
    return await openDatabase(config, secrets, log);
  } catch (error) {
    const running = error instanceof EmbeddedDatabaseError ? runningServer(config.dataDir) : null;
    if (running === null) throw error;
    return connectDatabase({ ...running, database: 'compliance', ssl: false }, secrets, {
      poolSize: 2,
      log,
      stop: async () => {},
    });
  }
}
