/**
 * Table `consent`, the ledger of consents, and its statements. Used by consents, documents, requirements and the
 * evidence of decisions. Rows are only added; an erasure empties them. The record in force is that captured last, not
 * that recorded last.
 */
import type { BusinessTimestamp } from '../../../base/time.ts';
import type { components } from '../../../contract/generated/types.ts';
import type { Environment } from '../../../contract/operation.ts';
import {
  actor,
  code,
  type InsertOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  businessTimestamp,
  type Transaction,
  uuid,
} from '../../../database/index.ts';
import { latest } from '../record/application.ts';

export type Consent = components['schemas']['ConsentRecord'] & {
  readonly capturedAt: BusinessTimestamp;
  readonly createdAt: BusinessTimestamp;
};

/** Ledger of consents. Rows are added, and changed only by an erasure. */
export const consent = table(
  'consent',
  {
    id: uuid(),
    action: code<Consent['action']>(),
    purpose: code<Consent['purpose']>(),
    legalBasis: code<Consent['legalBasis']>(),
    textVersion: text().impersonal('the version of the agreed text, the same for all applicants'),
    textSha256: text().impersonal('a digest of the agreed text'),
    locale: code(),
    channel: code<Consent['channel']>(),
    capturedAt: businessTimestamp(),
    ip: text().nullable().sealed().erasedTo(null),
    userAgent: text().nullable().sealed().erasedTo(null),
    evidenceDocumentId: uuid().nullable(),
    createdAt: businessTimestamp(),
    tenantId: uuid(),
    applicationId: uuid(),
    environment: code<Environment>(),
    createdBy: actor(),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the application of the consent is erased'),
  },
  {
    owner: 'application',
    timeline: { 'consent.granted': null, 'consent.withdrawn': null },
    sandboxReset: { emptiedBefore: 'document' },
    insertedBy: 'app',
    example: {
      action: 'granted',
      purpose: 'marketing',
      legalBasis: 'consent',
      textVersion: '1',
      textSha256: '0'.repeat(64),
      locale: 'pt-BR',
      channel: 'web',
    },
  },
);

const wire = consent.except('tenantId', 'applicationId', 'environment', 'createdBy', 'erasedAt');

type OfApplication = { tenantId: string; applicationId: string };

const list = statement<OfApplication, RowOf<typeof wire>>(
  'consent.list',
  (p) => sql`
  SELECT ${wire} FROM consent WHERE ${consent.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}
    ORDER BY sequence DESC`,
);

const insert = statement<InsertOf<typeof consent>>('consent.insert', (p) => consent.insert(p));

const findUse = statement<{ tenantId: string; documentId: string }, { used: boolean }>(
  'consent.findUse',
  (p) => sql`
  SELECT EXISTS (SELECT FROM consent
    WHERE ${consent.equal({ tenantId: p.tenantId, evidenceDocumentId: p.documentId })}) AS used`,
);

/** Lists all consents, newest first. No limit is needed, because recording limits their number. */
export function listConsents(tx: Transaction, key: OfApplication): Promise<Consent[]> {
  return tx.run(list, key);
}

export function insertConsent(tx: Transaction, row: InsertOf<typeof consent>): void {
  void tx.run(insert, row);
}

/** Returns whether a consent names the document as its evidence. */
export async function provesConsent(tx: Transaction, key: { tenantId: string; documentId: string }): Promise<boolean> {
  const [row] = await tx.run(findUse, key);
  return row?.used === true;
}

/**
 * Returns the record in force for a purpose: the one that was captured last, and of records with equal capture times
 * the one that was recorded last. So a grant on paper that arrives late does not undo a withdrawal.
 */
export function recordInForce<Of extends Pick<Consent, 'purpose' | 'capturedAt'>>(
  newestFirst: readonly Of[],
  purpose: Consent['purpose'],
): Of | undefined {
  return latest(
    newestFirst.filter((record) => record.purpose === purpose),
    ({ capturedAt }) => capturedAt,
  );
}
