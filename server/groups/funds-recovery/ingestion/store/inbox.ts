import { statement, type Transaction } from '../../../../database/index.ts';
import type { Participant } from '../participant.ts';

export type Verdict = 'processed' | 'unknown_entity' | 'unmapped_participant' | 'recovery_not_shown' | 'signature_invalid' | 'unreadable';

const add = statement<{ tenantId: string; env: string; ispb: string; at: Date; sha256: string | null; xml: Buffer | null; verdict: string }>('inbox.add', (knex, p) =>
  knex('dict_inbox').insert({ tenant_id: p.tenantId, env: p.env, ispb: p.ispb, received_at: p.at, sha256: p.sha256, xml: p.xml, verdict: p.verdict })
    .onConflict(['tenant_id', 'env', 'ispb', 'sha256']).ignore());

/** Keeps an answer of the directory as it came, and what became of it. False when the same bytes are there already. */
export async function keep(
  tx: Transaction, { tenantId, env, ispb }: Participant,
  { at, sha256, xml, verdict }: { readonly at: Date; readonly sha256: string | null; readonly xml: Buffer | null; readonly verdict: Verdict },
): Promise<boolean> {
  return await tx.count(add, { tenantId, env, ispb, at, sha256, xml, verdict }) === 1;
}
