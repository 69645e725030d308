import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The watched service: one child process, replaced on restart. */
export class Service {
  readonly #command: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;

  constructor(command: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#command = command;
    this.#environment = environment;
  }

  get running(): boolean {
    return this.#child !== null;
  }

  async restart(): Promise<void> {
    await this.stop();
    const [program = process.execPath, ...args] = this.#command;
    const child = spawn(program, args, { stdio: 'inherit', env: this.#environment });
    this.#child = child;
    child.on('error', (error) => { console.error(`dev: ${error.message}`); });
    child.on('exit', (code, signal) => {
      if (this.#child !== child) return;
      this.#child = null;
      console.error(`dev: the service ended by itself (${signal ?? `status ${String(code)}`}); the next change starts it again`);
    });
  }

  /** Resolves when the child is gone, so that its port is free. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}
