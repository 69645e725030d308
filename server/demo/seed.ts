import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment, Scope } from '../contract/principal.ts';
import { createTenant, knex, statement, uuidv7 } from '../database/index.ts';
import type { Transaction } from '../database/index.ts';
import { createUser } from '../groups/auth/index.ts';
import { standardLimits, takeInObservations } from '../groups/funds-recovery/index.ts';
import { issueApiKey } from '../groups/settings/index.ts';
import { underLock } from '../jobs/lock.ts';
import type { Services } from '../services.ts';
import { readDemo, writeDemo } from './credentials.ts';
import type { DemoCredentials, KnownDemo } from './credentials.ts';
import { createFirstRun, renewFirstRun } from './first-run.ts';
import { demoRecoveries } from './recoveries.ts';
import { startDemoRuns } from './runs.ts';
import { readStored, store } from './stored.ts';

const SCOPES: readonly Scope[] = ['read', 'write', 'screening', 'kyb', 'admin'];

const findTenant = statement<{ id: string }, { id: string }>('demo.tenant', (p) => knex('tenant').select('id').where({ id: p.id }));

/** Another process that shares the database may be at it. */
const TURN_MILLISECONDS = 200;

/**
 * A tenant to try things with: an owner who can sign in, a live key, a test key, an OAuth client, a feed with events and,
 * where there is a directory for sandboxes, recoveries in it.
 * And one that begins: its owner has an invitation, and so has an administrator of the platform.
 * Created once per database, by the process that comes first; the others, and later starts, have the same credentials.
 */
export async function seedDemo(services: Services, baseUrl: string, now: Date): Promise<DemoCredentials> {
  for (;;) {
    const done = await underLock(services.database, 'demo', () => seedInTurn(services, baseUrl, now));
    if (done !== null) return done.result;
    await sleep(TURN_MILLISECONDS);
  }
}

async function seedInTurn(services: Services, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const { config: { dataDir }, database, secrets } = services;
  const known: KnownDemo | null = await readStored(database, secrets) ?? readDemo(dataDir);
  const kept = known !== null
    && (await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(findTenant, { id: known.tenant.id }))).length > 0;
  const demo = kept ? await renewDemo(services, known, baseUrl, now) : await createDemo(services, baseUrl, now);
  await store(database, secrets, demo);
  writeDemo(dataDir, demo);
  return demo;
}

async function renewDemo(services: Services, known: KnownDemo, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const firstRun = known.firstRun === undefined
    ? await createFirstRun(services, baseUrl, newSuffix(), now)
    : await renewFirstRun(services, known.firstRun, baseUrl, now);
  return { ...known, baseUrl, firstRun };
}

/** Names of an earlier demo, of a data directory that is gone, may be taken. */
function newSuffix(): string {
  return randomBytes(3).toString('hex');
}

async function createDemo(services: Services, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const id = uuidv7();
  const suffix = newSuffix();
  const tenant = { id, slug: `demo-${suffix}`, name: 'Banco Demonstração' };
  const email = `owner-${suffix}@demo.example`;
  const password = randomBytes(15).toString('base64url');
  const owner = await services.database.platform({ tenantId: id }, async (tx) => {
    await createTenant(tx, tenant);
    return createUser(tx, id, { email, name: 'Ana Souza', password, role: 'owner' });
  });
  const secrets = await services.database.transaction({ tenantId: id }, async (tx) => ({
    live: await issue(services, tx, { tenantId: id, owner, name: 'Demo live key', environment: 'live', now }),
    test: await issue(services, tx, { tenantId: id, owner, name: 'Demo test key', environment: 'test', now }),
    client: await issue(services, tx, { tenantId: id, owner, name: 'Demo OAuth client', environment: 'live', now }),
  }));
  for (const environment of ['live', 'sandbox'] satisfies Environment[]) {
    await services.database.transaction({ tenantId: id }, (tx) => takeInObservations(tx, environment, demoRecoveries(now), standardLimits));
  }
  // Their events come when the directory is first followed.
  if (services.directorySimulator !== null) await services.database.transaction({ tenantId: id }, (tx) => startDemoRuns(tx, now));
  return {
    baseUrl, tenant, email, password, apiKey: secrets.live.secret, testKey: secrets.test.secret,
    clientId: secrets.client.key.prefix, clientSecret: secrets.client.secret,
    firstRun: await createFirstRun(services, baseUrl, suffix, now),
  };
}

/** The owner answers for them, and gives them all that an owner can. */
function issue(
  { secrets }: Services, tx: Transaction, { owner, ...key }: { tenantId: string; owner: string; name: string; environment: 'live' | 'test'; now: Date },
) {
  return issueApiKey(tx, secrets, {
    ...key, scopes: SCOPES, pinEnvironment: false, ipAllowlist: [], expiresAt: null, personalData: 'full', grantedBy: owner, grantedRole: 'owner',
    createdBy: { type: 'system', id: 'demo', display: 'Demo' },
  });
}
