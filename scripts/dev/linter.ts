import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { QUIET, REDOCLY, redocly } from '../generate/tools.ts';
import type { RedoclyResult } from '../generate/tools.ts';

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
    const linter = fork(import.meta.filename, { cwd, env: { ...this.#environment, ...QUIET } });
    linter.once('exit', () => { this.#process = null; });
    return linter;
  }
}

/**
 * Runs the Redocly CLI once per message, which holds its arguments, and answers with what it wrote. The CLI has no interface for
 * programs, but it runs when its entry is loaded, and under another address an entry is loaded anew while everything it needs stays.
 */
function serveRuns(): void {
  const entry = pathToFileURL(join(REDOCLY, 'lib/index.js')).href;

  let runs = 0;
  let written = { stdout: '', stderr: '' };
  let finish: (code: number) => void = () => undefined;

  enableCompileCache();
  const exit = process.exit.bind(process);
  process.on('disconnect', () => exit(0));
  // A run is over when it asks to be called before the process exits. Then it exits, which here ends the run alone.
  process.on('newListener', (event) => { if (event === 'beforeExit') setImmediate(() => process.emit('beforeExit', 0)); });
  process.exit = ((code?: number) => { finish(code ?? 0); }) as typeof process.exit;
  process.stdout.write = ((text: string | Uint8Array) => {
    written.stdout += String(text);
    return true;
  }) as typeof process.stdout.write;
  process.stderr.write = ((text: string | Uint8Array) => {
    written.stderr += String(text);
    return true;
  }) as typeof process.stderr.write;

  process.on('message', (args: readonly string[]) => {
    written = { stdout: '', stderr: '' };
    finish = (code) => {
      finish = () => undefined;
      process.send?.({ code, ...written } satisfies RedoclyResult);
    };
    process.argv = [process.execPath, entry, ...args];
    import(`${entry}?run=${runs++}`).catch((error: unknown) => {
      written.stderr += String(error);
      finish(1);
    });
  });
}

if (import.meta.main) serveRuns();
