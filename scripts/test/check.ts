import { run, tail } from './command.ts';
import { verdict } from './result.ts';
import type { Result } from './result.ts';

/** A command that holds when it exits with 0. */
export function command(name: string, program: string, args: readonly string[]): () => Promise<Result> {
  return async () => {
    const { code, output } = await run(name, program, args);
    return verdict(code === 0, tail(output));
  };
}
