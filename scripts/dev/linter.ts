/**
 * Keeps the Redocly CLI loaded in a process. Used by `make dev`. If that process fails, the linter is run in the usual
 * way.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { QUIET, REDOCLY, redocly } from '../generate/tools.ts';
import type { RedoclyResult } from '../generate/tools.ts';

/**
 * Runs the Redocly CLI in a process that keeps running, so that it is loaded once and each run is faster than the
 * previous one.
 */
export class Linter {
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | null = null;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#environment = environment;
  }

  /** Replaces `redocly`, and falls back to it if the process fails. Runs one at a time. */
  readonly run = async (args: readonly string[], cwd: string): Promise<RedoclyResult> => {
    const linter = (this.#process ??= this.#start(cwd));
    const over = new AbortController();
    try {
      linter.send(args, () => undefined);
      const [result] = await Promise.race([
        once(linter, 'message', { signal: over.signal }) as Promise<[RedoclyResult]>,
        once(linter, 'exit', { signal: over.signal }).then((): [null] => [null]),
      ]);
      return result ?? (await redocly(args, cwd));
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
    linter.once('exit', () => {
      this.#process = null;
    });
    return linter;
  }
}

/**
 * Runs the Redocly CLI once per message, which holds its arguments, and replies with its output. The CLI has no
 * programming interface, but it runs when its entry module is loaded; importing the entry under a new URL loads it
 * again, while its dependencies stay loaded.
 */
function serveRuns(): void {
  const entry = pathToFileURL(join(REDOCLY, 'lib/index.js')).href;

  let runs = 0;
  let written = { stdout: '', stderr: '' };
  let finish: (code: number) => void = () => undefined;

  enableCompileCache();
  const exit = process.exit.bind(process);
  process.on('disconnect', () => exit(0));
  // The CLI ends a run by registering `beforeExit`. Emitting that event makes it call `process.exit`, which here ends
  // only the run.
  process.on('newListener', (event) => {
    if (event === 'beforeExit') setImmediate(() => process.emit('beforeExit', 0));
  });
  process.exit = ((code?: number) => {
    finish(code ?? 0);
  }) as typeof process.exit;
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
