/**
 * Decisions about applications: hands an application with its evidence to the module decisions, and stores the status
 * that follows. Called by the handlers of decisions. Refuses a decision from a wrong status and a stale digest. The
 * application must be locked (`beginChange`) before the decision is made, or evidence could change in between.
 */
import type { BusinessTime } from '../../../base/time.ts';
import type { components } from '../../../contract/generated/types.ts';
import type { UserPrincipal } from '../../../contract/operation.ts';
import { Problem } from '../../../contract/problem.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { calendarDate } from '../../../rules/brazilian-calendar.ts';
import {
  assertNotOvertaken,
  type Decision,
  type DecisionCase,
  makeDecision,
  publishEffective,
  reviewDecision,
  reviewedRecord,
  SECOND_REVIEW,
} from '../../decisions/index.ts';
import { manifestOf } from '../evidence/evidence.ts';
import { assessedOf } from '../evidence/requirement-rules.ts';
import { requirementsOf } from '../evidence/requirements.ts';
import { endApprovalRenewedBy } from '../life/renewals.ts';
import { type ApplicationRecord, assertTransition, subjectOf } from '../record/application.ts';
import { beginChange, type PendingChange, type ChangeRequest, commitChange } from '../record/change-applications.ts';
import type { Contents } from '../record/present.ts';
import { assertApprovable, assertMayDecide, decided, fourEyesReasons, reasonsOfApproval } from './decisions.ts';
import { conflictsOf } from './signals.ts';

type Schemas = components['schemas'];

/** A decision, and the application after the decision. */
export interface Decided {
  readonly decision: Decision;
  readonly application: ApplicationRecord;
  /** Id of the application whose approval ended because this application renews it. */
  readonly renewedId: string | null;
}

/**
 * Decides about an application, or proposes a decision for a second review. A case that the decision is part of may
 * have reasons of its own for a second review.
 */
export async function decideApplication(
  ctx: ChangeRequest,
  index: BlindIndex,
  input: Schemas['DecisionCreate'],
  moreReasons: readonly string[] = [],
): Promise<Decided> {
  const begun = await beginChange(ctx);
  const { before, contents, now } = begun;
  assertTransition('decide', before.status);
  const about = caseOf(begun);
  const decision = await makeDecision(
    ctx.tx,
    ctx.principal,
    { ...about, fourEyesReasons: (outcome) => [...about.fourEyesReasons(outcome), ...moreReasons] },
    input,
  );
  const after =
    decision.status === 'pending_review' ? { ...before, ...SECOND_REVIEW } : decided(before, decision, contents, now);
  return commitOutcome(ctx, index, begun, { decision, after });
}

/** Returns an application as a case for a decision: its evidence, and what requirements, risk and policy demand. */
function caseOf({ before, contents, now }: PendingChange): DecisionCase {
  return {
    manifest: manifestOf(before, contents),
    policy: contents.policy,
    riskAssessmentId: contents.risk?.id ?? null,
    now,
    assertMayDecide: (principal) => assertMayDecide(principal, before, contents),
    assertPermitted: (outcome) => assertApprovable(outcome, before, contents, now),
    fourEyesReasons: (outcome) => reasonsOfReview(outcome, before, contents, now),
  };
}

/** Returns why a decision needs a second person; none if one person suffices. */
function reasonsOfReview(
  outcome: Decision['outcome'],
  before: ApplicationRecord,
  contents: Contents,
  now: BusinessTime,
): Decision['fourEyesReasons'] {
  const ofApproval =
    outcome === 'approve'
      ? reasonsOfApproval(before, contents, requirementsOf(assessedOf(before, contents, calendarDate(now))).items)
      : [];
  return [
    ...fourEyesReasons(before, contents.policy.rules, contents),
    ...ofApproval,
    ...conflictsOf(before, contents.others),
  ];
}

/**
 * Stores the application as the decision leaves it, and publishes a decision that takes effect. An approval ends the
 * approval that it renews.
 */
async function commitOutcome(
  ctx: ChangeRequest,
  index: BlindIndex,
  { before, now }: PendingChange,
  { decision, after }: { readonly decision: Decision; readonly after: ApplicationRecord },
): Promise<Decided> {
  const when = { at: now, now: ctx.now };
  const application = await commitChange(ctx, index, { before, now }, after);
  const renewedId = await endApprovalRenewedBy(ctx.tx, application, when);
  const about = { subject: subjectOf(application), environment: application.environment };
  await publishEffective(ctx.tx, about, decision, when);
  return { decision, application, renewedId };
}

interface ReviewRequest extends ChangeRequest {
  readonly params: { readonly applicationId: string; readonly decisionId: string };
  readonly principal: UserPrincipal;
}

type Reviewed = Awaited<ReturnType<typeof reviewDecision>> & Decided;

/**
 * Ends a decision about an application that waits for a second person by that person's verdict. If the decision was
 * stale, the application has returned to review; the caller throws `refusal` in a way that keeps this change.
 */
export async function reviewDecisionOfApplication(
  ctx: ReviewRequest,
  index: BlindIndex,
  verdict: Schemas['DecisionReview'],
): Promise<Reviewed> {
  const {
    tx,
    principal,
    params: { decisionId },
  } = ctx;
  const begun = await beginChange(ctx);
  const { before, contents } = begun;
  const proposed = contents.decisions.find(({ id }) => id === decisionId);
  if (proposed === undefined) throw new Problem('not_found');
  const about = caseOf(begun);
  if (before.status === 'in_review') await assertNotOvertaken(tx, proposed, about.manifest);
  assertTransition('review', before.status);
  const reviewed = await reviewDecision(tx, principal, about, { proposed, verdict });
  const { decision } = reviewed;
  return {
    ...reviewed,
    ...(await commitOutcome(ctx, index, begun, { decision, after: afterReview(begun, reviewed) })),
  };
}

function afterReview(
  { before, contents, now }: PendingChange,
  { outcome, decision }: Pick<Reviewed, 'outcome' | 'decision'>,
): ApplicationRecord {
  return reviewedRecord(before, outcome, () => decided(before, decision, contents, now));
}
