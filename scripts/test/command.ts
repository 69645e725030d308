/**
 * Runs a step of `make test` as a process, with its output in a file. Used by all steps. A step passes only if its
 * process exits with 0.
 */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { secondsIn, telling, took } from './processor.ts';

interface Finished {
  readonly code: number;
  readonly output: string;
}

/** Folder of the full output of every step of the last run. */
export const LOGS = join(import.meta.dirname, '../../build/test');

/**
 * Runs a command to its end, writes its whole output to `build/test/<name>.log` and prints a line of it from time to
 * time, so that a long step shows progress.
 */
export function run(
  name: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  mkdirSync(LOGS, { recursive: true });
  const log = createWriteStream(join(LOGS, `${name}.log`));
  const child = spawn(...telling(command, args), {
    env: {
      ...process.env,
      ...env,
      FORCE_COLOR: '0',
      NO_COLOR: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  // Each is a pipe, because `stdio` above requests one.
  const { 1: stdout, 2: stderr, 3: times } = child.stdio as { readonly [descriptor in 1 | 2 | 3]: Readable };
  let told = '';
  let output = '';
  let shownAt = Date.now();
  const take = (chunk: Buffer) => {
    log.write(chunk);
    output += chunk.toString();
    if (Date.now() - shownAt < 15_000) return;
    shownAt = Date.now();
    console.log(`    … ${name}: ${output.trimEnd().split('\n').at(-1)?.trim().slice(0, 140)}`);
  };
  stdout.on('data', take);
  stderr.on('data', take);
  times.on('data', (chunk: Buffer) => {
    told += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      took(secondsIn(told));
      log.end(() => resolve({ code: code ?? 1, output }));
    });
  });
}

/** Returns the last lines of the output of a failed command. */
export function tail(output: string, lines = 60): string {
  return output
    .trimEnd()
    .split('\n')
    .slice(-lines)
    .map((line) => `    ${line}`)
    .join('\n');
}

/** Counts of a step of `make test`, and its output for the summary. */
export interface Result {
  readonly passed: number;
  readonly failed: number;
  /** Figures for the summary, one line each. */
  readonly figures?: readonly string[];
  /** Text that is shown if a test failed. */
  readonly complaint?: string;
}

/** Returns the result of a step that either passes or fails, as one test. */
export function verdict(holds: boolean, complaint: string, figures: readonly string[] = []): Result {
  return {
    passed: holds ? 1 : 0,
    failed: holds ? 0 : 1,
    figures,
    complaint,
  };
}

/** Returns a step that passes if the command exits with 0. */
export function command(name: string, program: string, args: readonly string[]): () => Promise<Result> {
  return async () => {
    const { code, output } = await run(name, program, args);
    return verdict(code === 0, tail(output));
  };
}
