import { randomBytes } from 'node:crypto';
import type { Environment, Scope } from '../contract/principal.ts';
import { createTenant, statement, uuidv7 } from '../database/index.ts';
import type { Transaction } from '../database/index.ts';
import { createUser } from '../groups/auth/index.ts';
import { publishEvents } from '../groups/funds-recovery/index.ts';
import { issueApiKey } from '../groups/settings/index.ts';
import type { Services } from '../services.ts';
import { readDemo, writeDemo } from './credentials.ts';
import type { DemoCredentials } from './credentials.ts';
import { demoEvents } from './events.ts';

const SCOPES: readonly Scope[] = ['read', 'write', 'screening', 'kyb', 'admin'];

const findTenant = statement<{ id: string }, { id: string }>('demo.tenant', (knex, p) => knex('tenant').select('id').where({ id: p.id }));

/**
 * A tenant to try things with: an owner who can sign in, a live key, a test key, an OAuth client and a feed with events.
 * Created once per data directory; later starts find the same credentials in demo.json.
 */
export async function seedDemo(services: Services, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const { config: { dataDir }, database } = services;
  const known = readDemo(dataDir);
  const kept = known !== null
    && (await database.platform({ tenantId: null, readOnly: true }, (tx) => tx.run(findTenant, { id: known.tenant.id }))).length > 0;
  const demo = kept ? { ...known, baseUrl } : await createDemo(services, baseUrl, now);
  writeDemo(dataDir, demo);
  return demo;
}

async function createDemo(services: Services, baseUrl: string, now: Date): Promise<DemoCredentials> {
  const id = uuidv7(now.getTime());
  // A database that several data directories share can hold several demo tenants.
  const suffix = randomBytes(3).toString('hex');
  const tenant = { id, slug: `demo-${suffix}`, name: 'Banco Demonstração' };
  const email = `owner-${suffix}@demo.example`;
  const password = randomBytes(15).toString('base64url');
  const secrets = await services.database.platform({ tenantId: id }, async (tx) => {
    await createTenant(tx, tenant);
    await createUser(tx, id, { email, name: 'Ana Souza', password, role: 'owner' });
    return {
      live: await issue(services, tx, id, 'Demo live key', 'live', now),
      test: await issue(services, tx, id, 'Demo test key', 'test', now),
      client: await issue(services, tx, id, 'Demo OAuth client', 'live', now),
    };
  });
  for (const environment of ['live', 'sandbox'] satisfies Environment[]) {
    await services.database.transaction({ tenantId: id }, (tx) => publishEvents(tx, environment, demoEvents(now)));
  }
  return {
    baseUrl, tenant, email, password, apiKey: secrets.live.secret, testKey: secrets.test.secret,
    clientId: secrets.client.key.prefix, clientSecret: secrets.client.secret,
  };
}

function issue({ secrets }: Services, tx: Transaction, tenantId: string, name: string, environment: 'live' | 'test', now: Date) {
  return issueApiKey(tx, secrets, {
    tenantId, name, environment, scopes: SCOPES, pinEnvironment: false, ipAllowlist: [], expiresAt: null, now,
    createdBy: { type: 'system', id: 'demo', display: 'Demo' },
  });
}
