/**
 * Runs the process from configuration to exit code. Called by main.ts and by the development tools. Errors that an
 * operator can correct are printed as one sentence; any other error is a defect and ends the process with its stack.
 */
import { join } from 'node:path';
import { ConfigError, describeConfig, readConfig } from './base/config.ts';
import { dataDirError } from './base/data-directory.ts';
import { createLog, flushLog } from './base/log.ts';
import { loadSecrets } from './base/secrets.ts';
import { EmbeddedDatabaseError } from './database/embedded/account.ts';
import { DatabaseUnavailable, openDatabase, UnknownSchema } from './database/index.ts';
import { banner } from './demo/credentials.ts';
import { seedDemo } from './demo/seed.ts';
import { MissingHandler } from './request/api.ts';
import { AddressUnavailable } from './request/server.ts';
import type { AppServices } from './services.ts';
import { type Standby, startService } from './start.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Runs the process: configuration → database → migrations → service → ready, until a signal ends it. */
export async function run(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  standby?: Standby,
): Promise<number> {
  if (args.includes('--help')) {
    console.log(`Starts the compliance onboarding service. Environment variables:\n\n${describeConfig()}`);
    return 0;
  }
  let dataDir: string | null = null;
  try {
    const config = readConfig(env);
    ({ dataDir } = config);
    const log = createLog(config.logLevel);
    const secrets = loadSecrets(config);
    const signal = nextSignal();
    const database = await openDatabase(config, secrets, log);
    let greeting = '';
    const prepare = async (services: AppServices, url: string): Promise<void> => {
      if (standby?.isSuccessor() === true) return;
      greeting = config.demo
        ? banner(await seedDemo(services, url, services.clock()), join(config.dataDir, 'demo.json'))
        : `\n  Ready at ${url}\n`;
    };
    const service = await startService({
      config,
      secrets,
      database,
      log,
      prepare,
      ...(standby !== undefined && { standby }),
    }).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    log.info({ url: service.url }, 'ready');
    // Notifies a supervisor that started the process with a channel, such as `make dev`.
    process.send?.('ready');
    if (greeting !== '') console.log(greeting);
    log.info({ signal: await signal }, 'stopping');
    await service.stop();
    log.info({}, 'stopped');
    return 0;
  } catch (error) {
    // An error that the operator can correct is printed as a sentence, any other with its stack trace.
    const operational = operationalError(error, dataDir);
    console.error(operational === null ? error : `\n${operational.message}\n`);
    return 1;
  } finally {
    flushLog();
  }
}

function operationalError(error: unknown, dataDir: string | null): Error | null {
  if (isOperational(error)) return error;
  return dataDir === null ? null : dataDirError(dataDir, error);
}

function nextSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of SIGNALS) process.once(signal, resolve);
  return promise;
}

/**
 * Tells whether the operator can correct an error: invalid environment, port in use, locked folder, refusing database,
 * unknown schema, contract ahead of the source.
 */
function isOperational(error: unknown): error is Error {
  return [
    ConfigError,
    AddressUnavailable,
    EmbeddedDatabaseError,
    DatabaseUnavailable,
    UnknownSchema,
    MissingHandler,
  ].some((kind) => error instanceof kind);
}
