/**
 * Table `dict_inbox`: the pages of the directory as received, as evidence. Used by poll.ts and exported by the index. A
 * page that names an erased recovery is stored as a hash only; refused pages are stored without bytes.
 */
import type { Environment } from '../../contract/operation.ts';
import { bytes, code, sql, statement, table, text, timestamp, type Transaction, uuid } from '../../database/index.ts';
import { record } from '../recoveries/index.ts';
import { ofStream, type StreamKey } from './store.ts';

export const inbox = table(
  'dict_inbox',
  {
    tenantId: uuid(),
    environment: code<Environment>().named('env'),
    ispb: text(),
    id: uuid().defaulted(),
    receivedAt: timestamp(),
    sha256: text().nullable(),
    xml: bytes().nullable().changes('the retention job erases the page'),
    verdict: code<Verdict | Refusal['verdict']>(),
  },
  {
    owner: 'tenant',
    sandboxReset: 'emptied',
    insertedBy: 'app',
    example: {
      ispb: '1',
      sha256: 'x',
      verdict: 'processed',
      xml: Buffer.alloc(32),
    },
  },
);

export type Verdict = 'processed' | 'unknown_entity' | 'unmapped_participant' | 'recovery_not_shown';

type PageRow = StreamKey & {
  at: Date;
  sha256: string;
  xml: Buffer;
  verdict: Verdict;
  mentions: string;
};

/** A page that names a recovery whose personal data was erased is stored as a hash only. */
const insertPage = statement<PageRow>(
  'inbox.add',
  (p) => sql`
  INSERT INTO dict_inbox (${inbox.list('tenantId', 'environment', 'ispb', 'receivedAt', 'sha256', 'verdict', 'xml')})
  SELECT ${p.tenantId}::uuid, ${p.environment}, ${p.ispb}, ${p.at}::timestamptz, ${p.sha256}, ${p.verdict},
    CASE WHEN EXISTS (
      SELECT FROM fr_record r WHERE ${record.as('r').equal({ tenantId: p.tenantId, environment: p.environment })}
        AND r.erased_at IS NOT NULL
        AND r.funds_recovery_id::text IN (SELECT lower(jsonb_array_elements_text(${p.mentions}::jsonb)))
    ) THEN NULL ELSE ${p.xml}::bytea END
  ON CONFLICT (tenant_id, env, ispb, sha256) DO NOTHING`,
);

interface ReceivedPage {
  readonly at: Date;
  readonly sha256: string;
  readonly xml: Buffer;
  readonly verdict: Verdict;
  /** Identifiers of everything that the page is about. */
  readonly mentions?: readonly string[];
}

/**
 * Stores a response of the directory as received, with its verdict. Returns false if the same bytes are stored already.
 */
export async function keepPage(
  tx: Transaction,
  { tenantId, environment, ispb }: StreamKey,
  { mentions = [], ...received }: ReceivedPage,
): Promise<boolean> {
  const stored = await tx.count(insertPage, {
    tenantId,
    environment,
    ispb,
    ...received,
    mentions: JSON.stringify(mentions),
  });
  return stored === 1;
}

/** A page whose content was not used. */
export type Refusal = {
  readonly at: Date;
  readonly verdict: 'signature_invalid' | 'unreadable';
  /** Null if the page did not arrive whole. */
  readonly sha256: string | null;
};

const insertRefusal = statement<StreamKey & Refusal>(
  'inbox.addRefusal',
  (p) => sql`
  INSERT INTO dict_inbox (${inbox.list('tenantId', 'environment', 'ispb', 'receivedAt', 'sha256', 'verdict')})
  SELECT ${p.tenantId}::uuid, ${p.environment}, ${p.ispb}, ${p.at}::timestamptz, ${p.sha256}, ${p.verdict}::text
    WHERE NOT EXISTS (
    SELECT FROM dict_inbox WHERE ${inbox.equal({ ...ofStream(p), verdict: p.verdict })}
      AND received_at > ${p.at}::timestamptz - interval '1 hour')
  ON CONFLICT (tenant_id, env, ispb, sha256) DO NOTHING`,
);

/**
 * Records that a page was refused, with its hash and without its bytes, because their origin is not verified. One
 * record an hour of each kind shows since when, and a directory that is broken for days does not fill the table; alarms
 * count every refusal.
 */
export async function recordRefusal(
  tx: Transaction,
  { tenantId, environment, ispb }: StreamKey,
  refusal: Refusal,
): Promise<void> {
  await tx.run(insertRefusal, {
    tenantId,
    environment,
    ispb,
    ...refusal,
  });
}
