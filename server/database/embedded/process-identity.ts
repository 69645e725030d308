import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';

const linux = existsSync('/proc/self/stat');

/**
 * A process is known by its id and the moment it started: ids are used again, this pair is not.
 * Null when no such process runs.
 */
export function startOf(pid: number): string | null {
  if (!linux) return ps(pid, 'lstart=');
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name in parentheses may itself hold spaces and parentheses (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || ticks === undefined) return null;
    return `${bootId()}:${ticks}`;
  } catch {
    return null;
  }
}

/** Whether the process is a PostgreSQL server of this data directory. */
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
