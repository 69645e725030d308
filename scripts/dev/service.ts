import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const LONGEST_START_MS = 3_000;

/** The watched service: one child process, replaced on restart. */
export class Service {
  readonly #command: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;
  #ready: Promise<unknown> = Promise.resolve();

  constructor(command: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#command = command;
    this.#environment = environment;
  }

  get running(): boolean {
    return this.#child !== null;
  }

  /** Resolves when the child says that it is ready, when it is gone, or when it takes too long to wait for. */
  get ready(): Promise<unknown> {
    return this.#ready;
  }

  async restart(): Promise<void> {
    await this.stop();
    const [program = process.execPath, ...args] = this.#command;
    const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: this.#environment });
    this.#child = child;
    const patience = AbortSignal.timeout(LONGEST_START_MS);
    this.#ready = Promise.race([once(child, 'message', { signal: patience }), once(child, 'exit', { signal: patience })]).catch(() => {});
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
