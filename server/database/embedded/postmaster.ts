/**
 * This file starts and stops the PostgreSQL server process (the postmaster) of a data directory and reads its state
 * from postmaster.pid. Used by embedded.ts and the backup.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabaseError, type Launcher } from './account.ts';
import { servesDirectory } from './directory-lock.ts';
import type { Binaries } from './installation.ts';

export interface PostmasterOptions {
  readonly binaries: Binaries;
  readonly launcher: Launcher;
  readonly directory: string;
  readonly logFile: string;
  readonly settings: Readonly<Record<string, string>>;
}

export interface PostmasterStatus {
  readonly pid: number;
  readonly ready: boolean;
}

const largestLog = 8 * 1024 * 1024;
const startTimeoutMilliseconds = 15_000;

/**
 * Reads postmaster.pid, whose first line is the process id and whose eighth is the status (pidfile.h of PostgreSQL).
 */
export function readPostmasterFile(directory: string): PostmasterStatus | null {
  try {
    const lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : null;
  } catch {
    return null;
  }
}

/**
 * Starts the server and waits until it accepts connections. After the server was killed, its child processes hold the
 * shared memory for a moment and its lock file still exists, so a start that fails for one of these reasons is
 * repeated.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<ChildProcess> {
  const deadline = Date.now() + startTimeoutMilliseconds;
  for (;;) {
    const from = rotate(options.logFile);
    const child = launch(options);
    if (await becomesReady(child, options.directory, deadline)) return child;
    const logged = readFileSync(options.logFile).subarray(from).toString('utf8').trim();
    if (!/lock file|shared memory block|still in use/.test(logged) || Date.now() > deadline) {
      throw new EmbeddedDatabaseError(`The embedded PostgreSQL does not start:\n${logged.slice(-4_000)}`);
    }
    await sleep(200);
  }
}

/**
 * Stops the server with the fast shutdown (SIGINT): it disconnects clients, rolls back their
 * transactions and flushes its files.
 */
export async function stopPostmaster(pid: number, directory: string): Promise<void> {
  for (const [signal, milliseconds] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    const deadline = Date.now() + milliseconds;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw new EmbeddedDatabaseError(
        `The PostgreSQL server with process id ${pid} cannot be stopped: ${(error as Error).message}`,
      );
    }
    while (Date.now() < deadline) {
      if (!servesDirectory(pid, directory)) return;
      await sleep(5);
    }
  }
  throw new EmbeddedDatabaseError(`The PostgreSQL server with process id ${pid} does not stop`);
}

function launch({ binaries, launcher, directory, logFile, settings }: PostmasterOptions): ChildProcess {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = launcher.command(binaries.postgres, ['-D', directory, ...flags]);
  // The log is a file and not a pipe, because a server that outlives the service must still be able to write to it.
  const log = openSync(logFile, 'a', 0o600);
  try {
    // The server gets a process group of its own, so that Ctrl-C reaches only the service, which
    // finishes its requests first.
    const child = spawn(file, args, {
      ...options,
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    });
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

async function becomesReady(child: ChildProcess, directory: string, deadline: number): Promise<boolean> {
  let ended = false;
  child.once('exit', () => (ended = true));
  child.once('error', () => (ended = true));
  while (!ended) {
    const status = readPostmasterFile(directory);
    if (status?.ready === true && status.pid === child.pid) return true;
    if (Date.now() > deadline + startTimeoutMilliseconds) {
      child.kill('SIGQUIT');
      return false;
    }
    await sleep(5);
  }
  return false;
}

/**
 * Renames a log that has grown too large. Returns the size of the current log, which is the offset of the next start's
 * lines.
 */
function rotate(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size < largestLog) return size;
  renameSync(logFile, `${logFile}.1`);
  return 0;
}

/**
 * Returns the socket of the server that currently serves a data directory, or null if none does or it is not ready.
 * Lines 4 and 5 of postmaster.pid are port and socket folder (PostgreSQL's pidfile.h).
 */
export function runningServer(dataDir: string): { readonly host: string; readonly port: number } | null {
  const directory = join(dataDir, 'postgres');
  const status = readPostmasterFile(directory);
  if (status === null || !status.ready || !servesDirectory(status.pid, directory)) return null;
  const [, , , port, host] = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
  return host === undefined || host === '' ? null : { host, port: Number(port) };
}
