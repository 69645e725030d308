import { ConfigError, describeConfig, readConfig } from './config.ts';
import { openDatabase } from './database/index.ts';
import { createLog, flushLog } from './http/log.ts';
import { loadSecrets } from './secrets.ts';
import { startService } from './start.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The life of the process: configuration → database → migrations → service → ready, until a signal ends it. */
export async function run(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number> {
  if (args.includes('--help')) {
    console.log(`Starts the compliance onboarding service. Environment variables:\n\n${describeConfig()}`);
    return 0;
  }
  try {
    const config = readConfig(env);
    const log = createLog(config.logLevel);
    const secrets = loadSecrets(config);
    const told = nextSignal();
    const database = await openDatabase(config, secrets, log);
    const service = await startService({ config, secrets, database, log }).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    log.info({ url: service.url }, 'ready');
    console.log(`\n  Ready at ${config.publicUrl ?? service.url}\n`);
    log.info({ signal: await told }, 'stopping');
    await service.stop();
    log.info({}, 'stopped');
    return 0;
  } catch (error) {
    // What an operator can mend is said plainly; everything else with its trace.
    console.error(error instanceof ConfigError || isOperational(error) ? `\n${(error as Error).message}\n` : error);
    return 1;
  } finally {
    flushLog();
  }
}

function nextSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of SIGNALS) process.once(signal, resolve);
  return promise;
}

/** The port is taken, the folder is locked, the database refuses. */
function isOperational(error: unknown): boolean {
  return error instanceof Error && ('code' in error || error.name === 'EmbeddedError');
}
