/**
 * Simulates that documents of an application or of a business have expired. Called by simulations.ts. Requirements that
 * they met may not be met any more, and a decision that waits for a second person ends.
 */
import type { RealTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import type { Effect } from '../../tasks/due.ts';
import * as applications from '../applications/index.ts';
import * as businesses from '../businesses/index.ts';
import { findTarget } from '../documents/index.ts';
import { sandboxTime } from '../sandbox-clock/index.ts';

export type Audit = Parameters<typeof applications.auditInvalidated>[0] &
  Parameters<typeof businesses.auditInvalidated>[0];

interface Simulating {
  readonly tx: Transaction;
  readonly visible: readonly Environment[];
  readonly now: RealTime;
  readonly audit: Audit;
}

/** Makes the documents of the target expire as of yesterday. */
export async function simulateExpiry(
  { tx, visible, now, audit }: Simulating,
  { type, id: targetId }: { readonly type: string; readonly id: string },
): Promise<Effect[]> {
  const [found] = await tx.run(findTarget, { tenantId: tx.tenantId!, type, id: targetId });
  if (found === undefined || !visible.includes(found.environment)) throw new Problem('not_found');
  if (found.environment === 'live') throw new Problem('target_is_live');
  const { kind, id } = found;
  const sandboxNow = await sandboxTime(tx, now);
  const isBusiness = kind === 'business';
  const result = isBusiness
    ? await businesses.expireDocumentsOfBusiness(tx, { businessId: id, targetId }, sandboxNow)
    : await applications.expireDocuments(tx, { applicationId: id, targetId }, { now, sandboxNow });
  // A reset has removed the subject in the meantime.
  if (result === null) throw new Problem('not_found');
  const { expiresOn, documents, requirements, invalidated } = result;
  if (invalidated !== null && isBusiness) businesses.auditInvalidated(audit, invalidated, id);
  if (invalidated !== null && !isBusiness) applications.auditInvalidated(audit, invalidated, id);
  return [
    ...documents.map(({ documentId, expiredOn }) => ({
      resource: { type: 'document', id: documentId },
      change: `expiresOn ${expiredOn ?? 'null'} to ${expiresOn}`,
    })),
    ...requirements.map(({ key, status, reasonCode }) => ({
      resource: { type: kind, id },
      change: `requirement ${key}: ${status}, ${reasonCode ?? 'no reason'}`,
    })),
    ...(invalidated === null
      ? []
      : [{ resource: { type: 'decision', id: invalidated.id }, change: 'status pending_review to invalidated' }]),
  ];
}
