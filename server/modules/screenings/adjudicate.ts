/**
 * Decisions about a hit: by one person, or by two if the hit takes two. Called by the handlers. Only hits of the newest
 * screening can be decided (`hit_superseded`), and a proposal is confirmed only by another person with the same
 * verdict. A confirmed hit on a mandatory list starts the legal time limit for freezing assets.
 */
import { type BusinessTime, addMilliseconds, readBusinessTime } from '../../base/time.ts';
import { createHash } from 'node:crypto';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { assertReason, presumedBy } from '../../rules/reasons.ts';
import { requestReview, review } from '../second-review/index.ts';
import { watchListOf } from '../watch-lists/index.ts';
import { putOnAllowlist, suspend } from './allowlist.ts';
import { entriesFor, type ActiveEntry, subjectKeyOf } from './allowlist-store.ts';
import { applyDecision, decisionsAbout, type HitDecision, insertDecision, settleDecision } from './decision-store.ts';
import { isSame } from './carry-over.ts';
import { boundOf, takesTwo } from './dismissals.ts';
import { publishDecided } from './publish-hits.ts';
import { type FoundScreening, type HitRecord, lockNewestScreening, type ScreeningRecord } from './store.ts';

type Adjudicating = Pick<Context<'adjudicateHit'>, 'tx' | 'principal' | 'params' | 'body' | 'now' | 'timeIn'>;

/**
 * Time limit of financial institutions to inform the authorities (Lei 9.613/1998, art. 11); assets are frozen without
 * delay (Lei 13.810/2019).
 */
const FREEZE_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Returns when assets must be frozen, if the decision confirms a hit on a mandatory list. */
export function freezeDue({
  listId,
  status,
  state,
  createdAt,
}: Pick<HitDecision, 'listId' | 'status' | 'state' | 'createdAt'>): BusinessTime | null {
  return state === 'effective' && status === 'true_positive' && watchListOf(listId).isMandatory
    ? addMilliseconds(readBusinessTime(createdAt), FREEZE_MILLISECONDS)
    : null;
}

export interface Adjudicated {
  readonly decision: Pick<HitDecision, 'id' | 'listId' | 'status' | 'reasonCode' | 'state' | 'createdAt'>;
  readonly isReview: boolean;
  /** Entry of the allow-list that dismisses the entity for other applications. */
  readonly allowlistEntryId: string | null;
}

/**
 * Decides about a hit of the newest screening of a subject, proposes a decision for second review, or reviews a
 * proposal.
 */
export async function adjudicate(ctx: Adjudicating, { record }: FoundScreening): Promise<Adjudicated> {
  const {
    tx,
    params: { screeningId, hitId },
    principal,
    body,
    timeIn,
  } = ctx;
  // A verdict other than false positive ends the matching entry of the allow-list. Entries are locked before subjects
  // (decision 73).
  const entries = body.status === 'false_positive' ? [] : await entriesAbout(tx, record, timeIn(record.environment));
  const newest = (await lockNewestScreening(tx, record.subjectId))!;
  if (newest.record.id !== screeningId)
    throw new Problem('hit_superseded', { detail: `The newest screening of the subject is ${newest.record.id}.` });
  const hit = newest.hits.find(({ id }) => id === hitId);
  if (hit === undefined) throw new Problem('not_found');
  assertReason('hit', ctx.body.status, ctx.body.reasonCode);
  assertPresumed(ctx.body, hit);
  const decisions = await decisionsAbout(tx, record.subjectId, newest.key);
  const proposal = proposalFor(hit, newest.record, decisions);
  if (proposal !== null) return settle(ctx, newest, hit, proposal);
  if (hit.decisionId !== null && principal.role !== 'compliance_officer') throw new Problem('hit_decided');
  return decide(ctx, newest, hit, entries);
}

function entriesAbout(
  tx: Transaction,
  { environment, subject, subjectId }: ScreeningRecord,
  at: BusinessTime,
): Promise<ActiveEntry[]> {
  return entriesFor(tx, environment, subjectKeyOf(tx, subject, subjectId), at);
}

/** Verdicts on a fact that support the same person, or leave it open. */
const AGREES: readonly string[] = ['equal', 'month_equal', 'year_equal', 'shared', 'mask_fits'];

/**
 * Rejects a reason that presumes a difference in a fact if one side does not know the fact or both sides agree in it.
 */
function assertPresumed({ reasonCode }: Adjudicating['body'], { judgement: { modifiers } }: HitRecord): void {
  const presumed = presumedBy(reasonCode);
  if (presumed === null || modifiers.some(({ field, verdict }) => field === presumed && !AGREES.includes(verdict)))
    return;
  throw new Problem('validation_failed', {
    errors: [
      {
        pointer: '/reasonCode',
        code: 'presumption_failed',
        message: `needs ${presumed} of the subject and of the entity, and the two must differ`,
      },
    ],
  });
}

/**
 * Returns the proposed dismissal of the same subject and entity, compared as they are now, that is neither confirmed
 * nor returned yet. Its bound must equal that of the hit, so that both reviewers have judged the same.
 */
export function proposalFor(
  hit: HitRecord,
  { settingsLines }: Pick<ScreeningRecord, 'settingsLines'>,
  decisions: readonly HitDecision[],
): HitDecision | null {
  const bound = boundOf(hit, settingsLines);
  return (
    decisions.findLast(
      (decision) =>
        decision.state === 'proposed' &&
        decision.listId === hit.listId &&
        decision.entityMac.equals(hit.entityMac) &&
        isSame(decision, hit) &&
        decision.holdsBelow === bound,
    ) ?? null
  );
}

async function decide(
  ctx: Adjudicating,
  screening: FoundScreening,
  hit: HitRecord,
  entries: readonly ActiveEntry[],
): Promise<Adjudicated> {
  const { tx, principal, body, timeIn } = ctx;
  const { record, key } = screening;
  const { environment, subjectId } = record;
  const { status, reasonCode, note } = body;
  const isDismissal = status === 'false_positive';
  const needsReview = isDismissal && takesTwo(hit);
  const now = timeIn(environment);
  const { listId, entityMac, entityHash, subjectHash } = hit;
  const decision = {
    id: uuidv7(),
    screeningId: record.id,
    hitId: hit.id,
    subjectId,
    listId,
    listSequence: record.lists.find((list) => list.listId === listId)!.sequence,
    entityMac,
    entityHash,
    subjectHash,
    status,
    reasonCode,
    note,
    state: needsReview ? 'proposed' : 'effective',
    holdsBelow: isDismissal ? boundOf(hit, record.settingsLines) : null,
    createdBy: actorOf(principal),
    createdAt: now,
  } as const;
  insertDecision(tx, { ...decision, tenantId: principal.tenantId, environment }, key);
  if (needsReview)
    await requestReview(tx, {
      environment,
      subject: { type: 'hit_decision', id: decision.id },
      digest: digestOf(decision),
      maker: principal,
      now,
    });
  else await settleAs(ctx, screening, decision, entries);
  return {
    decision: { ...decision, createdAt: now.toISOString() },
    isReview: false,
    allowlistEntryId: dismissal(ctx, screening, hit, decision),
  };
}

/** Reviews a proposal: the same verdict from the second person confirms the proposal, another one returns it. */
async function settle(
  ctx: Adjudicating,
  screening: FoundScreening,
  hit: HitRecord,
  proposal: HitDecision,
): Promise<Adjudicated> {
  const { tx, principal, body, timeIn } = ctx;
  const { record, key } = screening;
  if (principal.role !== 'compliance_officer') throw new Problem('role_forbidden');
  const digest = digestOf(proposal);
  const verdict = body.status === proposal.status ? 'confirm' : 'return';
  // The note is about a person, so it is stored sealed with the decision and not with the review.
  const outcome = await review(tx, { type: 'hit_decision', id: proposal.id }, digest, {
    verdict,
    digest,
    note: '',
    checker: principal,
    now: timeIn(record.environment),
  });
  if (outcome !== 'confirmed' && outcome !== 'returned') throw new Problem('hit_decided');
  const state = outcome === 'confirmed' ? 'effective' : 'returned';
  settleDecision(tx, proposal.id, { state, reviewedBy: actorOf(principal), note: body.note }, key);
  const decision = { ...proposal, state } as const;
  if (state === 'effective') await settleAs(ctx, screening, decision);
  return { decision, isReview: true, allowlistEntryId: dismissal(ctx, screening, hit, decision) };
}

/**
 * Puts the entity on the allow-list if the request asks for it. Only the person whose decision makes a dismissal
 * effective may dismiss the entity for other applications too.
 */
function dismissal(
  { tx, principal, body, timeIn }: Adjudicating,
  screening: FoundScreening,
  hit: HitRecord,
  { id: decisionId, state }: Pick<HitDecision, 'id' | 'state'>,
): string | null {
  const { status, reasonCode, allowlist = null } = body;
  if (allowlist === null) return null;
  if (state !== 'effective' || status !== 'false_positive')
    throw new Problem('allowlist_requires_false_positive', {
      errors: [{ pointer: '/allowlist', code: 'not_allowed', message: 'must be left out here' }],
    });
  return putOnAllowlist(
    {
      tx,
      principal,
      decisionId,
      reasonCode,
      expiresAt: allowlist.expiresAt,
      at: timeIn(screening.record.environment),
    },
    screening,
    hit,
  );
}

/**
 * Makes a decision effective: for hits, against allow-list entries that contradict it about the same entity, whatever
 * key the entity has on the list, and for the modules that hear of it.
 */
async function settleAs(
  { tx, params: { hitId }, now, timeIn }: Adjudicating,
  { record }: FoundScreening,
  decision: Parameters<typeof applyDecision>[1],
  entries: readonly ActiveEntry[] = [],
): Promise<void> {
  const { listId, entityMac, entityHash } = decision;
  const { environment } = record;
  const when = { at: timeIn(environment), now };
  applyDecision(tx, decision);
  const contradicted = entries.filter(
    (entry) => entry.listId === listId && (entry.entityMac.equals(entityMac) || entry.entityHash.equals(entityHash)),
  );
  await suspend(tx, contradicted, { ...when, environment });
  await publishDecided(tx, record, { hitId, status: decision.status }, when);
}

function digestOf({
  id,
  status,
  reasonCode,
  entityHash,
  subjectHash,
}: Pick<HitDecision, 'id' | 'status' | 'reasonCode' | 'entityHash' | 'subjectHash'>): string {
  return createHash('sha256')
    .update(`${id}\n${status}\n${reasonCode}\n${entityHash.toString('hex')}\n${subjectHash.toString('hex')}`)
    .digest('hex');
}

type WireDecision = components['schemas']['HitDecision'];

export function wireDecision(decision: HitDecision): WireDecision {
  const { id, status, reasonCode, note, hitId, screeningId } = decision;
  const { createdBy, createdAt, reviewedBy, reviewNote } = decision;
  const freezeDueAt = freezeDue(decision)?.toISOString() ?? null;
  return {
    id,
    status,
    reasonCode,
    note,
    hitId,
    screeningId,
    decidedBy: createdBy,
    decidedAt: createdAt,
    reviewedBy,
    reviewNote,
    freezeDueAt,
  };
}
