import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readConfig } from '../../server/base/config.ts';
import { loadSecrets } from '../../server/base/secrets.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { rolePassword } from '../../server/database/login.ts';
import { provision } from '../../server/database/provision.ts';

/** What `make dev` tells a service: the folder of the contract to enforce, that the address is free (for the first time, or after another service), and to make room. */
export type Order = { readonly enforce: string } | 'listen first' | 'listen' | 'release';

/** What the service answers: the contract can be enforced, the address is free, requests are served. */
export type Answer = 'prepared' | 'released' | 'ready';

/** One service, as a process. */
class ServiceProcess {
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

/**
 * The running service, and the next one, which has loaded everything and waits for a contract. The next one takes the
 * address only when it is known to enforce its contract; until then the running one serves.
 */
export class Service {
  readonly #program: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  #current: ServiceProcess | null = null;
  #next: ServiceProcess | null = null;
  /** Those that were replaced and finish what they have begun. */
  readonly #leaving = new Set<ServiceProcess>();

  constructor(program: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#program = program;
    this.#environment = environment;
  }

  get running(): boolean {
    return this.#current !== null;
  }

  /** Starts the next service, unless it waits already. */
  warm(): ServiceProcess {
    if (this.#next !== null) return this.#next;
    const child = new ServiceProcess(this.#program, this.#environment, (how) => this.#ended(child, how));
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

  #ended(child: ServiceProcess, how: string): void {
    this.#leaving.delete(child);
    if (this.#next === child) this.#next = null;
    if (this.#current !== child) return;
    this.#current = null;
    console.error(`dev: the service ended by itself (${how}); the next change starts it again`);
  }
}

const silent = { info: () => {}, warn: console.warn, error: console.error };

/** What a service must be told in order to use it. */
interface DevDatabase { readonly environment: Readonly<Record<string, string>>; stop(): Promise<void> }

/**
 * The service's own database, kept running across its restarts: starting PostgreSQL takes longer than everything else.
 * An external one (`DATABASE_URL`) is left alone.
 */
export async function devDatabase(environment: NodeJS.ProcessEnv): Promise<DevDatabase> {
  const config = readConfig(environment);
  if (config.databaseUrl !== null) return { environment: {}, stop: () => Promise.resolve() };
  const secrets = loadSecrets(config);
  const [user, password, database] = ['postgres', rolePassword('superuser', secrets), 'compliance'];
  const server = await startEmbedded({ dataDir: config.dataDir, superuser: user, password, durable: true, log: silent });
  const location = { host: server.host, port: server.port, database, ssl: false };
  await provision({ ...location, database: 'postgres', user, password }, location, secrets);
  // libpq's form of a socket folder; the host of the authority part is overridden by the parameter.
  const url = `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(server.host)}&port=${server.port}`;
  // With a database of its own a service plays the directory of the sandboxes too, unless it is told otherwise.
  return { environment: { DATABASE_URL: url, DIRECTORY_SIMULATOR: String(config.directorySimulator) }, stop: () => server.stop() };
}
