/**
 * Runs a command in the process of the test, which is faster. Used by tests of commands that need no process of their
 * own.
 */
import { format } from 'node:util';
import { vi } from 'vitest';

type Command = (args: readonly string[], env: Readonly<Record<string, string | undefined>>) => Promise<number>;

interface Printed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command in the process of the test, which has loaded the service already: in a process of its own it loads the
 * service for a second of processor time. A test of the process itself (signals, exit status) starts one.
 */
export async function inProcess(command: Command, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Printed> {
  const lines: { out: string[]; err: string[] } = { out: [], err: [] };
  const log = vi.spyOn(console, 'log').mockImplementation((...said) => void lines.out.push(format(...said)));
  const error = vi.spyOn(console, 'error').mockImplementation((...said) => void lines.err.push(format(...said)));
  try {
    const code = await command(args, env);
    const [out = '', err = ''] = [lines.out, lines.err].map((each) => each.map((line) => `${line}\n`).join(''));
    return { code, out, err };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}
