import { randomBytes } from 'node:crypto';
import type { Environment, Scope } from '../contract/principal.ts';
import { createTenant, statement, uuidv7 } from '../database/index.ts';
import type { Transaction } from '../database/index.ts';
import { createUser } from '../groups/auth/index.ts';
import { standardLimits, takeInObservations } from '../groups/funds-recovery/index.ts';
import { issueApiKey } from '../groups/settings/index.ts';
import type { Services } from '../services.ts';
import { readDemo, writeDemo } from './credentials.ts';
import type { DemoCredentials } from './credentials.ts';
import { createFirstRun, renewFirstRun, type FirstRun } from './first-run.ts';
import { demoRecoveries } from './recoveries.ts';
import { startDemoRuns } from './runs.ts';

const SCOPES: readonly Scope[] = ['read', 'write', 'screening', 'kyb', 'admin'];

const findTenant = statement<{ id: string }, { id: string }>('demo.tenant', (knex, p) => knex('tenant').select('id').where({ id: p.id }));

/**
 * A tenant to try things with: an owner who can sign in, a live key, a test key, an OAuth client, a feed with events and,
 * where there is a directory for sandboxes, recoveries in it.
 * And one that begins: its owner has an invitation, and so has an administrator of the platform.
 * Created once per data directory; later starts find the same credentials in demo.json.
 */
export async function seedDemo(services: Services, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const { config: { dataDir }, database } = services;
  const known: KnownDemo | null = readDemo(dataDir);
  const kept = known !== null
    && (await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(findTenant, { id: known.tenant.id }))).length > 0;
  const demo = kept ? await renewDemo(services, known, baseUrl, now) : await createDemo(services, baseUrl, now);
  writeDemo(dataDir, demo);
  return demo;
}

/** What an earlier version has left knows no first run. */
type KnownDemo = Omit<DemoCredentials, 'firstRun'> & { readonly firstRun?: FirstRun };

async function renewDemo(services: Services, known: KnownDemo, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const firstRun = known.firstRun === undefined
    ? await createFirstRun(services, baseUrl, newSuffix(), now)
    : await renewFirstRun(services, known.firstRun, baseUrl, now);
  return { ...known, baseUrl, firstRun };
}

/** A database that several data directories share can hold several demo tenants. */
function newSuffix(): string {
  return randomBytes(3).toString('hex');
}

async function createDemo(services: Services, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const id = uuidv7();
  const suffix = newSuffix();
  const tenant = { id, slug: `demo-${suffix}`, name: 'Banco Demonstração' };
  const email = `owner-${suffix}@demo.example`;
  const password = randomBytes(15).toString('base64url');
  await services.database.platform({ tenantId: id }, async (tx) => {
    await createTenant(tx, tenant);
    await createUser(tx, id, { email, name: 'Ana Souza', password, role: 'owner' });
  });
  const secrets = await services.database.transaction({ tenantId: id }, async (tx) => ({
    live: await issue(services, tx, id, 'Demo live key', 'live', now),
    test: await issue(services, tx, id, 'Demo test key', 'test', now),
    client: await issue(services, tx, id, 'Demo OAuth client', 'live', now),
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

function issue({ secrets }: Services, tx: Transaction, tenantId: string, name: string, environment: 'live' | 'test', now: Date) {
  return issueApiKey(tx, secrets, {
    tenantId, name, environment, scopes: SCOPES, pinEnvironment: false, ipAllowlist: [], expiresAt: null, now,
    createdBy: { type: 'system', id: 'demo', display: 'Demo' },
  });
}
