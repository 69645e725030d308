import { knex, sql, statement } from '../../../database/index.ts';
import type { Snapshot } from '../ingestion/record.ts';

type Recovery = { tenantId: string; id: string; env: string };

export interface ErasableRecord {
  readonly snapshot: Snapshot;
  readonly created_at: string;
  readonly last_modified: string;
  readonly erased_at: string | null;
}

export const lockRecord = statement<Recovery, ErasableRecord>('payload.lockRecord', (p) =>
  knex('fr_record').select('snapshot', 'created_at', 'last_modified', 'erased_at')
    .where({ tenant_id: p.tenantId, env: p.env, funds_recovery_id: p.id }).forUpdate());

export const eraseRecord = statement<Recovery & { snapshot: string; now: Date }>('payload.eraseRecord', (p) => sql`
  UPDATE fr_record SET snapshot = ${p.snapshot}::jsonb, erased_at = coalesce(erased_at, ${p.now}::timestamptz)
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id = ${p.id}::uuid`, { expectRows: 1 });

/** The event itself stays where it stands: only what it carried goes. */
export const eraseEvents = statement<Recovery>('payload.eraseEvents', (p) => sql`
  UPDATE fr_event SET raw_payload = NULL
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND funds_recovery_id = ${p.id}::uuid AND raw_payload IS NOT NULL`);

/** A page names recoveries by their identifiers, in ASCII; the escape format shows that part of any bytes as it is. */
export const eraseInbox = statement<Recovery & { from: Date; to: Date }>('payload.eraseInbox', (p) => sql`
  UPDATE dict_inbox SET xml = NULL
  WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND received_at BETWEEN ${p.from}::timestamptz AND ${p.to}::timestamptz AND xml IS NOT NULL
    AND position(lower(${p.id}::text) IN lower(encode(xml, 'escape'))) > 0`);
