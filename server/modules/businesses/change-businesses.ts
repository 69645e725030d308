/**
 * Changes of businesses: patch, submission, withdrawal, reopening and end of the relationship. Called by the handlers;
 * decisions and evidence use `beginChange` and `commitChange` too. Locks the row and checks `If-Match` before any
 * effect.
 */
import type { BusinessTime, RealTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Context } from '../../request/handler.ts';
import type { Access } from '../../request/lookup.ts';
import { assertMatch } from '../../request/preconditions.ts';
import type { BusinessClocks } from '../../rules/brazilian-calendar.ts';
import { mergePatch, withoutNulls } from '../../rules/merge-patch.ts';
import {
  endInformationRequest,
  EVIDENCE_CHANGED,
  findOpenRequest,
  type Invalidated,
  invalidateProposal,
  nextVersion,
  unansweredRequirements,
} from '../decisions/index.ts';
import { publish } from '../subject-events/index.ts';
import { assessedOf, type Contents, readContents } from './contents.ts';
import { businessLookups as lookup } from './lookup.ts';
import { beginMonitoring, followStatus } from './monitoring.ts';
import { life, subjectOf } from './record.ts';
import { assertNoneMissing, assertProvided, requirementsOf, sourcesOf } from './requirements.ts';
import { type Business, storeBusiness } from './store.ts';

type Schemas = components['schemas'];

export interface Request extends Access, BusinessClocks {
  readonly principal: AnyPrincipal;
  readonly params: { readonly businessId: string };
}

/** A change that other modules hear of. */
export interface PublishedRequest extends ChangeRequest {
  readonly now: RealTime;
}

export interface ChangeRequest extends Request {
  readonly headers: { readonly 'if-match'?: string | undefined };
}

export interface PendingChange {
  readonly before: Business;
  readonly contents: Contents;
  readonly now: BusinessTime;
}

export interface Changed {
  readonly before: Business;
  readonly after: Business;
  readonly contents: Contents;
}

/** Locks and reads the business with what belongs to it. */
export async function readForChange(ctx: Request): Promise<PendingChange> {
  const { businessId } = ctx.params;
  // The statements run in this order on one connection, so the contents are read after the lock is taken.
  const [before, contents] = await Promise.all([
    lookup(ctx).business(businessId).forChange(),
    readContents(ctx.tx, businessId),
  ]);
  return { before, contents, now: ctx.timeIn(before.environment) };
}

/** Locks and reads the business, and checks `If-Match` before the request has any effect (RFC 9110 §13.2.2). */
export async function beginChange(ctx: ChangeRequest): Promise<PendingChange> {
  const pending = await readForChange(ctx);
  assertMatch(ctx.headers['if-match'], pending.before.version);
  return pending;
}

export async function commitChange(
  { tx }: Pick<ChangeRequest, 'tx'>,
  { before, now }: Pick<PendingChange, 'before' | 'now'>,
  changed: Business,
): Promise<Business> {
  const after = nextVersion(before, changed, now);
  await storeBusiness(tx, after);
  return after;
}

async function changeBusiness(
  ctx: ChangeRequest,
  to: (pending: PendingChange) => Business | Promise<Business>,
): Promise<Changed> {
  const pending = await beginChange(ctx);
  const after = await commitChange(ctx, pending, await to(pending));
  return { before: pending.before, contents: pending.contents, after };
}

/** Changes members of a business. Its name, its form and its level are evidence, so a waiting decision ends. */
export async function patchBusiness(
  ctx: PublishedRequest,
  patch: Schemas['BusinessUpdate'],
  resultFaults: Context<'updateBusiness'>['resultFaults'],
): Promise<Changed & { readonly invalidated: Invalidated | null }> {
  const { before, contents, now } = await beginChange(ctx);
  const patched = merged(before, patch);
  const errors = resultFaults(withoutNulls({ monthlyRevenue: patched.monthlyRevenue }) as object);
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
  const isWaiting = before.status === 'pending_approval';
  const invalidated = isWaiting ? await invalidateProposal(ctx.tx, subjectOf(before), now) : null;
  const after = await commitChange(
    ctx,
    { before, now },
    invalidated === null ? patched : { ...patched, ...EVIDENCE_CHANGED, statusNote: null },
  );
  if (after.status !== 'draft')
    await publish(ctx.tx, {
      type: 'subject.changed',
      subject: subjectOf(after),
      environment: after.environment,
      at: now,
      now: ctx.now,
    });
  return {
    before,
    after,
    contents,
    invalidated,
  };
}

/** Returns the business after a merge patch (RFC 7396), which may name one member of the revenue only. */
function merged(before: Business, { monthlyRevenue, ...others }: Schemas['BusinessUpdate']): Business {
  if (monthlyRevenue === undefined) return { ...before, ...others };
  const revenue = mergePatch(before.monthlyRevenue, monthlyRevenue) as Business['monthlyRevenue'];
  return { ...before, ...others, monthlyRevenue: revenue };
}

/** Submits a draft, or the answer to an information request, whose id is then `answeredId`. */
export async function submitBusiness(ctx: PublishedRequest): Promise<Changed & { readonly answeredId: string | null }> {
  let answeredId: string | null = null;
  const change = await changeBusiness(ctx, async ({ before, contents, now }) => {
    const subject = subjectOf(before);
    const open = before.status === 'needs_information' ? await findOpenRequest(ctx.tx, subject) : null;
    const after = open === null ? life.submitted(before, now) : life.answered(before);
    const { items } = requirementsOf(assessedOf(before, contents, ctx));
    assertProvided(items);
    if (open !== null) {
      assertNoneMissing(unansweredRequirements(open, contents.documents, items, sourcesOf));
      answeredId = await endInformationRequest(ctx.tx, subject, {
        status: 'answered',
        answeredAt: now.toISOString(),
      });
    }
    return after;
  });
  const { environment } = change.after;
  await publish(ctx.tx, {
    type: 'subject.submitted',
    subject: subjectOf(change.after),
    environment,
    at: ctx.timeIn(environment),
    now: ctx.now,
  });
  return { ...change, answeredId };
}

/** Withdraws a business. Ends its open information request and its decision that waits for a second review, if any. */
export async function withdrawBusiness(
  ctx: PublishedRequest,
  why: Schemas['WithdrawRequest'],
): Promise<Changed & { readonly invalidated: Invalidated | null }> {
  let invalidated: Invalidated | null = null;
  const change = await changeBusiness(ctx, async ({ before, now }) => {
    const after = life.withdrawn(before, why);
    const subject = subjectOf(before);
    if (before.status === 'needs_information')
      await endInformationRequest(ctx.tx, subject, { status: 'cancelled', answeredAt: null });
    if (before.status === 'pending_approval') invalidated = await invalidateProposal(ctx.tx, subject, now);
    return after;
  });
  await follow(ctx, change);
  return { ...change, invalidated };
}

/** Begins or ends the monitoring of a business after a change of its status. */
async function follow(ctx: PublishedRequest, { after, contents }: Changed): Promise<void> {
  await followStatus(ctx.tx, after, contents, { at: ctx.timeIn(after.environment), now: ctx.now });
}

/** Takes up the review again. A relationship that had ended continues, and so does its monitoring. */
export async function reopenBusiness(ctx: PublishedRequest, why: Schemas['ReopenRequest']): Promise<Changed> {
  const change = await changeBusiness(ctx, ({ before }) => life.reopened(before, why));
  const { before, after, contents } = change;
  if (before.relationshipEndedAt !== null)
    await beginMonitoring(ctx.tx, after, contents, { at: ctx.timeIn(after.environment), now: ctx.now });
  return change;
}

export async function endRelationship(ctx: PublishedRequest, end: Schemas['RelationshipEnd']): Promise<Changed> {
  const change = await changeBusiness(ctx, ({ before, contents: { decisions }, now }) =>
    life.relationshipEnded(before, end, now, {
      wasApproved: decisions.find(({ status }) => status === 'effective')?.outcome === 'approve',
    }),
  );
  await follow(ctx, change);
  return change;
}

/** Returns a business whose decision waits to review after new evidence. Returns null if no decision waits. */
export async function reviewAgain(
  ctx: Pick<ChangeRequest, 'tx' | 'timeIn'>,
  before: Business,
): Promise<Invalidated | null> {
  if (before.status !== 'pending_approval') return null;
  const now = ctx.timeIn(before.environment);
  const invalidated = await invalidateProposal(ctx.tx, subjectOf(before), now);
  if (invalidated !== null)
    await commitChange(ctx, { before, now }, { ...before, ...EVIDENCE_CHANGED, statusNote: null });
  return invalidated;
}
