import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { QUIET, redocly } from '../generate/redocly.ts';
import type { RedoclyResult } from '../generate/redocly.ts';

/** The Redocly CLI in a process that stays: it is loaded once, and every run is faster than the one before. */
export class Linter {
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | null = null;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** Takes the place of `redocly`, which still does the work if the process cannot. One run at a time. */
  readonly run = async (args: readonly string[], cwd: string): Promise<RedoclyResult> => {
    const linter = this.#process ??= this.#start(cwd);
    const over = new AbortController();
    try {
      linter.send(args, () => undefined);
      const [result] = await Promise.race([
        once(linter, 'message', { signal: over.signal }) as Promise<[RedoclyResult]>,
        once(linter, 'exit', { signal: over.signal }).then((): [null] => [null]),
      ]);
      return result ?? await redocly(args, cwd);
    } finally {
      over.abort();
    }
  };

  async stop(): Promise<void> {
    const linter = this.#process;
    if (linter === null) return;
    const gone = once(linter, 'exit');
    linter.kill();
    await gone;
  }

  #start(cwd: string): ChildProcess {
    const linter = fork(join(import.meta.dirname, 'linter-process.ts'), { cwd, env: { ...this.#environment, ...QUIET } });
    linter.once('exit', () => { this.#process = null; });
    return linter;
  }
}
