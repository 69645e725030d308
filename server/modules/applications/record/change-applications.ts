/**
 * Changes of applications by their integrator or user: patch, submission, withdrawal, reopening, end of the
 * relationship. Called by the handlers, and `beginChange` also by decisions, requests for information and erasure.
 * Locks the row and checks `If-Match` before any effect. The audit event lists changed members without values.
 */
import { addMilliseconds, type BusinessTime, type RealTime } from '../../../base/time.ts';
import { isDeepStrictEqual } from 'node:util';
import type { components } from '../../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../../contract/operation.ts';
import type { Transaction } from '../../../database/index.ts';
import type { Context } from '../../../request/handler.ts';
import type { Access } from '../../../request/lookup.ts';
import { assertMatch } from '../../../request/preconditions.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { type BusinessClocks, calendarDate } from '../../../rules/brazilian-calendar.ts';
import {
  endInformationRequest,
  findOpenRequest,
  type Invalidated,
  invalidateProposal,
  noteProvided,
} from '../../decisions/index.ts';
import { publish, type When } from '../../subject-events/index.ts';
import { answeredMembers, assertAnswered } from '../evidence/answers.ts';
import { assessedOf } from '../evidence/requirement-rules.ts';
import { assertSubmittable, requirementsOf } from '../evidence/requirements.ts';
import { followStatus } from '../life/monitoring.ts';
import { assertSamePerson, endRelationshipsRenewedBy, RENEWED } from '../life/renewals.ts';
import { patchApplicant, recordMetadata } from './applicant.ts';
import {
  answered,
  type ApplicationRecord,
  assertEditable,
  nextVersion,
  relationshipEnded,
  reopened,
  subjectOf,
  submitted,
  withdrawn,
} from './application.ts';
import { writingDelay } from './list-store.ts';
import { lookup } from './lookup.ts';
import type { Contents } from './present.ts';
import { readContents } from './read-applications.ts';
import { assertOnlyActive, type Submitter } from './same-tax-number-store.ts';
import { application, updateApplication } from './store.ts';
import { noteUnseenChange } from './unseen-store.ts';
import { assertSeesWhatIsJudged, isComparedBy } from './unseen-members.ts';
import { writtenMembers } from './written-members.ts';

export interface ChangeRequest extends Access, Submitter {
  readonly principal: AnyPrincipal;
  readonly params: { readonly applicationId: string };
  readonly headers: { readonly 'if-match'?: string | undefined };
  readonly now: RealTime;
  readonly timeIn: BusinessClocks['timeIn'];
}

/** What a change needs to know of its cause, which may act by itself. */
export type CauseOfChange = Omit<ChangeRequest, 'principal' | 'lookups'> & {
  readonly principal: Pick<AnyPrincipal, 'tenantId'>;
};

interface ApplicationChange {
  readonly before: ApplicationRecord;
  readonly after: ApplicationRecord;
  readonly contents: Contents;
}

export interface PendingChange extends Omit<ApplicationChange, 'after'> {
  /** The business time of the change. */
  readonly now: BusinessTime;
}

/** Locks and reads the application, and checks `If-Match` before the request has any effect (RFC 9110 §13.2.2). */
export async function beginChange(ctx: CauseOfChange): Promise<PendingChange> {
  const {
    tx,
    principal: { tenantId },
    params: { applicationId },
  } = ctx;
  // The statements run in this order on one connection, so the contents are read after the lock is taken.
  const [before, contents, delay] = await Promise.all([
    lookup(ctx).application(applicationId).forChange(),
    readContents(tx, { tenantId, applicationId }),
    writingDelay(tx, ctx.now),
  ]);
  assertMatch(ctx.headers['if-match'], before.version);
  return { before, contents, now: addMilliseconds(ctx.timeIn(before.environment), delay) };
}

export async function commitChange(
  { tx, principal: { tenantId }, now: realTime }: CauseOfChange,
  index: BlindIndex,
  { before, now }: Pick<PendingChange, 'before' | 'now'>,
  changed: ApplicationRecord,
): Promise<ApplicationRecord> {
  const after = nextVersion(before, changed, now);
  await updateApplication(tx, tenantId, { before, after }, index);
  if (after.status !== before.status || after.relationshipEndedAt !== before.relationshipEndedAt)
    await followStatus(
      tx,
      [{ ...after, isResumed: before.relationshipEndedAt !== null && after.relationshipEndedAt === null }],
      { at: now, now: realTime },
    );
  return after;
}

async function changeApplication(
  ctx: ChangeRequest,
  index: BlindIndex,
  to: (
    before: ApplicationRecord,
    contents: Contents,
    now: BusinessTime,
  ) => ApplicationRecord | Promise<ApplicationRecord>,
): Promise<ApplicationChange> {
  const { before, contents, now } = await beginChange(ctx);
  const after = await commitChange(ctx, index, { before, now }, await to(before, contents, now));
  return { before, contents, after };
}

type Patching = ChangeRequest & Pick<Context<'updateApplication'>, 'resultFaults'>;

export function patchApplication(
  ctx: Patching,
  index: BlindIndex,
  patch: components['schemas']['ApplicationUpdate'],
): Promise<ApplicationChange> {
  return changeApplication(ctx, index, async (before) => {
    const open = before.status === 'needs_information' ? await findOpenRequest(ctx.tx, subjectOf(before)) : null;
    if (open === null) assertEditable(before.status);
    else noteProvided(ctx.tx, subjectOf(before), [...new Set([...open.provided, ...answeredMembers(open, patch)])]);
    if (ctx.principal.personalData === 'masked' && patch.applicant !== undefined) {
      assertSeesWhatIsJudged(before, patch.applicant);
      if (isComparedBy(patch.applicant)) noteUnseenChange(ctx.tx, before.id, ctx.timeIn(before.environment));
    }
    const { environment } = before;
    const applicant =
      patch.applicant === undefined
        ? before.applicant
        : patchApplicant(before.applicant, patch.applicant, {
            environment,
            today: calendarDate(ctx.timeIn(environment)),
            resultFaults: ctx.resultFaults,
          });
    if (before.renewsApplicationId !== null) assertSamePerson(before.applicant, applicant);
    return {
      ...before,
      ...writtenMembers(patch, before),
      applicant,
      metadata:
        patch.metadata === undefined ? before.metadata : recordMetadata(patch.metadata, environment, before.metadata),
    };
  });
}

/** Publishes that an application was submitted: created so, from a draft, or with an answer. */
export function publishSubmitted(
  tx: Transaction,
  { id, environment }: Pick<ApplicationRecord, 'id' | 'environment'>,
  when: When,
): Promise<void> {
  return publish(tx, {
    type: 'subject.submitted',
    subject: { kind: 'application', id },
    environment,
    ...when,
  });
}

/** Submits a draft, or the answer to an information request, whose id is then `answeredId`. */
export async function submitApplication(
  ctx: ChangeRequest,
  index: BlindIndex,
): Promise<ApplicationChange & { readonly answeredId: string | null }> {
  let answeredId: string | null = null;
  const change = await changeApplication(ctx, index, async (before, contents, now) => {
    const open = before.status === 'needs_information' ? await findOpenRequest(ctx.tx, subjectOf(before)) : null;
    const after = open === null ? submitted(before, now) : answered(before);
    const assessed = assessedOf(before, contents, calendarDate(now));
    assertSubmittable(assessed, contents.policy.rules.minimumAge);
    await assertOnlyActive(ctx.tx, ctx, after, index);
    if (open !== null) {
      assertAnswered(open, contents.documents, requirementsOf(assessed).items);
      answeredId = await endInformationRequest(ctx.tx, subjectOf(before), {
        status: 'answered',
        answeredAt: now.toISOString(),
      });
    }
    return after;
  });
  await publishSubmitted(ctx.tx, change.after, { at: ctx.timeIn(change.after.environment), now: ctx.now });
  return { ...change, answeredId };
}

/**
 * Withdraws an application. Ends its open information request and its decision that waits for a second review, if any.
 */
export async function withdrawApplication(
  ctx: ChangeRequest,
  index: BlindIndex,
  why: components['schemas']['WithdrawRequest'],
): Promise<ApplicationChange & { readonly invalidated: Invalidated | null }> {
  let invalidated: Invalidated | null = null;
  const change = await changeApplication(ctx, index, async (before, _, now) => {
    const after = withdrawn(before, why);
    if (before.status === 'needs_information')
      await endInformationRequest(ctx.tx, subjectOf(before), { status: 'cancelled', answeredAt: null });
    if (before.status === 'pending_approval') invalidated = await invalidateProposal(ctx.tx, subjectOf(before), now);
    return after;
  });
  return { ...change, invalidated };
}

export function reopenApplication(
  ctx: ChangeRequest,
  index: BlindIndex,
  why: components['schemas']['ReopenRequest'],
): Promise<ApplicationChange> {
  return changeApplication(ctx, index, async (before) => {
    const after = reopened(before, why);
    await assertOnlyActive(ctx.tx, ctx, after, index);
    return after;
  });
}

/** Ends the relationship for this application and for the approvals that it has renewed. */
export async function endRelationship(
  ctx: ChangeRequest,
  index: BlindIndex,
  end: components['schemas']['RelationshipEnd'],
): Promise<ApplicationChange & { readonly renewedIds: readonly string[] }> {
  const change = await changeApplication(ctx, index, (before, { decisions }, now) =>
    relationshipEnded(before, end, now, {
      wasApproved: decisions.find(({ status }) => status === 'effective')?.outcome === 'approve',
    }),
  );
  const at = ctx.timeIn(change.after.environment);
  const renewedIds = await endRelationshipsRenewedBy(ctx.tx, change.after, at);
  await followStatus(
    ctx.tx,
    renewedIds.map((id) => ({ ...change.after, ...RENEWED, id })),
    { at, now: ctx.now },
  );
  return { ...change, renewedIds };
}

/**
 * Lists the changed members for the audit log, without values, because the log can never forget personal data. If the
 * caller sees persons masked, it lists each member of the applicant that was sent: listing only actual changes would
 * reveal whether a guessed value is right.
 */
export function changedMembers(
  { before, after }: Pick<ApplicationChange, 'before' | 'after'>,
  { principal, body }: Pick<ChangeRequest, 'principal'> & { readonly body: components['schemas']['ApplicationUpdate'] },
): { op: 'replace'; path: string }[] {
  const own = application.changed(before, after).map((name) => `/${name}`);
  const names = Object.keys(after.applicant) as (keyof typeof after.applicant)[];
  const isListed =
    principal.personalData === 'masked'
      ? (name: (typeof names)[number]) => body.applicant?.[name] !== undefined
      : (name: (typeof names)[number]) => !isDeepStrictEqual(before.applicant[name], after.applicant[name]);
  const personal = names.filter(isListed).map((name) => `/applicant/${name}`);
  return [...own, ...personal].map((path) => ({ op: 'replace', path }));
}
