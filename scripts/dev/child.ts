import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Answer, Order } from './messages.ts';

/** One service, as a process. */
export class Child {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<Answer, (said: boolean) => void>();

  constructor(program: readonly string[], environment: NodeJS.ProcessEnv, ended: (how: string) => void) {
    this.#process = spawn(process.execPath, program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: environment });
    this.#process.on('message', (answer: Answer) => { this.#waiting.get(answer)?.(true); });
    this.#process.on('error', (error) => { console.error(`dev: ${error.message}`); });
    this.#process.on('exit', (code, signal) => {
      for (const resolve of this.#waiting.values()) resolve(false);
      ended(signal ?? `status ${String(code)}`);
    });
  }

  /** Resolves with true at the answer, with false when the process ends without it. */
  async ask(order: Order, answer: Answer): Promise<boolean> {
    if (this.#isGone) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.set(answer, resolve);
    // Who ends at the same moment does not hear it, and its end is the answer.
    this.#process.send(order, () => undefined);
    return promise;
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.#isGone) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill(signal);
    await gone;
  }

  get #isGone(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }
}
