/**
 * Creates the demo tenants and their credentials once per database. Called by server/run.ts if the configuration asks
 * for the demo, whose credentials it prints. Processes that start at once wait for each other.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from '../base/uuid.ts';
import { type Environment, SCOPES } from '../contract/operation.ts';
import type { Transaction } from '../database/index.ts';
import { createTenant } from '../identity/store.ts';
import { STANDARD_QUOTAS } from '../identity/tenant.ts';
import { createUser } from '../modules/accounts/index.ts';
import { issueApiKey } from '../modules/api-keys/index.ts';
import { applyObservations, standardStageLimits } from '../modules/recoveries/index.ts';
import type { Services } from '../request/services.ts';
import type { DirectorySimulator } from '../simulators/directory/index.ts';
import { withJobLock } from '../tasks/store.ts';
import { type DemoCredentials, type KnownDemo, readDemo, writeDemo } from './credentials.ts';
import { createFirstRun, renewFirstRun } from './first-run.ts';
import { demoRecoveries, startDemoRuns } from './recoveries.ts';
import { readDemoRow, tenantExists, writeDemoRow } from './store.ts';

/**
 * Number of seats. It is high because it also limits the invitations per day, and the demo is meant for trying things
 * out.
 */
const DEMO_SEATS = 1_000;

/** Pause before a retry if another process of the same database is creating the demo. */
const RETRY_MILLISECONDS = 200;

/** Services of the demo. It plays recoveries if this process runs the sandbox directory. */
export type DemoServices = Services & { readonly directorySimulator: DirectorySimulator | null };

/**
 * Creates a tenant to try things with: an owner who can sign in, a live key, a test key, an OAuth client, a feed with
 * events and, if there is a sandbox directory, recoveries in it. Also creates a tenant at its beginning: its owner has
 * an invitation, and so has an administrator of the platform.
 *
 * The first process creates them once per database; other processes and later starts return the same credentials.
 */
export async function seedDemo(services: DemoServices, baseUrl: string, now: Date): Promise<DemoCredentials> {
  for (;;) {
    const done = await withJobLock(services.database, 'demo', () => seedInTurn(services, baseUrl, now));
    if (done !== null) return done.result;
    await sleep(RETRY_MILLISECONDS);
  }
}

async function seedInTurn(services: DemoServices, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const {
    config: { dataDir },
    database,
    secrets,
  } = services;
  const known: KnownDemo | null = (await readDemoRow(database, secrets)) ?? readDemo(dataDir);
  const exists = known !== null && (await tenantExists(database, known.tenant.id));
  const demo = exists ? await renewDemo(services, known, baseUrl, now) : await createDemo(services, baseUrl, now);
  await writeDemoRow(database, secrets, demo);
  writeDemo(dataDir, demo);
  return demo;
}

async function renewDemo(services: Services, known: KnownDemo, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const firstRun =
    known.firstRun === undefined
      ? await createFirstRun({ services, origin: baseUrl, now }, newSuffix())
      : await renewFirstRun({ services, origin: baseUrl, now }, known.firstRun);
  return { ...known, baseUrl, firstRun };
}

/** Returns a random suffix, because the names of an earlier demo, whose data directory is gone, may be taken. */
function newSuffix(): string {
  return randomBytes(3).toString('hex');
}

async function createDemo(services: DemoServices, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const id = uuidv7();
  const suffix = newSuffix();
  const tenant = { id, slug: `demo-${suffix}`, name: 'Banco Demonstração' };
  const email = `owner-${suffix}@demo.example`;
  const password = randomBytes(15).toString('base64url');
  const owner = await services.database.platform({ tenantId: id }, async (tx) => {
    await createTenant(tx, { ...tenant, quotas: { ...STANDARD_QUOTAS, users: DEMO_SEATS }, now });
    return createUser(tx, id, {
      email,
      name: 'Ana Souza',
      password,
      role: 'owner',
      now,
    });
  });
  const secrets = await services.database.transaction({ tenantId: id }, async (tx) => ({
    live: await issue(services, tx, {
      tenantId: id,
      owner,
      name: 'Demo live key',
      environment: 'live',
      now,
    }),
    test: await issue(services, tx, {
      tenantId: id,
      owner,
      name: 'Demo test key',
      environment: 'test',
      now,
    }),
    client: await issue(services, tx, {
      tenantId: id,
      owner,
      name: 'Demo OAuth client',
      environment: 'live',
      now,
    }),
  }));
  for (const environment of ['live', 'sandbox'] satisfies Environment[]) {
    await services.database.transaction({ tenantId: id }, (tx) =>
      applyObservations(tx, environment, demoRecoveries(now), standardStageLimits),
    );
  }
  // Events of these runs are created when the directory is first polled.
  if (services.directorySimulator !== null)
    await services.database.transaction({ tenantId: id }, (tx) => startDemoRuns(tx, now));
  return {
    baseUrl,
    tenant,
    email,
    password,
    apiKey: secrets.live.secret,
    testKey: secrets.test.secret,
    clientId: secrets.client.key.prefix,
    clientSecret: secrets.client.secret,
    firstRun: await createFirstRun({ services, origin: baseUrl, now }, suffix),
  };
}

interface DemoKey {
  readonly tenantId: string;
  /** Id of the owner who grants the key. */
  readonly owner: string;
  readonly name: string;
  readonly environment: 'live' | 'test';
  readonly now: Date;
}

/** Issues a key in the owner's name with every permission that an owner can grant. */
function issue({ secrets }: Services, tx: Transaction, { owner, ...key }: DemoKey) {
  return issueApiKey(tx, secrets, {
    ...key,
    scopes: SCOPES,
    pinEnvironment: false,
    ipAllowlist: [],
    expiresAt: null,
    personalData: 'full',
    grantedBy: owner,
    grantedRole: 'owner',
    createdBy: { type: 'system', id: 'demo', display: 'Demo' },
  });
}
