/**
 * Stores the result of a person beside that of the machine, and returns a waiting decision to review. Called by the
 * handlers. From then on requirements and risk use the result of the person.
 */
import type { RealTime } from '../../base/time.ts';
import type { Body } from '../../contract/operation-types.ts';
import { actorOf, type UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Access } from '../../request/lookup.ts';
import type { BusinessClocks } from '../../rules/brazilian-calendar.ts';
import { type ApplicationRecord, reviewAgain } from '../applications/index.ts';
import type { Invalidated } from '../decisions/index.ts';
import { findDocument } from '../documents/index.ts';
import { publish } from '../subject-events/index.ts';
import { lookup } from './lookup.ts';
import { keyOf, type Override, type Status, storeOverride } from './store.ts';

const FINAL: readonly Status[] = ['passed', 'failed', 'inconclusive', 'error'];

interface Overriding extends Access, BusinessClocks {
  readonly principal: UserPrincipal;
  readonly params: { readonly verificationId: string };
  readonly body: Body<'overrideVerification'>;
  readonly now: RealTime;
}

/** Puts the result of a person in place of that of the machine, which remains beside it. */
export async function overrideVerification(
  ctx: Overriding,
): Promise<{ readonly application: ApplicationRecord; readonly invalidated: Invalidated | null }> {
  const {
    tx,
    principal,
    params: { verificationId },
    body: { result, reasonCode, note, evidenceDocumentId = null },
    now,
  } = ctx;
  const { applicationId } = await lookup(ctx).verification(verificationId).forChangeWithoutLock();
  const application = await lookup(ctx).application(applicationId).forChange();
  const row = await lookup(ctx).verification(verificationId).forChangeWithoutLock();
  if (!FINAL.includes(row.status)) throw new Problem('not_final');
  const subject = { kind: 'application', id: applicationId } as const;
  if (evidenceDocumentId !== null && (await findDocument(tx, subject, evidenceDocumentId)) === null)
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer: '/evidenceDocumentId',
          code: 'unknown_document',
          message: 'must be a document of this application',
        },
      ],
    });
  const at = ctx.timeIn(row.environment);
  const override: Override = {
    result,
    reasonCode,
    note,
    evidenceDocumentId,
    by: actorOf(principal),
    at: at.toISOString(),
  };
  storeOverride(tx, row.id, override, keyOf(tx, row));
  const invalidated = await reviewAgain(ctx, application);
  await publish(tx, {
    type: 'verification.final',
    subject,
    environment: row.environment,
    verificationId: row.id,
    verificationType: row.type,
    status: result,
    at,
    now,
  });
  return { application, invalidated };
}
