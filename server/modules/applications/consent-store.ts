import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { type InsertOf, json, type RowOf, sql, statement, table, text, timestamp, type Transaction, uuid } from '../../database/index.ts';
import { latest } from './application.ts';

export type Consent = components['schemas']['ConsentRecord'];

/** The ledger of consents: rows are added, and never changed but by an erasure. */
export const consent = table('consent', {
  id: uuid().fixed(),
  action: text<Consent['action']>().fixed(),
  purpose: text<Consent['purpose']>().fixed(),
  legalBasis: text<Consent['legalBasis']>().fixed(),
  textVersion: text().fixed(),
  textSha256: text().fixed(),
  locale: text().fixed(),
  channel: text<Consent['channel']>().fixed(),
  capturedAt: timestamp().fixed(),
  ip: text().nullable().fixed(),
  userAgent: text().nullable().fixed(),
  evidenceDocumentId: uuid().nullable().fixed(),
  createdAt: timestamp().fixed(),
  tenantId: uuid().fixed(),
  applicationId: uuid().fixed(),
  environment: text<Environment>().fixed(),
  createdBy: json<components['schemas']['Actor']>().fixed(),
  erasedAt: timestamp().nullable().defaulted(),
});

const wire = consent.except('tenantId', 'applicationId', 'environment', 'createdBy', 'erasedAt');

type OfApplication = { tenantId: string; applicationId: string };

const list = statement<OfApplication, RowOf<typeof wire>>('consent.list', (p) => sql`
  SELECT ${wire} FROM consent WHERE ${consent.equal({ tenantId: p.tenantId, applicationId: p.applicationId })} ORDER BY sequence DESC`);

const insert = statement<InsertOf<typeof consent>>('consent.insert', (p) => consent.insert(p));

/** That somebody agreed stays, and not from where or with what. */
export const eraseConsents = statement<OfApplication & { now: Date }>('consent.erase', (p) => sql`
  UPDATE consent SET ${consent.assign({ ip: null, userAgent: null, erasedAt: p.now })} WHERE ${consent.equal({ tenantId: p.tenantId, applicationId: p.applicationId })}`);

const findUse = statement<{ tenantId: string; documentId: string }, { used: boolean }>('consent.findUse', (p) => sql`
  SELECT EXISTS (SELECT FROM consent WHERE ${consent.equal({ tenantId: p.tenantId, evidenceDocumentId: p.documentId })}) AS used`);

/** Newest first; their number is bounded when they are recorded. */
export function listConsents(tx: Transaction, key: OfApplication): Promise<Consent[]> {
  return tx.run(list, key);
}

export function insertConsent(tx: Transaction, row: InsertOf<typeof consent>): void {
  void tx.run(insert, row);
}

/** Whether a consent names the document as its evidence. */
export async function provesConsent(tx: Transaction, key: { tenantId: string; documentId: string }): Promise<boolean> {
  const [row] = await tx.run(findUse, key);
  return row?.used === true;
}

/**
 * The record that counts for a purpose: the one that was captured last, and of two that were captured at once the one that was
 * recorded last. So a grant on paper that arrives late does not undo a withdrawal.
 */
export function standing<Of extends Pick<Consent, 'purpose' | 'capturedAt'>>(newestFirst: readonly Of[], purpose: Consent['purpose']): Of | undefined {
  return latest(newestFirst.filter((record) => record.purpose === purpose), ({ capturedAt }) => capturedAt);
}
