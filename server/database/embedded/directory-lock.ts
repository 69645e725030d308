/**
 * This file makes sure that only one service process uses a data directory. It writes a lock file that names the
 * process, so that the lock of a killed process can be distinguished from that of a running one. Used by embedded.ts
 * and postmaster.ts.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './account.ts';

const linux = existsSync('/proc/self/stat');

/**
 * Returns the start time of a process in a form that can only be compared, or null if no such process runs. Process ids
 * are reused, so a process is identified by its id together with its start time.
 */
export function startOf(pid: number): string | null {
  if (!linux) return ps(pid, 'lstart=');
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name in parentheses may itself contain spaces and parentheses (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || ticks === undefined) return null;
    return `${bootId()}:${ticks}`;
  } catch {
    return null;
  }
}

/** Tells whether the process is a PostgreSQL server of this data directory. */
export function servesDirectory(pid: number, directory: string): boolean {
  if (startOf(pid) === null) return false;
  if (!linux) return ps(pid, 'command=')?.includes(directory) ?? false;
  try {
    // The postmaster makes its data directory the working directory.
    return realpathSync(`/proc/${pid}/cwd`) === realpathSync(directory);
  } catch {
    return false;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function ps(pid: number, column: string): string | null {
  const { status, stdout } = spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}

interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly start: string;
}

export interface DirectoryLock {
  release(): void;
}

/**
 * Interval and age limit of lock files. Processes of another host, for example of another container on the same volume,
 * cannot be looked up. Their lock is valid while they keep updating the modification time of its file. After a
 * container was killed, its successor has another host name and waits until the lock is stale.
 */
const touchEvery = 2_000;
const staleAfter = 10_000;

/** Locks a data directory for this process, and takes over the lock of a process that has ended. */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const path = join(directory, 'lock');
  const takeover = join(directory, 'lock.takeover');
  const self: Holder = { host: hostname(), pid: process.pid, start: startOf(process.pid) ?? '' };
  const deadline = Date.now() + staleAfter + 5_000;

  while (!tryLock(path, self)) {
    const holder = read(path);
    if (holder !== null && alive(holder, path)) {
      if (holder.host !== self.host && Date.now() < deadline) {
        await sleep(200);
        continue;
      }
      throw new EmbeddedDatabaseError(
        `${directory} is in use by the service with process id ${holder.pid} on ${holder.host}. Stop it, or set ` +
          'DATA_DIR to another folder.',
      );
    }
    // Only the holder of a second lock may remove the stale one. Otherwise a slow process could remove the lock that a
    // faster one has just taken.
    if (tryLock(takeover, self)) {
      try {
        const current = read(path);
        if (current === null || !alive(current, path)) remove(path);
      } finally {
        remove(takeover);
      }
    } else {
      const other = read(takeover);
      if (other !== null && !alive(other, takeover)) remove(takeover);
      if (Date.now() > deadline) throw new EmbeddedDatabaseError(`${path} cannot be taken over; remove ${takeover}`);
      await sleep(20);
    }
  }
  const touching = setInterval(() => touch(path), touchEvery).unref();
  return {
    release() {
      clearInterval(touching);
      const holder = read(path);
      if (holder?.host === self.host && holder.pid === self.pid && holder.start === self.start) remove(path);
    },
  };
}

/**
 * Links a complete file to the name of the lock. link(2) is atomic and fails if the name exists, so no reader sees an
 * incomplete lock.
 */
function tryLock(path: string, holder: Holder): boolean {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** Reads a lock. Returns null if there is none or its content is damaged. Throws if the file may not be read. */
function read(path: string): Holder | null {
  try {
    const { host, pid, start } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>;
    return typeof host === 'string' && typeof pid === 'number' && typeof start === 'string'
      ? { host, pid, start }
      : null;
  } catch (error) {
    if (
      error instanceof SyntaxError ||
      error instanceof TypeError ||
      (error as NodeJS.ErrnoException).code === 'ENOENT'
    )
      return null;
    throw error;
  }
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The folder was removed while the service runs; the database itself will report that.
  }
}

function alive({ host, pid, start }: Holder, path: string): boolean {
  if (host === hostname()) return startOf(pid) === start;
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < staleAfter;
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
