import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Secrets, secretsFrom } from '../../../server/base/secrets.ts';
import { type EmbeddedServer, startEmbedded } from '../../../server/database/embedded.ts';
import { connectDatabase, createTenant, type Database, knex, uuidv7 } from '../../../server/database/index.ts';
import { type DatabaseLocation, type DatabaseLogin, loginAs, rolePassword } from '../../../server/database/login.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { provision } from '../../../server/database/provision.ts';
import { generateApiKey, macOfApiKey } from '../../../server/identity/api-key.ts';
import { API_KEY_PEPPER } from '../../../server/identity/credential-cache.ts';
import { closeAtInterrupt } from '../interrupt.ts';

export interface Tenant {
  readonly id: string;
  /** A live key that may read and write. */
  readonly apiKey: string;
}

/** A PostgreSQL of its own in a temporary folder, as durable as the service's, with tenants that own nothing yet. */
export interface Laboratory {
  readonly folder: string;
  readonly location: DatabaseLocation;
  readonly administrator: DatabaseLogin;
  /** Root secret of a service on this database. */
  readonly secret: string;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly tenants: readonly Tenant[];
  close(): Promise<void>;
}

/** Connections of a server's database pool. */
export const POOL_SIZE = 10;

const silent = { info: () => {}, warn: () => {}, error: () => {} };

export async function openLaboratory(tenantCount: number): Promise<Laboratory> {
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-bench-'));
  const secret = randomBytes(32).toString('base64url');
  const secrets = secretsFrom(secret);
  let server: EmbeddedServer | null = null;
  const remove = async (): Promise<void> => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const password = rolePassword('superuser', secrets);
    server = await startEmbedded({ dataDir: join(folder, 'database'), superuser: 'postgres', password, durable: true, log: silent });
    const location: DatabaseLocation = { host: server.host, port: server.port, database: 'bench', ssl: false };
    const administrator: DatabaseLogin = { ...location, user: 'postgres', password };
    await provision({ ...administrator, database: 'postgres' }, location, secrets);
    await migrate(loginAs('owner', location, secrets), silent);
    const database = connectDatabase(location, secrets, { kind: 'embedded', poolSize: 2, log: silent, stop: remove });
    const tenants: Tenant[] = [];
    for (let number = 1; number <= tenantCount; number++) tenants.push(await addTenant(database, secrets, number));
    return { folder, location, administrator, secret, secrets, database, tenants, close: closeAtInterrupt(() => database.close()) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function addTenant(database: Database, secrets: Secrets, number: number): Promise<Tenant> {
  const id = uuidv7();
  const { prefix, secret } = generateApiKey('live');
  await database.platform({ tenantId: id }, async (tx) => {
    await createTenant(tx, { id, slug: `bench-${number}`, name: `Tenant ${number}` });
    await tx.query(knex('api_key').insert({
      tenant_id: id, id: uuidv7(), prefix, name: `Key of tenant ${number}`, environment: 'live', scopes: ['read', 'write'],
      secret_mac: macOfApiKey(secrets.deriveKey(API_KEY_PEPPER), secret), created_by: { type: 'system', id: 'bench', display: 'Benchmark' },
    }));
  });
  return { id, apiKey: secret };
}

/** What a service needs to be told to work on the laboratory's database. */
export function environmentOf({ location, administrator, secret }: Laboratory): Record<string, string> {
  const password = encodeURIComponent(administrator.password ?? '');
  const url = `postgres://${administrator.user}:${password}@localhost:${location.port}/${location.database}?host=${encodeURIComponent(location.host)}`;
  return { DATABASE_URL: url, SERVICE_SECRET: secret, DATABASE_POOL_SIZE: String(POOL_SIZE) };
}
