/**
 * Environment of all measurements: a database, its tenants, and the services and loads that are measured. Used by the
 * measurements.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckpointSigner } from '../../server/audit/checkpoint.ts';
import { verifyLog } from '../../server/audit/verify-log.ts';
import { AccessTokens } from '../../server/identity/access-token.ts';
import {
  createTestDatabase,
  type TestDatabase,
  type TestDatabaseOptions,
  testSecret,
} from '../../test/support/postgres.ts';
import { type Credential, type Tenant, tenantOf } from '../../test/support/tenant.ts';
import type { Extent } from './extent.ts';
import { alternate, amount, type Row } from './figures.ts';
import type { Measurement, Plan } from './load.ts';
import { startProgram } from './program.ts';
import { metric, type Replacements, startService, type Target, type Timed } from './service.ts';

/** Default number of connections of the load, and size of each server's database pool. */
const CONNECTIONS = 16;
export const POOL_SIZE = 10;

/** A tenant without records, with a live key that may read and write. */
export interface Caller extends Tenant {
  readonly apiKey: Credential;
}

/** Runs one turn of this many seconds. */
export type Contender = (seconds: number) => Promise<Timed>;

export type Laboratory = Awaited<ReturnType<typeof openLaboratory>>;

/**
 * Opens the environment of all measurements: a database on this PostgreSQL (in a test, on that of the tests) with
 * tenants like those of tests.
 */
export async function openLaboratory(
  extent: Extent,
  tenants: number,
  say: (line: string) => void,
  server?: TestDatabaseOptions['server'],
) {
  await using opening = new AsyncDisposableStack();
  const folder = opening.adopt(mkdtempSync(join(tmpdir(), 'onboarding-bench-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  );
  const database = opening.adopt(await createTestDatabase({ poolSize: 2, ...(server && { server }) }), (one) =>
    one.close(),
  );
  const generator = opening.use(startProgram<Plan, Measurement>(join(import.meta.dirname, 'load.ts')));

  const tenantIn = async (place: TestDatabase): Promise<Tenant> => {
    const clock = () => new Date();
    return tenantOf(
      { database: place, running: { services: { clock, tokens: new AccessTokens(place.secrets, clock) } } },
      await place.tenant(),
    );
  };
  const callers: Caller[] = [];
  while (callers.length < tenants) {
    const tenant = await tenantIn(database);
    callers.push({ ...tenant, apiKey: await tenant.key(['read', 'write']) });
  }
  // Nothing failed, so everything stays open until the laboratory itself is disposed of.
  const opened = opening.move();
  return {
    extent,
    say,
    folder,
    database,
    callers,
    tenantIn,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
    /** Creates another database beside that of the laboratory. */
    createDatabase: (poolSize: number): Promise<TestDatabase> =>
      createTestDatabase({ poolSize, ...(server && { server }) }),
    /** Starts a service on the laboratory's database, or on another one. */
    startService(
      env: Readonly<Record<string, string>> = {},
      replacements?: Replacements,
      { superuser }: Pick<TestDatabase, 'superuser'> = database,
    ) {
      const { user, password = '', host, port } = superuser;
      const url = `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${superuser.database}?host=${encodeURIComponent(host)}`;
      return startService(
        folder,
        {
          DATABASE_URL: url,
          SERVICE_SECRET: testSecret,
          DATABASE_POOL_SIZE: String(POOL_SIZE),
          ...env,
        },
        replacements,
      );
    },
    /** Returns a contender that sends this load to a server in its turn. */
    contender(
      target: Target,
      plan: Omit<Plan, 'url' | 'connections' | 'seconds'> & { readonly connections?: number },
    ): Contender {
      const cpuSeconds = (): Promise<number> => metric(target, 'process_cpu_seconds_total');
      return async (seconds) => {
        const before = await cpuSeconds();
        const measurement = await generator.run({
          connections: CONNECTIONS,
          seconds,
          ...plan,
          url: target.url,
        });
        return { ...measurement, cpuMicroseconds: (((await cpuSeconds()) - before) * 1e6) / measurement.requests };
      };
    },
    /** Warms up all contenders, then lets them take turns. */
    async compete<Name extends string>(
      what: string,
      contenders: Readonly<Record<Name, Contender>>,
    ): Promise<Record<Name, Timed[]>> {
      const { rounds, secondsPerTurn, warmUpSeconds } = extent;
      if (warmUpSeconds > 0) await alternate(1, contenders, () => say(`${what}: warming up …`), warmUpSeconds);
      return alternate(rounds, contenders, (round) => say(`${what}, round ${round} of ${rounds} …`), secondsPerTurn);
    },
    /** Verifies the audit log of every tenant, because fast results must also be correct. */
    async brokenChains(): Promise<Row> {
      say('walking the audit chains …');
      const signer = new CheckpointSigner(database.secrets);
      let [events, broken] = [0, 0];
      for (const { id: tenantId } of callers) {
        const { checked, firstFailure } = await verifyLog(database.database, {
          tenantId,
          signer,
          maxEvents: Number.MAX_SAFE_INTEGER,
        });
        events += checked;
        if (firstFailure !== null) broken++;
      }
      return ['broken audit chains', amount(broken, '', `${broken} in ${events} events`), '≤ 0'];
    },
  };
}
