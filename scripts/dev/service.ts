/**
 * Runs the service and a standby that takes over with the next contract. Used by `make dev`. The running service serves
 * until the standby has confirmed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readConfig } from '../../server/base/config.ts';
import { loadSecrets } from '../../server/base/secrets.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { rolePassword } from '../../server/database/database-login.ts';
import { provision } from '../../server/database/provision.ts';

/**
 * Orders of `make dev` to a service: enforce the contract in a folder, listen on the address (for the first time, or
 * after another service), release the address.
 */
export type Order = { readonly enforce: string } | 'listen first' | 'listen' | 'release';

/** Replies of the service: the contract can be enforced, the address has been released, requests are served. */
export type Answer = 'prepared' | 'released' | 'ready';

/** One service process. */
class ServiceProcess {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<Answer, (said: boolean) => void>();

  constructor(program: readonly string[], environment: NodeJS.ProcessEnv, ended: (how: string) => void) {
    this.#process = spawn(process.execPath, program, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: environment,
    });
    this.#process.on('message', (answer: Answer) => {
      this.#waiting.get(answer)?.(true);
    });
    this.#process.on('error', (error) => {
      console.error(`dev: ${error.message}`);
    });
    this.#process.on('exit', (code, signal) => {
      for (const resolve of this.#waiting.values()) resolve(false);
      ended(signal ?? `status ${String(code)}`);
    });
  }

  /** Sends an order; resolves with true at the reply, with false if the process ends without replying. */
  async ask(order: Order, answer: Answer): Promise<boolean> {
    if (this.#isGone) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.set(answer, resolve);
    // A child that exits at the same time misses the message; its exit counts as the reply.
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
 * Runs the service, and a standby that has loaded everything and waits for a contract. The standby takes over the
 * address only after it has confirmed that it can enforce its contract; until then the running service serves.
 */
export class Service {
  readonly #program: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  #current: ServiceProcess | null = null;
  #next: ServiceProcess | null = null;
  /** Replaced services that are finishing their open requests. */
  readonly #leaving = new Set<ServiceProcess>();

  constructor(program: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#program = program;
    this.#environment = environment;
  }

  get running(): boolean {
    return this.#current !== null;
  }

  /** Starts the standby unless one is waiting already. */
  warm(): ServiceProcess {
    if (this.#next !== null) return this.#next;
    const child = new ServiceProcess(this.#program, this.#environment, (how) => this.#ended(child, how));
    this.#next = child;
    return child;
  }

  /** Returns whether the standby can enforce the contract of a folder. */
  prepare(folder: string): Promise<boolean> {
    return this.warm().ask({ enforce: folder }, 'prepared');
  }

  /** Ends the standby, because the code that it has loaded is outdated. */
  async forget(): Promise<void> {
    const next = this.#next;
    this.#next = null;
    await next?.end('SIGKILL');
  }

  /** Hands the address from the running service to the prepared standby; returns whether the standby now serves. */
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
    await Promise.all([
      this.forget(),
      current?.end('SIGTERM'),
      ...[...this.#leaving].map((child) => child.end('SIGTERM')),
    ]);
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

/** Environment variables with which a service uses the database. */
interface DevDatabase {
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Starts the service's own database, which keeps running when the service restarts, because starting PostgreSQL takes
 * longer than everything else. Does not touch an external database (`DATABASE_URL`).
 */
export async function devDatabase(environment: NodeJS.ProcessEnv): Promise<DevDatabase> {
  const config = readConfig(environment);
  if (config.databaseUrl !== null) return { environment: {}, stop: () => Promise.resolve() };
  const secrets = loadSecrets(config);
  const [user, password, database] = ['postgres', rolePassword('superuser', secrets), 'compliance'];
  const server = await startEmbedded({
    dataDir: config.dataDir,
    superuser: user,
    password,
    durable: true,
    log: silent,
  });
  const location = {
    host: server.host,
    port: server.port,
    database,
    ssl: false,
  };
  await provision(
    {
      ...location,
      database: 'postgres',
      user,
      password,
    },
    location,
    secrets,
  );
  // libpq's form of a socket folder: the `host` parameter overrides the host of the URL.
  const url = `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(server.host)}&port=${server.port}`;
  // A service with its own database also simulates the directory for the sandboxes, unless configured otherwise.
  return {
    environment: { DATABASE_URL: url, DIRECTORY_SIMULATOR: String(config.directorySimulator) },
    stop: () => server.stop(),
  };
}
