/** Runs a command as a process that must end by itself. Used by tests of commands. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';

export const ROOT = join(import.meta.dirname, '../..');

export const TIMEOUT = 90_000;

const { PATH, NODE_COMPILE_CACHE } = process.env;

const INHERITED = { PATH, NODE_COMPILE_CACHE };

interface Said {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command that must end by itself; a command that does not end fails the test instead of blocking it. */
export async function command(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Said> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...INHERITED, ...env },
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    out += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    err += text.toString();
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, out, err };
}

/** Matches output without a line of a stack trace. */
export const noTrace = expect.not.stringMatching(/^\s+at .*:\d+:\d+\)?$/m);
