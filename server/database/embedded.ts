/**
 * PostgreSQL server that the service starts itself if DATABASE_URL is not set. Used by the database's index, backup and
 * development. Only one process may use its folder.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataDir } from '../base/data-directory.ts';
import type { Log } from '../base/log.ts';
import { chooseLauncher, serverAccount, socketDirectory } from './embedded/account.ts';
import { lockDirectory, servesDirectory } from './embedded/directory-lock.ts';
import { initialise, isInitialised, locateBinaries } from './embedded/installation.ts';
import { type PostmasterOptions, readPostmasterFile, startPostmaster, stopPostmaster } from './embedded/postmaster.ts';

interface EmbeddedOptions {
  /** Parent folder of everything that belongs to the database: cluster, socket, log, lock. */
  readonly dataDir: string;
  readonly superuser: string;
  readonly password: string;
  /**
   * False only for throw-away test servers: commits do not wait for the disk, and nothing is cleaned up or logged for
   * recovery.
   */
  readonly durable: boolean;
  readonly log: Log;
}

export interface EmbeddedServer {
  /** Folder of the unix socket, the `host` of node-postgres and libpq. */
  readonly host: string;
  readonly port: number;
  readonly firstStart: boolean;
  pid(): number | null;
  stop(): Promise<void>;
}

/** Port number, which is only part of the socket's name: the server does not listen on TCP. */
const port = 5432;

/** Starts the PostgreSQL of `dataDir`, creating it at the first start, and keeps it running until `stop`. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, log } = options;
  openDataDir(dataDir);
  const lock = await lockDirectory(dataDir);
  try {
    const directory = join(dataDir, 'postgres');
    const binaries = locateBinaries();
    const account = serverAccount(directory);
    const launcher = chooseLauncher(account, binaries.postgres, dataDir);
    await stopOrphan(directory, log);

    const firstStart = !isInitialised(directory);
    if (firstStart) {
      log.info({ directory }, 'creating the embedded database');
      await initialise({
        binaries,
        launcher,
        directory,
        superuser: options.superuser,
        password: options.password,
        durable: options.durable,
      });
    } else if (account !== null && statSync(directory).uid === 0) {
      // A restored copy belongs to root, and PostgreSQL does not run as root.
      spawnSync('chown', ['-R', `${account.uid}:${account.gid}`, directory]);
    }
    const host = socketDirectory(join(dataDir, 'run'), account, `.s.PGSQL.${port}`);
    const postmaster: PostmasterOptions = {
      binaries,
      launcher,
      directory,
      logFile: join(dataDir, 'postgres.log'),
      settings: settings(host, options.durable),
    };
    const server = await supervise(postmaster, log);
    return {
      host,
      port,
      firstStart,
      pid: server.pid,
      async stop() {
        await server.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function settings(host: string, durable: boolean): Record<string, string> {
  return {
    listen_addresses: '',
    unix_socket_directories: host,
    unix_socket_permissions: '0700',
    port: String(port),
    // Tests open one pool for each of their many databases.
    max_connections: durable ? '60' : '240',
    // Statements and row values can contain personal data, so neither is written to the server's log.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(durable ? {} : SETTINGS_OF_TESTS),
  };
}

/** Tests have few rows: without parallel workers, a statement over all tables takes a tenth of the time. */
const SETTINGS_OF_TESTS: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_parallel_workers_per_gather: '0',
};

/**
 * Stops a server that a killed service has left behind. This process holds the folder's lock, so no service uses that
 * server.
 */
async function stopOrphan(directory: string, log: Log): Promise<void> {
  const left = readPostmasterFile(directory);
  if (left === null || !servesDirectory(left.pid, directory)) return;
  log.warn({ pid: left.pid }, 'stopping the database server that an earlier service left behind');
  await stopPostmaster(left.pid, directory);
}

/** Restarts a server that dies; meanwhile requests fail because the database is unavailable. */
async function supervise(
  options: PostmasterOptions,
  log: Log,
): Promise<{ pid(): number | null; stop(): Promise<void> }> {
  let stopping = false;
  let restarting: Promise<void> = Promise.resolve();
  let child: ChildProcess | null = null;

  const adopt = (started: ChildProcess): void => {
    child = started;
    const ended = (code: number | null, signal: string | null): void => {
      child = null;
      if (stopping) return;
      log.error({ code, signal }, 'the database server ended; starting it again');
      restarting = restart();
    };
    if (started.exitCode !== null || started.signalCode !== null) ended(started.exitCode, started.signalCode);
    else started.once('exit', ended);
  };
  const restart = async (): Promise<void> => {
    for (let pause = 50; !stopping; pause = Math.min(pause * 2, 5_000)) {
      await sleep(pause);
      try {
        adopt(await startPostmaster(options));
        if (!stopping) log.info({}, 'the database server runs again');
        return;
      } catch (error) {
        log.error({ err: error }, 'the database server does not start');
      }
    }
  };
  const endWithService = (): void => {
    child?.kill('SIGINT');
  };

  adopt(await startPostmaster(options));
  process.once('exit', endWithService);
  return {
    pid: () => child?.pid ?? null,
    async stop() {
      stopping = true;
      await restarting;
      process.off('exit', endWithService);
      if (child?.pid !== undefined) await stopPostmaster(child.pid, options.directory);
    },
  };
}
