/**
 * Starts the service for a test file, with tenants, keys, users and a request function. Used by the tests of the API.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { readConfig } from '../../server/base/config.ts';
import { createLog } from '../../server/base/log.ts';
import { connectDatabase, type Database } from '../../server/database/index.ts';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { Inspector } from '../../server/modules/documents/index.ts';
import { keepCompilations } from '../../server/request/validator-adapter.ts';
import { type RunningService, type StartOptions, startService } from '../../server/start.ts';
import { assertDeclaredEvents } from './declared-events.ts';
import { clientOf, type Api, type Problem } from './api.ts';
import { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './postgres.ts';
import { recordCoverage } from './coverage.ts';
import { silent } from './silent.ts';
import { tenantOf, type Credential, type Tenant } from './tenant.ts';

export type { Problem } from './api.ts';
export { PASSWORD, type Credential, type Person, type PersonOptions, type Tenant } from './tenant.ts';

export interface Call {
  readonly as?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; everything else is sent unchanged. */
  readonly body?: object | string | Buffer | FormData | URLSearchParams;
}

export interface Answer<T = Problem> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed if the response is JSON. */
  readonly body: T;
}

export interface TestService {
  readonly url: string;
  readonly running: RunningService;
  readonly database: TestDatabase;
  /** Two tenants that must never see data of each other. */
  readonly acme: Tenant;
  readonly other: Tenant;
  /** The platform's own staff. */
  readonly platform: Tenant;
  /** Creates another tenant, for tests that would disturb the others. */
  tenant(): Promise<Tenant>;
  /** Typed calls: neither an undocumented request nor a wrong assumption about a response compiles. */
  readonly api: Api;
  /** Sends a request that the contract does not allow, or whose bytes matter. */
  request<T = Problem>(method: string, path: string, call?: Call): Promise<Answer<T>>;
  advance(milliseconds: number): void;
  /** Starts another process of the same service, on the same database. */
  replica(options?: ReplicaOptions): Promise<Replica>;
  stop(): Promise<void>;
}

export interface Options {
  /** Environment variables of the service. */
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: (line: string) => void;
  /** Whether time stands still except for `advance`, so that no quota refills and nothing expires on a slow machine. */
  readonly frozen?: boolean;
  /** Whether the service runs the directory of the sandboxes, which few tests need. */
  readonly directory?: boolean;
  /**
   * Whether the test breaks what the service depends on: such failures say nothing about the contract and are left out
   * of the coverage.
   */
  readonly sabotaged?: boolean;
  /** Server of its database; by default the PostgreSQL of the test run. */
  readonly server?: TestDatabaseOptions['server'];
}

export interface ReplicaOptions {
  /** Replaces its connection to the database. */
  readonly through?: (database: Database) => Database;
  readonly env?: Readonly<Record<string, string>>;
  readonly prepare?: StartOptions['prepare'];
}

export interface Replica {
  readonly running: RunningService;
  readonly api: Api;
  request: TestService['request'];
  stop(): Promise<void>;
}

/**
 * Inspector that all services of this process share, because its processes load their program for a fifth of a second.
 * They end with this process.
 */
class SharedInspector extends Inspector {
  override close(): void {}
}
const inspector = new SharedInspector();
/** Few names, because the estimate uses idle processor time only, of which tests leave little. */
const estimateLimits = {
  people: 300,
  companies: 100,
  aliases: 50,
  milliseconds: 20_000,
};

/** Compiles the contract once, because every service of this process enforces the same one. */
keepCompilations();

/** Returns the service that the tests of a file share. */
export function useService(options?: Options): Promise<TestService> {
  return shared(startTestService(options));
}

/** Stops what was started for all tests of a file, or of a `describe`, after them. */
export async function shared<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  afterAll(() => started.stop());
  return started;
}

/**
 * Starts the whole service in this process, on a free port and a separate database, with a clock that tests can set.
 */
export async function startTestService({
  env = {},
  log,
  frozen = false,
  directory = false,
  sabotaged = false,
  server,
}: Options = {}): Promise<TestService> {
  const database = await createTestDatabase({ poolSize: 10, ...(server && { server }) });
  const dataDir = await mkdtemp(join(tmpdir(), 'compliance-service-'));
  const variables = {
    PORT: '0',
    DATA_DIR: dataDir,
    DEMO: 'false',
    JOBS: 'false',
    DIRECTORY_SIMULATOR: String(directory),
    VERIFICATION: 'off',
    RATE_LIMIT_REQUESTS: '1000000',
    RATE_LIMIT_UPLOADS: '1000000',
    RATE_LIMIT_FEED: '1000000',
    RATE_LIMIT_PAGES: '1000000',
    RATE_LIMIT_LOOKUPS: '1000000',
    RATE_LIMIT_LOGINS_PER_ADDRESS: '1000000',
    RATE_LIMIT_FAILED_AUTHENTICATIONS: '1000000',
    ...env,
  };
  const config = readConfig(variables);
  const begun = Date.now();
  let ahead = 0;
  const clock = () => new Date((frozen ? begun : Date.now()) + ahead);
  const running = await startService({
    config,
    secrets: database.secrets,
    database: database.database,
    clock,
    warm: false,
    inspector,
    estimateLimits,
    log: log === undefined ? createLog('silent') : createLog(config.logLevel, { write: log }),
  });
  const parts = { running, database };
  return {
    ...parts,
    url: running.url,
    api: clientOf(running.url),
    acme: tenantOf(parts, await database.tenant()),
    other: tenantOf(parts, await database.tenant()),
    platform: tenantOf(parts, PLATFORM_TENANT_ID),
    tenant: async () => tenantOf(parts, await database.tenant()),
    request: (method, path, call) => request(running.url, method, path, call),
    advance: (milliseconds) => void (ahead += milliseconds),
    async replica({ through = (one: Database) => one, env: more = {}, prepare }: ReplicaOptions = {}) {
      const another = await startService({
        config: readConfig({ ...variables, ...more }),
        secrets: database.secrets,
        clock,
        warm: false,
        inspector,
        estimateLimits,
        log: createLog('silent'),
        ...(prepare && { prepare }),
        database: through(
          connectDatabase(database.location, database.secrets, { poolSize: 4, log: silent, stop: async () => {} }),
        ),
      });
      return {
        running: another,
        api: clientOf(another.url),
        request: (method, path, call) => request(another.url, method, path, call),
        stop: () => another.stop(),
      };
    },
    async stop() {
      try {
        if (!sabotaged) await Promise.all([recordCoverage(running.url), assertDeclaredEvents(database)]);
      } finally {
        await running.stop();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  };
}

async function request<T>(
  url: string,
  method: string,
  path: string,
  { as = {}, headers = {}, body }: Call = {},
): Promise<Answer<T>> {
  const json =
    body !== undefined &&
    typeof body === 'object' &&
    !(body instanceof FormData || body instanceof URLSearchParams || Buffer.isBuffer(body));
  const response = await fetch(url + path, {
    method,
    headers: { ...(json && { 'Content-Type': 'application/json' }), ...as, ...headers },
    body: json ? JSON.stringify(body) : ((body ?? null) as BodyInit | null),
  });
  const text = await response.text();
  const parsed: unknown =
    /[/+]json/.test(response.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : undefined;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: parsed as T,
  };
}
