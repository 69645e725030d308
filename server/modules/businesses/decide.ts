/**
 * Decisions about businesses: hands a business with its evidence to the module decisions, and stores the status that
 * follows. Called by the handlers. A business without a risk assessment is treated as one of high risk.
 */
import type { components } from '../../contract/generated/types.ts';
import type { UserPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { reviewMonthsOf, riskReasons, settledLevel } from '../applications/index.ts';
import {
  assertNotOvertaken,
  type Decision,
  type DecisionCase,
  decidedRecord,
  makeDecision,
  publishEffective,
  reviewDecision,
  reviewedRecord,
  SECOND_REVIEW,
} from '../decisions/index.ts';
import {
  beginChange,
  type ChangeRequest,
  commitChange,
  type PendingChange,
  type PublishedRequest,
} from './change-businesses.ts';
import { assessedOf, manifestOf } from './contents.ts';
import { followStatus } from './monitoring.ts';
import { life, subjectOf } from './record.ts';
import { assertApprovable, isAttested, requirementsOf } from './requirements.ts';
import type { Business } from './store.ts';

type Schemas = components['schemas'];

/** A decision, and the business after the decision. */
export interface Decided {
  readonly decision: Decision;
  readonly business: Business;
}

/** Returns a business as a case for a decision: its evidence, and what requirements and policy demand. */
function caseOf(ctx: ChangeRequest, { before, contents, now }: PendingChange): DecisionCase {
  const assessed = assessedOf(before, contents, ctx);
  const { items } = requirementsOf(assessed);
  const { fourEyes } = contents.policy.rules;
  const { risk } = contents;
  return {
    manifest: manifestOf(before, contents),
    policy: contents.policy,
    riskAssessmentId: risk?.id ?? null,
    now,
    assertMayDecide: ({ kind }) => {
      if (kind !== 'user') throw new Problem('human_required');
    },
    assertPermitted: (outcome) => {
      if (outcome !== 'approve') return;
      assertApprovable(items);
      if (risk?.effectiveLevel === 'prohibited') throw new Problem('prohibited_risk');
    },
    fourEyesReasons: (outcome) => [
      ...riskReasons(risk, fourEyes),
      ...(isAbove(before.monthlyRevenue, fourEyes.amountAbove) ? ['amount_above'] : []),
      ...(outcome === 'approve' && items.some(({ status }) => status === 'waived') ? ['requirement_waived'] : []),
      ...(outcome === 'approve' && items.some(({ key, status }) => status === 'verified' && isAttested(assessed, key))
        ? ['check_attested']
        : []),
    ],
  };
}

/** A revenue in another currency cannot be compared, so it counts as above the amount. */
function isAbove(revenue: Schemas['Money'] | null, limit: Schemas['Money'] | null): boolean {
  if (revenue === null || limit === null) return false;
  return revenue.currency !== limit.currency || revenue.amount > limit.amount;
}

const decided = ({ before, contents: { policy, risk }, now }: PendingChange, decision: Decision): Business =>
  decidedRecord(
    before,
    decision,
    {
      validityMonths: policy.rules.validityByRisk[settledLevel(risk)],
      reviewMonths: reviewMonthsOf(risk, 'business'),
    },
    now,
  );

/**
 * Decides about a business, or proposes a decision for a second review. A case that the decision is part of may have
 * reasons of its own for a second review.
 */
export async function decideBusiness(
  ctx: PublishedRequest,
  input: Schemas['DecisionCreate'],
  moreReasons: readonly string[] = [],
): Promise<Decided> {
  const begun = await beginChange(ctx);
  const { before } = begun;
  life.assertTransition('decide', before.status);
  const about = caseOf(ctx, begun);
  const decision = await makeDecision(
    ctx.tx,
    ctx.principal,
    { ...about, fourEyesReasons: (outcome) => [...about.fourEyesReasons(outcome), ...moreReasons] },
    input,
  );
  const after = decision.status === 'pending_review' ? { ...before, ...SECOND_REVIEW } : decided(begun, decision);
  return { decision, business: await commitOutcome(ctx, begun, { decision, after }) };
}

/** Stores the business as the decision leaves it, and publishes a decision that takes effect. */
async function commitOutcome(
  ctx: PublishedRequest,
  begun: PendingChange,
  { decision, after }: { readonly decision: Decision; readonly after: Business },
): Promise<Business> {
  const business = await commitChange(ctx, begun, after);
  const about = { subject: subjectOf(business), environment: business.environment };
  if (decision.status === 'effective')
    await followStatus(ctx.tx, business, begun.contents, { at: begun.now, now: ctx.now });
  await publishEffective(ctx.tx, about, decision, { at: begun.now, now: ctx.now });
  return business;
}

interface ReviewRequest extends PublishedRequest {
  readonly params: { readonly businessId: string; readonly decisionId: string };
  readonly principal: UserPrincipal;
}

/**
 * Ends a decision about a business that waits for a second person by that person's verdict. If the decision was stale,
 * the business has returned to review; the caller throws `refusal` in a way that keeps this change.
 */
export async function reviewDecisionOfBusiness(
  ctx: ReviewRequest,
  verdict: Schemas['DecisionReview'],
): Promise<Awaited<ReturnType<typeof reviewDecision>> & Decided> {
  const begun = await beginChange(ctx);
  const { before, contents } = begun;
  const proposed = contents.decisions.find(({ id }) => id === ctx.params.decisionId);
  if (proposed === undefined) throw new Problem('not_found');
  const about = caseOf(ctx, begun);
  if (before.status === 'in_review') await assertNotOvertaken(ctx.tx, proposed, about.manifest);
  life.assertTransition('review', before.status);
  const reviewed = await reviewDecision(ctx.tx, ctx.principal, about, { proposed, verdict });
  const after = reviewedRecord(before, reviewed.outcome, () => decided(begun, reviewed.decision));
  return { ...reviewed, business: await commitOutcome(ctx, begun, { decision: reviewed.decision, after }) };
}
