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
const patience = 15_000;

/** Lines of postmaster.pid: 1 process id … 8 status (PostgreSQL's pidfile.h). */
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
 * Starts the server and waits until it accepts connections. After a kill -9 the dead server's children
 * hold its shared memory for a moment and its lock file still stands: such a refusal is tried again.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<ChildProcess> {
  const deadline = Date.now() + patience;
  for (;;) {
    const from = rotate(options.logFile);
    const child = launch(options);
    if (await becomesReady(child, options.directory, deadline)) return child;
    const complaint = readFileSync(options.logFile).subarray(from).toString('utf8').trim();
    if (!/lock file|shared memory block|still in use/.test(complaint) || Date.now() > deadline) {
      throw new EmbeddedDatabaseError(`The embedded PostgreSQL does not start:\n${complaint.slice(-4_000)}`);
    }
    await sleep(200);
  }
}

/** Smart enough for every caller: clients are disconnected, running transactions rolled back, files flushed. */
export async function stopPostmaster(pid: number, directory: string): Promise<void> {
  for (const [signal, milliseconds] of [['SIGINT', 10_000], ['SIGQUIT', 5_000], ['SIGKILL', 5_000]] as const) {
    const deadline = Date.now() + milliseconds;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw new EmbeddedDatabaseError(`The PostgreSQL server with process id ${pid} cannot be stopped: ${(error as Error).message}`);
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
  // A file, not a pipe: a server that outlives the service must still be able to write its last words.
  const log = openSync(logFile, 'a', 0o600);
  try {
    // A process group of its own: Ctrl-C in the terminal must reach the service alone, which drains first.
    const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log], env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } });
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
    if (Date.now() > deadline + patience) {
      child.kill('SIGQUIT');
      return false;
    }
    await sleep(5);
  }
  return false;
}

/** The size of the log, from which this start's lines begin; a large log makes way first. */
function rotate(logFile: string): number {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size < largestLog) return size;
  renameSync(logFile, `${logFile}.1`);
  return 0;
}

/**
 * The socket of the server that serves a data directory now; null when none does, or none yet. Lines 4 and 5 of
 * postmaster.pid are port and socket folder (PostgreSQL's pidfile.h).
 */
export function runningServer(dataDir: string): { readonly host: string; readonly port: number } | null {
  const directory = join(dataDir, 'postgres');
  const status = readPostmasterFile(directory);
  if (status === null || !status.ready || !servesDirectory(status.pid, directory)) return null;
  const [, , , port, host] = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n');
  return host === undefined || host === '' ? null : { host, port: Number(port) };
}
