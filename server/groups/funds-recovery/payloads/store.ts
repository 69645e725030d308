import { statement } from '../../../database/index.ts';
import type { Snapshot } from '../ingestion/record.ts';

type Recovery = { tenantId: string; id: string; env: string };

export interface ErasableRecord {
  readonly snapshot: Snapshot;
  readonly created_at: string;
  readonly last_modified: string;
  readonly erased_at: string | null;
}

export const lockRecord = statement<Recovery, ErasableRecord>('payload.lockRecord', (knex, p) =>
  knex('fr_record').select('snapshot', 'created_at', 'last_modified', 'erased_at')
    .where({ tenant_id: p.tenantId, env: p.env, funds_recovery_id: p.id }).forUpdate());

export const eraseRecord = statement<Recovery & { snapshot: string; now: Date }>('payload.eraseRecord', (knex, p) => knex.raw(`
  UPDATE fr_record SET snapshot = ?::jsonb, erased_at = coalesce(erased_at, ?::timestamptz)
  WHERE tenant_id = ?::uuid AND env = ? AND funds_recovery_id = ?::uuid`, [p.snapshot, p.now, p.tenantId, p.env, p.id]), { expectRows: 1 });

/** The event itself stays where it stands: only what it carried goes. */
export const eraseEvents = statement<Recovery>('payload.eraseEvents', (knex, p) => knex.raw(`
  UPDATE fr_event SET raw_payload = NULL
  WHERE tenant_id = ?::uuid AND env = ? AND funds_recovery_id = ?::uuid AND raw_payload IS NOT NULL`, [p.tenantId, p.env, p.id]));

/** A page names recoveries by their identifiers, in ASCII; the escape format shows that part of any bytes as it is. */
export const eraseInbox = statement<Recovery & { from: Date; to: Date }>('payload.eraseInbox', (knex, p) => knex.raw(`
  UPDATE dict_inbox SET xml = NULL
  WHERE tenant_id = ?::uuid AND env = ? AND received_at BETWEEN ?::timestamptz AND ?::timestamptz AND xml IS NOT NULL
    AND position(lower(?::text) IN lower(encode(xml, 'escape'))) > 0`, [p.tenantId, p.env, p.from, p.to, p.id]));
