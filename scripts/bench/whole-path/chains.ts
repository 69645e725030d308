import { verifyChain, type AuditRow } from '../../../server/database/audit-verify.ts';
import { knex } from '../../../server/database/index.ts';
import type { Laboratory } from './laboratory.ts';

export interface ChainFigures {
  readonly events: number;
  readonly broken: number;
}

/** Walks the audit chain of every tenant: what was fast must also be right. */
export async function verifyChains({ database, tenants }: Laboratory): Promise<ChainFigures> {
  let events = 0;
  let broken = 0;
  for (const { id: tenantId } of tenants) {
    const { rows, head } = await database.transaction({ tenantId, readOnly: true }, async (tx) => {
      const [found] = await tx.query<{ hash: Buffer }>(knex('audit_head').select('hash'));
      return { rows: await tx.query<AuditRow>(knex('audit_event').select('*').orderBy('sequence')), head: found?.hash };
    });
    events += rows.length;
    if (verifyChain(tenantId, rows, head) !== null) broken++;
  }
  return { events, broken };
}
