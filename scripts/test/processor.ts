/**
 * Processor time of the steps of `make test`: on a machine with two cores it decides the duration, however many steps
 * run side by side.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

const running = new AsyncLocalStorage<{ seconds: number }>();

/** Runs a step, and adds up the processor seconds (user and system) of the commands and services that it starts. */
export async function measured<T>(step: () => Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  const tally = { seconds: 0 };
  return { result: await running.run(tally, step), seconds: tally.seconds };
}

/**
 * Returns the seconds that all processors of this machine have been busy since it started, whichever process used them.
 * This includes Chromium, whose processes are ended without being waited for.
 */
export function busy(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;
}

/** Adds seconds to the step that is running. */
export function took(seconds: number): void {
  const tally = running.getStore();
  if (tally !== undefined) tally.seconds += seconds;
}

/**
 * Returns a command whose shell finally writes to descriptor 3 the time that it used, with all descendants that were
 * waited for (POSIX `times`).
 */
export function telling(command: string, args: readonly string[]): readonly [string, readonly string[]] {
  return ['sh', ['-c', '"$@" 3>&-; status=$?; times >&3; exit $status', 'sh', command, ...args]];
}

/**
 * Returns the seconds that `times` prints: two values of the shell itself, then two of its descendants, each as
 * 1m2.34s.
 */
export function secondsIn(times: string): number {
  return [...times.matchAll(/(\d+)m(\d+[.,]\d+)s/g)].reduce(
    (sum, [, minutes, seconds = '0']) => sum + Number(minutes) * 60 + Number(seconds.replace(',', '.')),
    0,
  );
}

/** Adds what a process that is about to be stopped has used with its descendants, if the system reports it (Linux). */
export function tookSoFar(pid: number | undefined): void {
  if (pid === undefined || running.getStore() === undefined) return;
  const all = processes();
  const tree = new Set([pid]);
  for (const parent of tree) for (const one of all) if (one.parent === parent) tree.add(one.pid);
  took(all.reduce((sum, one) => sum + (tree.has(one.pid) ? one.seconds : 0), 0));
}

/**
 * Unit of `/proc/<pid>/stat`, see proc_pid_stat(5): clock ticks of the process, and of its children that have ended.
 */
const TICKS_PER_SECOND = 100;

function processes(): readonly { readonly pid: number; readonly parent: number; readonly seconds: number }[] {
  return entries('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The name of the program, in brackets, may contain blanks.
        const fields = stat
          .slice(stat.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number);
        return [
          {
            pid: Number(name),
            parent: fields[1]!,
            seconds: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND,
          },
        ];
      } catch {
        // The process has ended meanwhile.
        return [];
      }
    });
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
