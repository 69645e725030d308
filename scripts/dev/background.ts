import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';

const LOW_PRIORITY = 10;

/** Derives what nobody waits for, in a process that makes room for whatever somebody does wait for. */
export class Background {
  readonly #root: string;
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | null = null;

  constructor(root: string, environment: NodeJS.ProcessEnv) {
    this.#root = root;
    this.#environment = environment;
  }

  start(): void {
    // A group of its own, so that it can be ended with the tools that it runs.
    const child = spawn(process.execPath, [join(import.meta.dirname, 'derive.ts'), this.#root], {
      cwd: this.#root, env: this.#environment, stdio: ['ignore', 'inherit', 'inherit'], detached: true,
    });
    this.#process = child;
    child.once('exit', () => { if (this.#process === child) this.#process = null; });
    if (child.pid !== undefined) setPriority(child.pid, LOW_PRIORITY);
  }

  /** What a newer contract replaces need not be finished. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined) return;
    const gone = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await gone;
  }
}
