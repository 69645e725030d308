/**
 * The allow-list: dismissing an entity for every application of the same person, and ending such entries. Called by
 * decisions, screenings and handlers; the expiry is registered by the index. An entry must dismiss nothing beyond what
 * was judged, and ending it reopens the hits that it had dismissed.
 */
import { appendAudit } from '../../audit/chain.ts';
import { type BusinessTime, MINUTE_SECONDS, readStatedTime, type RealTime } from '../../base/time.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type Environment } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { monthsLater } from '../../rules/brazilian-calendar.ts';
import { shown } from '../../rules/mask.ts';
import type { Due } from '../../tasks/due.ts';
import type { When } from '../subject-events/index.ts';
import { OWN_LIST } from '../watch-lists/index.ts';
import {
  addEntry,
  type AllowlistEntry,
  endActive,
  EXPIRED_AT_ONCE,
  expiredEntries,
  findDismissed,
  type ActiveEntry,
  reopen,
  subjectKeyOf,
} from './allowlist-store.ts';
import type { Carried, NewHit } from './carry-over.ts';
import { assertFoundBySettings, comparedHash, holdsFor } from './dismissals.ts';
import { countHits } from './decision-store.ts';
import { lookup } from './lookup.ts';
import { publishReopened } from './publish-hits.ts';
import { type FoundScreening, type HitRecord, lockSubject } from './store.ts';

const LONGEST_MONTHS = 24;

interface Dismissal extends Pick<Context<'adjudicateHit'>, 'tx' | 'principal'> {
  readonly decisionId: string;
  readonly reasonCode: string;
  readonly expiresAt: string;
  readonly at: BusinessTime;
}

/**
 * Dismisses the entity for every application of the same tax number until a day, within the bounds of the decision.
 * Returns the id of the entry.
 */
export function putOnAllowlist(
  { tx, principal, decisionId, reasonCode, expiresAt, at }: Dismissal,
  { record, key }: FoundScreening,
  hit: HitRecord,
): string {
  if (principal.role !== 'compliance_officer') throw new Problem('role_forbidden');
  assertFoundBySettings(hit, record);
  const latest = monthsLater(at, LONGEST_MONTHS);
  const expiry = readStatedTime(expiresAt);
  if (expiry === null || expiry <= at || expiry > latest) {
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer: '/allowlist/expiresAt',
          code: 'range',
          message: `must be in the future, ${LONGEST_MONTHS} months ahead at most`,
        },
      ],
    });
  }
  const { environment, applicationId, subjectId, subject, id: screeningId } = record;
  const { id: hitId, listId, entityMac, entityHash, entityKey } = hit;
  return addEntry(
    tx,
    {
      environment,
      subjectMac: subjectKeyOf(tx, subject, subjectId),
      listId,
      entityMac,
      entityHash,
      applicationId,
      subjectId,
      screeningId,
      hitId,
      decisionId,
      comparedHash: comparedHash(tx, subject, hit),
      entityKey,
      reasonCode,
      expiresAt: expiry,
      createdAt: at,
      createdBy: actorOf(principal),
    },
    key,
  );
}

/** Business and real time of a change in an environment. */
interface WhenIn extends When {
  readonly environment: Environment;
}

/**
 * Applies the entries of a subject to hits that have no decision. Suspends an entry if its entity has changed on the
 * list. An entry of a screening with other numbers of the same subject stays.
 */
export async function dismissed<Hit extends NewHit & Carried>(
  tx: Transaction,
  entries: readonly ActiveEntry[],
  hits: readonly Hit[],
  when: WhenIn,
): Promise<(Hit & { readonly allowlistEntryId: string | null })[]> {
  const outdated = entries.filter((entry) =>
    hits.some((hit) => isAbout(entry, hit) && !hit.entityHashes.some((hash) => hash.equals(entry.entityHash))),
  );
  await suspend(tx, outdated, when);
  return hits.map((hit) => {
    // A decision about this subject takes precedence, even if it no longer applies.
    const isDecided = hit.status !== 'open' || hit.reopened !== null;
    const entry = isDecided ? undefined : entries.find((one) => dismisses(one, hit));
    return entry === undefined
      ? { ...hit, allowlistEntryId: null }
      : { ...hit, status: 'auto_dismissed', allowlistEntryId: entry.id };
  });
}

/** Returns whether an entry is about the listed entity of a hit, whatever data the entity has now. */
function isAbout(entry: ActiveEntry, { listId, entityMac, formerMacs }: NewHit): boolean {
  return entry.listId === listId && [entityMac, ...formerMacs].some((mac) => mac.equals(entry.entityMac));
}

function dismisses(entry: ActiveEntry, hit: NewHit): boolean {
  const isOfSubject =
    entry.comparedHash === null
      ? entry.subjectHash.equals(hit.subjectHash)
      : entry.comparedHash.equals(hit.comparedHash);
  return isAbout(entry, hit) && entry.entityHash.equals(hit.entityHash) && isOfSubject && holdsFor(entry, hit);
}

interface EntryEnd {
  readonly status: Exclude<AllowlistEntry['status'], 'active'>;
  readonly reason?: NonNullable<AllowlistEntry['revokeReason']>;
}

/**
 * Ends entries that are active and locked, and reopens the hits that they have dismissed. Returns the ids of the ended
 * entries.
 */
async function endEntries(
  tx: Transaction,
  ids: readonly string[],
  { status, reason }: EntryEnd,
  when: When,
): Promise<Uuid[]> {
  if (ids.length === 0) return [];
  const tenantId = tx.tenantId!;
  for (const { subjectId } of await tx.run(findDismissed, { tenantId, ids })) lockSubject(tx, subjectId);
  const ended = await tx.run(endActive, {
    tenantId,
    ids,
    status,
    reason: reason ?? null,
  });
  const endedIds = ended.map(({ id }) => id);
  const reopened = await tx.run(reopen, { tenantId, ids: endedIds });
  for (const [subjectId, [hit]] of Map.groupBy(reopened, (one) => one.subjectId)) {
    countHits(tx, subjectId);
    await publishReopened(tx, hit!, when);
  }
  return endedIds;
}

/** Suspends entries because the facts behind them have changed. */
export async function suspend(tx: Transaction, entries: readonly ActiveEntry[], when: WhenIn): Promise<void> {
  const ids = entries.map(({ id }) => id);
  for (const id of await endEntries(tx, ids, { status: 'suspended' }, when))
    auditEnd(tx, { id, environment: when.environment }, 'allowlist.suspended', when.now);
}

export async function revoke(ctx: Context<'revokeAllowlistEntry'>): Promise<void> {
  const {
    tx,
    params: { allowlistEntryId },
    query: { reason = 'other' },
    now,
    timeIn,
    audit,
  } = ctx;
  const { id, environment } = await lookup(ctx).allowlistEntry(allowlistEntryId).forChange();
  if ((await endEntries(tx, [id], { status: 'revoked', reason }, { at: timeIn(environment), now })).length > 0)
    audit('allowlist.revoked', { type: 'allowlist_entry', id }, { reason });
}

/** Expires entries whose time is over, and those whose application is erased. */
export const allowlistDue: Due = {
  name: 'screenings.allowlist',
  everySeconds: 5 * MINUTE_SECONDS,
  atOnce: EXPIRED_AT_ONCE,
  run: async (tx, { environment, businessTime, now }) => {
    const ids = await expiredEntries(tx, environment, businessTime);
    const ended = await endEntries(tx, ids, { status: 'expired' }, { at: businessTime, now });
    for (const id of ended) auditEnd(tx, { id, environment }, 'allowlist.expired', now);
    return ended.map((id) => ({ resource: { type: 'allowlist_entry', id }, change: 'status active to expired' }));
  },
};

function auditEnd(
  tx: Transaction,
  { id, environment }: Pick<AllowlistEntry, 'id' | 'environment'>,
  action: 'allowlist.expired' | 'allowlist.suspended',
  now: RealTime,
): void {
  appendAudit(tx, {
    occurredAt: now.toISOString(),
    environment,
    actor: {
      type: 'system',
      id: allowlistDue.name,
      display: 'Allow-list',
      impersonatorId: null,
    },
    action,
    resource: { type: 'allowlist_entry', id },
    outcome: 'success',
  });
}

/** Presents an entry to its reader. The publisher's id of an entity is never masked. */
export function presentEntry(
  { subjectMac, entityHash, entityKey, subjectId: _, ...own }: AllowlistEntry,
  reader: Pick<Context<'listAllowlistEntries'>, 'principal'>,
): components['schemas']['AllowlistEntry'] {
  const entry = {
    ...own,
    subjectKey: subjectMac.toString('hex'),
    entityId: entityKey,
    entityFingerprint: entityHash.toString('hex'),
  };
  return own.listId === OWN_LIST ? shown('AllowlistEntry', entry, reader) : entry;
}
