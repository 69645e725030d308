/**
 * Reads the options of commands. Used by every command of this folder. A wrong option ends the process with one
 * sentence and status 2.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** Parses the arguments of a command. A wrong argument ends the process with one sentence and status 2. */
export function readOptions<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    return misused((error as Error).message.split('. ')[0] ?? '');
  }
}

export function misused(sentence: string): never {
  console.error(`${sentence} (--help lists the options)`);
  process.exit(2);
}
