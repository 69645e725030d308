import { Child } from './child.ts';

/**
 * The running service, and the next one, which has loaded everything and waits for a contract. The next one takes the
 * address only when it is known to enforce its contract; until then the running one serves.
 */
export class Service {
  readonly #program: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  #current: Child | null = null;
  #next: Child | null = null;
  /** Those that were replaced and finish what they have begun. */
  readonly #leaving = new Set<Child>();

  constructor(program: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#program = program;
    this.#environment = environment;
  }

  get running(): boolean {
    return this.#current !== null;
  }

  /** Starts the next service, unless it waits already. */
  warm(): Child {
    if (this.#next !== null) return this.#next;
    const child = new Child(this.#program, this.#environment, (how) => this.#ended(child, how));
    this.#next = child;
    return child;
  }

  /** Whether the next service can enforce the contract of a folder. */
  prepare(folder: string): Promise<boolean> {
    return this.warm().ask({ enforce: folder }, 'prepared');
  }

  /** Ends the next service: it has loaded what no longer counts. */
  async forget(): Promise<void> {
    const next = this.#next;
    this.#next = null;
    await next?.end('SIGKILL');
  }

  /** Gives the address of the running service to the prepared one; whether that serves now. */
  async takeOver(): Promise<boolean> {
    const next = this.warm();
    const before = this.#current;
    if (before !== null) {
      this.#leaving.add(before);
      await before.ask('release', 'released');
    }
    this.#current = next;
    this.#next = null;
    return next.ask(before === null ? 'listen first' : 'listen', 'ready');
  }

  async stop(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    await Promise.all([this.forget(), current?.end('SIGTERM'), ...[...this.#leaving].map((child) => child.end('SIGTERM'))]);
  }

  #ended(child: Child, how: string): void {
    this.#leaving.delete(child);
    if (this.#next === child) this.#next = null;
    if (this.#current !== child) return;
    this.#current = null;
    console.error(`dev: the service ended by itself (${how}); the next change starts it again`);
  }
}
