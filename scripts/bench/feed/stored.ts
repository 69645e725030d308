import { createLog } from '../../../server/base/log.ts';
import { connectDatabase, createTenant, knex, uuidv7 } from '../../../server/database/index.ts';
import { type DatabaseLogin, loginAs } from '../../../server/database/login.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { withClient } from '../../../server/database/pool.ts';
import { provision } from '../../../server/database/provision.ts';
import { AccessTokens } from '../../../server/identity/access-token.ts';
import { generateApiKey } from '../../../server/identity/api-key.ts';
import type { Laboratory } from '../whole-path/laboratory.ts';
import { sampleEvents } from './deriving.ts';

/** A feed of so many events in a database of its own, with its readers. */
export interface StoredFeed {
  readonly events: number;
  readonly tenantId: string;
  readonly readers: readonly Reader[];
  /** For `DATABASE_URL`. */
  readonly administrator: DatabaseLogin;
}

export interface Reader {
  /** How it is named as a consumer of the feed. */
  readonly consumer: string;
  readonly token: string;
}

export interface StoreOrder {
  readonly events: number;
  readonly readers: number;
  /** Payloads as the directory's documents make them, or ones of a few bytes where the disk would not hold those. */
  readonly payloads: 'whole' | 'small';
}

const lifetimeSeconds = 24 * 3600;
const clock = () => new Date();

export async function storeFeed({ administrator, location, secrets }: Laboratory, order: StoreOrder): Promise<StoredFeed> {
  const place = { ...location, database: `feed_${order.payloads}_${order.events}` };
  const owner = { ...administrator, database: place.database };
  await provision({ ...administrator, database: 'postgres' }, place, secrets);
  await migrate(loginAs('owner', place, secrets), createLog('error'));
  const database = connectDatabase(place, secrets, { kind: 'external', poolSize: 1, log: createLog('error'), stop: async () => {} });
  const tenantId = uuidv7();
  const tokens = new AccessTokens(secrets, clock);
  const prefixes = Array.from({ length: order.readers }, () => generateApiKey('live').prefix);
  try {
    await database.platform({ tenantId }, async (tx) => {
      await createTenant(tx, { id: tenantId, slug: 'stored', name: 'Tenant with a feed' });
      await tx.query(knex('api_key').insert(prefixes.map((prefix) => ({
        tenant_id: tenantId, id: uuidv7(), prefix, name: 'Reader of the feed', environment: 'live', pin_environment: true, scopes: ['read'],
        secret_mac: Buffer.alloc(32), created_by: { type: 'system', id: 'bench', display: 'Benchmark' },
      }))));
    });
  } finally {
    await database.close();
  }
  await fill(owner, tenantId, order);
  return {
    events: order.events, tenantId, administrator: owner,
    readers: prefixes.map((prefix) => ({
      consumer: `client:${prefix}`, token: tokens.forClient({ prefix, tenantId, scopes: ['read'], environment: 'live' }, lifetimeSeconds),
    })),
  };
}

/**
 * The events of ended recoveries over and over, each time of other ones; every fiftieth recovery is still open. Indexes
 * over random keys are made when all rows are there: ten million would take hours otherwise.
 */
async function fill(owner: DatabaseLogin, tenantId: string, { events, payloads }: StoreOrder): Promise<void> {
  const course = (await sampleEvents(2)).map(({ eventType, status, dedupeKey, rawPayload }) => ({
    type: eventType, status, key: dedupeKey, payload: payloads === 'whole' ? rawPayload : { FundsRecovery: { Status: status } },
  }));
  await withClient(owner, async (client) => {
    await client.query('SET session_replication_role = replica; SET maintenance_work_mem = \'256MB\'; SET synchronous_commit = off');
    await client.query('ALTER TABLE fr_event DROP CONSTRAINT fr_event_dedupe_key; DROP INDEX fr_event_recovery');
    await client.query(`
      INSERT INTO fr_event (tenant_id, env, seq, event_id, funds_recovery_id, event_type, status, occurred_at, dedupe_key, raw_payload)
      SELECT $1::uuid, 'live', seq, 'evt_' || md5(seq::text), md5((seq / $3)::text)::uuid, told ->> 'type', told ->> 'status',
        now() - interval '400 days' * (1 - seq / $2::float8), (told ->> 'key') || ':' || seq, told -> 'payload'
      FROM generate_series(1, $2::bigint) AS seq CROSS JOIN LATERAL (SELECT ($4::jsonb) -> (seq % $3)::integer AS told) AS one`,
      [tenantId, events, course.length, JSON.stringify(course)]);
    await client.query(`
      INSERT INTO fr_recovery (tenant_id, env, funds_recovery_id, status, phase_began_at)
      SELECT $1::uuid, 'live', md5(number::text)::uuid,
        CASE WHEN number % 50 > 0 THEN 'COMPLETED' ELSE (ARRAY['CREATED', 'AWAITING_ANALYSIS', 'ANALYSED', 'REFUNDING'])[1 + number / 50 % 4] END,
        now() - interval '30 days' * random()
      FROM generate_series(0, $2::bigint / $3) AS number`, [tenantId, events, course.length]);
    await client.query(`UPDATE fr_feed SET last_seq = $2 WHERE tenant_id = $1 AND env = 'live'`, [tenantId, events]);
    await client.query('ALTER TABLE fr_event ADD CONSTRAINT fr_event_dedupe_key UNIQUE (tenant_id, env, dedupe_key)');
    await client.query('CREATE INDEX fr_event_recovery ON fr_event (tenant_id, env, funds_recovery_id, seq)');
    await client.query('VACUUM (ANALYZE) fr_event, fr_recovery, fr_feed');
  });
}
