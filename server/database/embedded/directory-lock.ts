import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './error.ts';
import { startOf } from './process-identity.ts';

interface Holder {
  readonly pid: number;
  readonly start: string;
}

export interface DirectoryLock {
  release(): void;
}

/** One service process owns a data directory. A lock whose process is gone is taken over. */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const path = join(directory, 'lock');
  const takeover = join(directory, 'lock.takeover');
  const self: Holder = { pid: process.pid, start: startOf(process.pid) ?? '' };
  const deadline = Date.now() + 5_000;

  while (!claim(path, self)) {
    const holder = read(path);
    if (holder !== null && alive(holder)) {
      throw new EmbeddedDatabaseError(
        `${directory} is in use by the service with process id ${holder.pid}. Stop it, or set DATA_DIR to another folder.`,
      );
    }
    // Only the holder of the second lock may remove the dead one: otherwise a slow contender could
    // remove the lock that a quick one has just taken.
    if (claim(takeover, self)) {
      try {
        const current = read(path);
        if (current === null || !alive(current)) remove(path);
      } finally {
        remove(takeover);
      }
    } else {
      const other = read(takeover);
      if (other !== null && !alive(other)) remove(takeover);
      if (Date.now() > deadline) throw new EmbeddedDatabaseError(`${path} cannot be taken over; remove ${takeover}`);
      await sleep(20);
    }
  }
  return {
    release() {
      const holder = read(path);
      if (holder?.pid === self.pid && holder.start === self.start) remove(path);
    },
  };
}

/** Linking a finished file is atomic and fails when the name exists: no reader sees half a lock. */
function claim(path: string, holder: Holder): boolean {
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

function read(path: string): Holder | null {
  try {
    const { pid, start } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' && typeof start === 'string' ? { pid, start } : null;
  } catch {
    return null;
  }
}

function alive({ pid, start }: Holder): boolean {
  return startOf(pid) === start;
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
