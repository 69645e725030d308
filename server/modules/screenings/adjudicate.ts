import { createHash } from 'node:crypto';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { askForReview, review } from '../second-review/index.ts';
import { resolveAlertsOf } from '../subscriptions/index.ts';
import { watchListOf } from '../watch-lists/index.ts';
import { putOnAllowlist } from './allowlist.ts';
import { applyDecision, decisionsAbout, type HitDecision, insertDecision, settleDecision } from './decision-store.ts';
import { isSame } from './carry-over.ts';
import { type FoundScreening, type HitRecord, lockNewestScreening } from './store.ts';

type Adjudicating = Pick<Context<'adjudicateHit'>, 'tx' | 'principal' | 'params' | 'body' | 'sandboxEnabled' | 'timeIn'>;

/** Financial institutions have so long to tell the authorities (Lei 9.613/1998, art. 11); assets are frozen without delay (Lei 13.810/2019). */
const FREEZE_MILLISECONDS = 24 * 60 * 60 * 1000;

/** By when assets must be frozen: of a confirmed hit on a list that binds everybody. */
export function freezeDue({ listId, status, state, createdAt }: Pick<HitDecision, 'listId' | 'status' | 'state' | 'createdAt'>): Date | null {
  return state === 'effective' && status === 'true_positive' && watchListOf(listId).isMandatory ? new Date(Date.parse(createdAt) + FREEZE_MILLISECONDS) : null;
}

/** A sanctioned person of nearly this name is somebody else: two people say so. */
const SURE_SCORE = 0.95;

export interface Adjudicated {
  readonly decision: Pick<HitDecision, 'id' | 'listId' | 'status' | 'reasonCode' | 'state' | 'createdAt'>;
  readonly isReview: boolean;
  /** By whom nobody has to look at it for other applications. */
  readonly allowlistEntryId: string | null;
}

/** Decides about a hit of the newest screening of a subject, proposes it to a second person, or is the second person. */
export async function adjudicate(ctx: Adjudicating, { record }: FoundScreening): Promise<Adjudicated> {
  const { tx, params: { screeningId, hitId }, principal } = ctx;
  assertEnvironmentWritable(record.environment, ctx);
  const newest = (await lockNewestScreening(tx, record.subjectId))!;
  if (newest.record.id !== screeningId) throw new Problem('hit_superseded', { detail: `The newest screening of the subject is ${newest.record.id}.` });
  const hit = newest.hits.find(({ id }) => id === hitId);
  if (hit === undefined) throw new Problem('not_found');
  const decisions = await decisionsAbout(tx, record.subjectId, newest.key);
  const proposal = proposalFor(hit, decisions);
  if (proposal !== null) return settle(ctx, newest, hit, proposal);
  if (hit.decisionId !== null && principal.role !== 'compliance_officer') throw new Problem('hit_decided');
  return decide(ctx, newest, hit);
}

/** A decision about the same subject and entity, compared as they are, that nobody has confirmed or returned yet. */
export function proposalFor(hit: Pick<HitRecord, 'listId' | 'entityMac' | 'entityHash' | 'subjectHash'>, decisions: readonly HitDecision[]): HitDecision | null {
  return decisions.findLast((decision) => decision.state === 'proposed' && decision.listId === hit.listId && decision.entityMac.equals(hit.entityMac) && isSame(decision, hit)) ?? null;
}

async function decide(ctx: Adjudicating, screening: FoundScreening, hit: HitRecord): Promise<Adjudicated> {
  const { tx, principal, body, timeIn } = ctx;
  const { record, key } = screening;
  const { environment, subjectId } = record;
  const { status, reasonCode, note } = body;
  const needsReview = status === 'false_positive' && hit.category === 'sanction' && hit.score >= SURE_SCORE;
  const now = timeIn(environment);
  const { listId, entityMac, entityHash, subjectHash } = hit;
  const decision = {
    id: uuidv7(), screeningId: record.id, hitId: hit.id, subjectId, listId, listSequence: record.lists.find((list) => list.listId === listId)!.sequence, entityMac, entityHash, subjectHash,
    status, reasonCode, note, state: needsReview ? 'proposed' : 'effective', createdBy: actorOf(principal), createdAt: now,
  } as const;
  insertDecision(tx, { ...decision, tenantId: principal.tenantId, environment }, key);
  if (needsReview) await askForReview(tx, { environment, subject: { type: 'hit_decision', id: decision.id }, digest: digestOf(decision), maker: principal, now });
  else settleAs(tx, decision);
  return { decision: { ...decision, createdAt: now.toISOString() }, isReview: false, allowlistEntryId: dismissal(ctx, screening, hit, !needsReview) };
}

/** The second person says the same, which confirms the proposal, or something else, which returns it. */
async function settle(ctx: Adjudicating, screening: FoundScreening, hit: HitRecord, proposal: HitDecision): Promise<Adjudicated> {
  const { tx, principal, body, timeIn } = ctx;
  const { record, key } = screening;
  if (principal.role !== 'compliance_officer') throw new Problem('role_forbidden');
  const digest = digestOf(proposal);
  const verdict = body.status === proposal.status ? 'confirm' : 'return';
  // What was noted is about a person, so it is kept with the decision, sealed.
  const outcome = await review(tx, { type: 'hit_decision', id: proposal.id }, digest, { verdict, digest, note: '', checker: principal, now: timeIn(record.environment) });
  if (outcome !== 'confirmed' && outcome !== 'returned') throw new Problem('hit_decided');
  const state = outcome === 'confirmed' ? 'effective' : 'returned';
  settleDecision(tx, proposal.id, { state, reviewedBy: actorOf(principal), note: body.note }, key);
  if (state === 'effective') settleAs(tx, proposal);
  return { decision: { ...proposal, state }, isReview: true, allowlistEntryId: dismissal(ctx, screening, hit, state === 'effective') };
}

/** Whoever makes a decision hold that it is somebody else may dismiss the entity for other applications too. */
function dismissal({ tx, principal, body, timeIn }: Adjudicating, screening: FoundScreening, hit: HitRecord, isEffective: boolean): string | null {
  const { status, reasonCode, allowlist = null } = body;
  if (allowlist === null) return null;
  if (!isEffective || status !== 'false_positive') throw new Problem('allowlist_requires_false_positive', { errors: [{ pointer: '/allowlist', code: 'not_allowed', message: 'must be left out here' }] });
  return putOnAllowlist({ tx, principal, reasonCode, expiresAt: allowlist.expiresAt, at: timeIn(screening.record.environment) }, screening, hit);
}

/** Whoever decides has dealt with what monitoring said of it, unless the decision is that nobody knows. */
function settleAs(tx: Transaction, decision: Parameters<typeof applyDecision>[1]): void {
  applyDecision(tx, decision);
  const { subjectId, listId, entityMac, entityHash, status } = decision;
  if (status !== 'inconclusive') resolveAlertsOf(tx, subjectId, { listId, entityMac, entityHash });
}

function digestOf({ id, status, reasonCode, entityHash, subjectHash }: Pick<HitDecision, 'id' | 'status' | 'reasonCode' | 'entityHash' | 'subjectHash'>): string {
  return createHash('sha256').update(`${id}\n${status}\n${reasonCode}\n${entityHash.toString('hex')}\n${subjectHash.toString('hex')}`).digest('hex');
}

type WireDecision = components['schemas']['HitDecision'];

export function wireDecision({ id, status, reasonCode, note, hitId, screeningId, createdBy, createdAt, reviewedBy, reviewNote, ...decision }: HitDecision): WireDecision {
  const freezeDueAt = freezeDue({ ...decision, status, createdAt })?.toISOString() ?? null;
  return { id, status, reasonCode, note, hitId, screeningId, decidedBy: createdBy, decidedAt: createdAt, reviewedBy, reviewNote, freezeDueAt };
}
