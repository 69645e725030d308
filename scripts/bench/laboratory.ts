import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CheckpointSigner } from '../../server/audit/checkpoint.ts';
import { verifyLog } from '../../server/audit/verify-log.ts';
import { type Secrets, secretsFrom } from '../../server/base/secrets.ts';
import { uuidv7 } from '../../server/base/uuid.ts';
import { startEmbedded } from '../../server/database/embedded.ts';
import { connectDatabase, type Database } from '../../server/database/index.ts';
import { type DatabaseLocation, type DatabaseLogin, loginAs, rolePassword } from '../../server/database/login.ts';
import { migrate } from '../../server/database/migrate.ts';
import { withClient } from '../../server/database/pool.ts';
import { provision } from '../../server/database/provision.ts';
import { createTenant } from '../../server/identity/store.ts';
import { issueApiKey } from '../../server/modules/api-keys/issue-key.ts';
import { silent } from '../../test/support/silent.ts';
import { alternate, atMost, type Row } from './figures.ts';
import type { Measurement, Plan, Request } from './load.ts';
import type { Extent } from './main.ts';
import { Program } from './program.ts';
import { type MeasuredService, startService, type Target, type Timed, turn } from './service.ts';

/** Connections of the load wherever nothing else is said, and of each server's database pool. */
const CONNECTIONS = 16;
export const POOL_SIZE = 10;

export interface Tenant {
  readonly id: string;
  /** A live key that may read and write. */
  readonly apiKey: string;
}

/** One turn of so many seconds. */
export type Contender = (seconds: number) => Promise<Timed>;

/** Where everything is measured: a PostgreSQL of its own in a temporary folder, as durable as the service's, with tenants that own nothing yet. */
export class Laboratory {
  readonly extent: Extent;
  readonly say: (line: string) => void;
  readonly folder: string;
  readonly location: DatabaseLocation;
  /** Root secret of a service on this database. */
  readonly secret: string;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly tenants: Tenant[] = [];
  readonly generator = new Program<Plan, Measurement>(join(import.meta.dirname, 'load.ts'));

  private constructor(extent: Extent, say: (line: string) => void, folder: string, location: DatabaseLocation, secret: string, stop: () => Promise<void>) {
    [this.extent, this.say, this.folder, this.location, this.secret, this.secrets] = [extent, say, folder, location, secret, secretsFrom(secret)];
    this.database = connectDatabase(location, this.secrets, { kind: 'embedded', poolSize: 2, log: silent, stop });
  }

  static async open(extent: Extent, tenantCount: number, say: (line: string) => void): Promise<Laboratory> {
    const folder = mkdtempSync(join(tmpdir(), 'onboarding-bench-'));
    const secret = randomBytes(32).toString('base64url');
    const server = await startEmbedded({ dataDir: join(folder, 'database'), superuser: 'postgres', password: rolePassword('superuser', secretsFrom(secret)), durable: true, log: silent });
    const stop = async (): Promise<void> => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    };
    const laboratory = new Laboratory(extent, say, folder, { host: server.host, port: server.port, database: 'bench', ssl: false }, secret, stop);
    try {
      await laboratory.createDatabase(laboratory.location);
      for (let number = 1; number <= tenantCount; number++) laboratory.tenants.push(await laboratory.#addTenant(number));
      return laboratory;
    } catch (error) {
      await laboratory.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.generator.stop();
    await this.database.close();
  }

  administratorOf(location: DatabaseLocation): DatabaseLogin {
    return { ...location, user: 'postgres', password: rolePassword('superuser', this.secrets) };
  }

  async createDatabase(location: DatabaseLocation): Promise<void> {
    await provision(this.administratorOf({ ...location, database: 'postgres' }), location, this.secrets);
    await migrate(loginAs('owner', location, this.secrets), silent);
  }

  async #addTenant(number: number): Promise<Tenant> {
    const id = uuidv7();
    await this.database.platform({ tenantId: id }, (tx) => createTenant(tx, { id, slug: `bench-${number}`, name: `Tenant ${number}` }));
    return { id, apiKey: (await this.issueKey(this.database, id, ['read', 'write'])).secret };
  }

  issueKey(database: Database, tenantId: string, scopes: readonly ('read' | 'write')[]) {
    return database.transaction({ tenantId }, (tx) => issueApiKey(tx, this.secrets, {
      tenantId, name: 'Benchmark', environment: 'live', scopes, pinEnvironment: false, personalData: 'full', grantedBy: null, grantedRole: 'owner', ipAllowlist: [], expiresAt: null,
      createdBy: { type: 'system', id: 'bench', display: 'Benchmark' }, now: new Date(),
    }));
  }

  /** A service on the laboratory's database, or on another one of its server. */
  startService(env: Readonly<Record<string, string>> = {}, replacements?: Parameters<typeof startService>[1], location = this.location): Promise<MeasuredService> {
    const { user, password = '', host, port, database } = this.administratorOf(location);
    const url = `postgres://${user}:${encodeURIComponent(password)}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
    return startService({ DATABASE_URL: url, SERVICE_SECRET: this.secret, DATABASE_POOL_SIZE: String(POOL_SIZE), ...env }, replacements);
  }

  /** What a server is to do in its turn. */
  contender(target: Target, plan: Omit<Plan, 'url' | 'connections' | 'seconds'> & { readonly connections?: number }): Contender {
    return (seconds) => turn(this.generator, target, { connections: CONNECTIONS, seconds, ...plan });
  }

  /** Warms all contenders up, then lets them take turns. */
  async compete<Name extends string>(what: string, contenders: Readonly<Record<Name, Contender>>): Promise<Record<Name, Timed[]>> {
    const { rounds, secondsPerTurn, warmUpSeconds } = this.extent;
    await alternate(1, contenders, () => this.say(`${what}: warming up …`), warmUpSeconds);
    return alternate(rounds, contenders, (round) => this.say(`${what}, round ${round} of ${rounds} …`), secondsPerTurn);
  }

  /** Walks the audit log of every tenant: what was fast must also be right. */
  async verifiedChains(): Promise<Row> {
    this.say('walking the audit chains …');
    const signer = new CheckpointSigner(this.secrets);
    let [events, broken] = [0, 0];
    for (const { id: tenantId } of this.tenants) {
      const { checked, firstFailure } = await verifyLog(this.database, { tenantId, signer, maxEvents: Number.MAX_SAFE_INTEGER });
      events += checked;
      if (firstFailure !== null) broken++;
    }
    return atMost('broken audit chains', broken, 0, '', `${broken} in ${events} events`);
  }

  /**
   * Gives every tenant `count` applications, each with a document: copies of an application that the service wrote, so
   * that they are as it would write them. Answers with 2,000 of them at most, in no order.
   */
  copyApplication(applicationId: string, count: number): Promise<readonly { readonly tenantId: string; readonly id: string }[]> {
    return withClient(this.administratorOf(this.location), async (client) => {
      const { rows: columns } = await client.query<{ name: string }>(`
        SELECT quote_ident(column_name) AS name FROM information_schema.columns WHERE table_name = 'application' AND column_name NOT IN ('tenant_id', 'id')`);
      const names = columns.map(({ name }) => name);
      await client.query(`
        INSERT INTO application (tenant_id, id, ${names.join(', ')})
        SELECT t.id, uuidv7(), ${names.map((name) => `a.${name}`).join(', ')}
        FROM application a CROSS JOIN tenant t CROSS JOIN generate_series(1, $2::int) WHERE a.id = $1`, [applicationId, count]);
      await client.query(`
        INSERT INTO document (tenant_id, id, application_id, environment, type, side, country, file_name, mime_type, size_bytes, sha256, storage_key, created_by)
        SELECT tenant_id, uuidv7(), id, environment, 'passport', 'single', 'BR', 'passport.jpg', 'image/jpeg', 482113, encode(sha256(id::text::bytea), 'hex'), id::text, created_by
        FROM application`);
      await client.query('VACUUM ANALYZE application, document');
      return (await client.query<{ tenantId: string; id: string }>('SELECT tenant_id AS "tenantId", id FROM application ORDER BY sha256(id::text::bytea) LIMIT 2000')).rows;
    });
  }
}

export function get(path: string, apiKey: string): Request {
  return { method: 'GET', path, headers: { 'x-api-key': apiKey } };
}

export function creations(tenants: readonly Tenant[], create: object): Request[] {
  const body = JSON.stringify(create);
  return tenants.map(({ apiKey }) => ({ method: 'POST', path: '/v1/applications', headers: { 'x-api-key': apiKey, 'content-type': 'application/json' }, body }));
}
