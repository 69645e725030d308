import type { components } from '../../contract/generated/types.ts';
import { assertMatch } from '../../http/etag.ts';
import { readSettings } from '../settings/index.ts';
import { readToChange, type Reach } from './access.ts';
import { patchApplicant } from './applicant.ts';
import type { ApplicationRecord, Document } from './application.ts';
import type { BlindIndex } from './blind-index.ts';
import { calendarDate, type Clocks } from './calendar.ts';
import { recordMetadata } from './metadata.ts';
import { assertSubmittable } from './requirements.ts';
import { assertEditable } from './status.ts';
import { assertOnlyActive } from './store/active-application.ts';
import { updateApplication } from './store/applications.ts';
import { listDocuments } from './store/documents.ts';
import { writingDelay } from './store/writing-time.ts';
import { later } from './time-of-change.ts';
import { changed, submitted, withdrawn } from './transitions.ts';

export interface Request extends Reach {
  readonly params: { readonly applicationId: string };
  readonly headers: { readonly 'if-match'?: string | undefined };
  readonly now: Date;
  readonly timeIn: Clocks['timeIn'];
}

export interface Change {
  readonly before: ApplicationRecord;
  readonly after: ApplicationRecord;
  readonly documents: readonly Document[];
}

/** The precondition comes before everything that the request would do (RFC 9110 §13.2.2). */
async function change(
  ctx: Request, index: BlindIndex, to: (before: ApplicationRecord, documents: readonly Document[], now: Date) => ApplicationRecord | Promise<ApplicationRecord>,
): Promise<Change> {
  const { tx, principal: { tenantId }, params: { applicationId } } = ctx;
  // Sent together: the documents are read once the lock is held.
  const [before, documents, delay] = await Promise.all([readToChange(ctx, applicationId), listDocuments(tx, { tenantId, applicationId }), writingDelay(tx, ctx.now)]);
  assertMatch(ctx.headers['if-match'], before.version);
  const now = later(ctx.timeIn(before.environment), delay);
  const after = changed(before, await to(before, documents, now), now);
  await updateApplication(tx, tenantId, before, after, index);
  return { before, after, documents };
}

export function patchApplication(ctx: Request, index: BlindIndex, patch: components['schemas']['ApplicationUpdate']): Promise<Change> {
  return change(ctx, index, (before) => {
    assertEditable(before.status);
    const { environment } = before;
    return {
      ...before,
      externalId: patch.externalId === undefined ? before.externalId : patch.externalId,
      purpose: patch.purpose ?? before.purpose,
      level: patch.level ?? before.level,
      channel: patch.channel ?? before.channel,
      productCodes: patch.productCodes ?? before.productCodes,
      applicant: patch.applicant === undefined ? before.applicant
        : patchApplicant(before.applicant, patch.applicant, { environment, today: calendarDate(ctx.timeIn(environment)) }),
      metadata: patch.metadata === undefined ? before.metadata : recordMetadata(patch.metadata, environment, before.metadata),
    };
  });
}

export function submitApplication(ctx: Request, index: BlindIndex): Promise<Change> {
  return change(ctx, index, async (before, documents, now) => {
    const after = submitted(before, now);
    const { decisionPolicy } = await readSettings(ctx.tx, ctx.principal.tenantId);
    assertSubmittable({ level: before.level, applicant: before.applicant, evidence: documents, today: calendarDate(now) }, decisionPolicy.minimumAge);
    await assertOnlyActive(ctx.tx, ctx.principal, after, index);
    return after;
  });
}

export function withdrawApplication(ctx: Request, index: BlindIndex, why: components['schemas']['WithdrawRequest']): Promise<Change> {
  return change(ctx, index, (before) => withdrawn(before, why));
}
