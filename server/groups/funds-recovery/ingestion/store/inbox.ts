import { sql, statement, type Transaction } from '../../../../database/index.ts';
import type { Participant } from '../participant.ts';

export type Verdict = 'processed' | 'unknown_entity' | 'unmapped_participant' | 'recovery_not_shown';

type Page = { tenantId: string; env: string; ispb: string; at: Date; sha256: string; xml: Buffer; verdict: string; mentions: string };

/** Of a page that names a recovery whose persons were erased only its hash is kept. */
const add = statement<Page>('inbox.add', (p) => sql`
  INSERT INTO dict_inbox (tenant_id, env, ispb, received_at, sha256, verdict, xml)
  SELECT ${p.tenantId}::uuid, ${p.env}, ${p.ispb}, ${p.at}::timestamptz, ${p.sha256}, ${p.verdict}, CASE WHEN EXISTS (
    SELECT FROM fr_record r WHERE r.tenant_id = ${p.tenantId}::uuid AND r.env = ${p.env} AND r.erased_at IS NOT NULL
      AND r.funds_recovery_id::text IN (SELECT lower(jsonb_array_elements_text(${p.mentions}::jsonb)))) THEN NULL ELSE ${p.xml}::bytea END
  ON CONFLICT (tenant_id, env, ispb, sha256) DO NOTHING`);

interface Received {
  readonly at: Date;
  readonly sha256: string;
  readonly xml: Buffer;
  readonly verdict: Verdict;
  /** Identifiers of everything that it is about. */
  readonly mentions?: readonly string[];
}

/** Keeps an answer of the directory as it came, and what became of it. False when the same bytes are there already. */
export async function keep(tx: Transaction, { tenantId, env, ispb }: Participant, { mentions = [], ...received }: Received): Promise<boolean> {
  return await tx.count(add, { tenantId, env, ispb, ...received, mentions: JSON.stringify(mentions) }) === 1;
}

/** A page of which nothing was used. */
export interface Refusal {
  readonly at: Date;
  readonly verdict: 'signature_invalid' | 'unreadable';
  /** Null where it did not come whole. */
  readonly sha256: string | null;
}

const addRefusal = statement<{ tenantId: string; env: string; ispb: string; at: Date; sha256: string | null; verdict: string }>('inbox.addRefusal', (p) => sql`
  INSERT INTO dict_inbox (tenant_id, env, ispb, received_at, sha256, verdict)
  SELECT ${p.tenantId}::uuid, ${p.env}, ${p.ispb}, ${p.at}::timestamptz, ${p.sha256}, ${p.verdict}::text WHERE NOT EXISTS (
    SELECT FROM dict_inbox WHERE tenant_id = ${p.tenantId}::uuid AND env = ${p.env} AND received_at > ${p.at}::timestamptz - interval '1 hour' AND ispb = ${p.ispb} AND verdict = ${p.verdict})
  ON CONFLICT (tenant_id, env, ispb, sha256) DO NOTHING`);

/**
 * Writes down that a page was refused, and which, without its bytes: nobody vouches for them. One an hour of each kind is
 * enough to tell since when, and a directory that is broken for days fills no table; alarms count every one.
 */
export async function noteRefusal(tx: Transaction, { tenantId, env, ispb }: Participant, refusal: Refusal): Promise<void> {
  await tx.run(addRefusal, { tenantId, env, ispb, ...refusal });
}
