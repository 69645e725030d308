import type { Environment } from '../../contract/principal.ts';
import type { Transaction } from '../../database/index.ts';
import type { ApplicationRecord, Document, Requirement } from './application.ts';
import { calendarDate } from './calendar.ts';
import { requirementsOf } from './requirements.ts';
import { findApplication } from './store/applications.ts';
import { listDocuments } from './store/documents.ts';
import { expireEvidence, findExpiring, findTarget } from './store/expire-documents.ts';

interface Expired {
  readonly documentId: string;
  /** YYYY-MM-DD; null had no end. */
  readonly expiredOn: string | null;
}

export interface ExpiredDocuments {
  readonly outcome: 'expired';
  readonly applicationId: string;
  readonly expiresOn: string;
  readonly documents: readonly Expired[];
  /** Requirements that stand otherwise since. */
  readonly requirements: readonly Requirement[];
}

interface Target {
  readonly type: string;
  readonly id: string;
  readonly visible: readonly Environment[];
}

const DAY = 86_400_000;

/**
 * Lets a document of the sandbox, or all of an application, be past its date at this time of the sandbox's clock. `live` for
 * a real record, `unknown` for none that the caller sees.
 */
export async function expireDocuments(tx: Transaction, { type, id, visible }: Target, now: Date): Promise<ExpiredDocuments | { readonly outcome: 'live' | 'unknown' }> {
  const tenantId = tx.tenantId!;
  const [found] = await tx.run(findTarget, { tenantId, type, id });
  if (found === undefined || !visible.includes(found.environment)) return { outcome: 'unknown' };
  if (found.environment === 'live') return { outcome: 'live' };
  const of = { tenantId, applicationId: found.id };
  const today = calendarDate(now);
  const expiresOn = calendarDate(new Date(now.getTime() - DAY));
  const [before, rows, after, application] = await Promise.all([
    listDocuments(tx, of),
    tx.run(expireEvidence, { tenantId, id, today, yesterday: expiresOn, now }),
    listDocuments(tx, of),
    findApplication(tx, { tenantId, id: found.id }),
  ]);
  // Removed by a reset in this very moment.
  if (application === null) return { outcome: 'unknown' };
  return {
    outcome: 'expired', applicationId: found.id, expiresOn, requirements: changedRequirements(application, before, after, today),
    documents: rows.map((row) => ({ documentId: row.id, expiredOn: row.expiresOn })),
  };
}

function changedRequirements({ level, applicant }: ApplicationRecord, before: readonly Document[], after: readonly Document[], today: string): Requirement[] {
  const items = (evidence: readonly Document[]) => requirementsOf({ level, applicant, evidence, today }).items;
  const known = items(before);
  return items(after).filter(({ status }, index) => status !== known[index]?.status);
}

/** Documents of the sandbox that are past their date since its clock was moved. */
export async function documentsExpiredBetween(tx: Transaction, from: Date, to: Date): Promise<Expired[]> {
  const rows = await tx.run(findExpiring, { tenantId: tx.tenantId!, from: calendarDate(from), to: calendarDate(to) });
  return rows.map(({ id, expiresOn }) => ({ documentId: id, expiredOn: expiresOn }));
}
