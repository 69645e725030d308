import { appendAudit } from '../../audit/chain.ts';
import { type Database, knex, sql, statement } from '../../database/index.ts';

const AT_ONCE = 200;
const DAY = 86_400_000;
const ACTOR = { type: 'system', id: 'keys.expire', display: 'Expiry of keys', impersonatorId: null } as const;

interface Ended {
  readonly prefix: string;
  readonly environment: 'live' | 'test';
  readonly endedAt: string;
  readonly rotated: boolean;
}

const recordEnds = statement<{ tenantId: string; now: Date }, Ended>('apiKey.recordEnds', (p) => sql`
  WITH due AS (
    SELECT id FROM api_key
    WHERE tenant_id = ${p.tenantId}::uuid AND ends_at <= ${p.now} AND end_recorded_at IS NULL AND status <> 'revoked'
    ORDER BY id LIMIT ${AT_ONCE} FOR NO KEY UPDATE)
  UPDATE api_key k SET end_recorded_at = ${p.now} FROM due WHERE k.tenant_id = ${p.tenantId}::uuid AND k.id = due.id
  RETURNING k.prefix, k.environment, k.ends_at AS "endedAt", (k.status = 'rotating') AS rotated`);

const forgetUsage = statement<{ tenantId: string; before: Date }>('apiKey.forgetUsage', (p) =>
  knex('api_key_usage').where({ tenant_id: p.tenantId }).where(sql`hour < ${p.before}`).delete());

/**
 * A key ends by itself; here it is only written down that it did, once. What is not a matter of the last day any more is
 * forgotten on the way.
 */
export async function expireKeys(database: Database, tenantId: string, now: Date, signal: AbortSignal): Promise<number> {
  await database.transaction({ tenantId }, (tx) => tx.run(forgetUsage, { tenantId, before: new Date(now.getTime() - 2 * DAY) }));
  let sum = 0;
  let count = AT_ONCE;
  while (count === AT_ONCE && !signal.aborted) {
    count = await recordSome(database, tenantId, now);
    sum += count;
  }
  return sum;
}

function recordSome(database: Database, tenantId: string, now: Date): Promise<number> {
  return database.transaction({ tenantId }, async (tx) => {
    const ended = await tx.run(recordEnds, { tenantId, now });
    for (const { prefix, environment, endedAt, rotated } of ended) {
      appendAudit(tx, {
        occurredAt: now.toISOString(), environment: environment === 'test' ? 'sandbox' : 'live', actor: ACTOR, action: 'api_key.expired',
        resource: { type: 'api_key', id: prefix }, outcome: 'success',
        changes: [{ op: 'add', path: '/endedAt', value: endedAt }, { op: 'add', path: '/rotated', value: rotated }],
      });
    }
    return ended.length;
  });
}
