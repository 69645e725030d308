import { appendAudit } from '../../audit/chain.ts';
import { MINUTE_SECONDS } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { assertEnvironmentWritable } from '../../identity/tenant.ts';
import type { Context } from '../../request/handler.ts';
import type { Due } from '../../tasks/due.ts';
import { visibleTo } from '../applications/index.ts';
import { addEntry, type AllowlistEntry, endEntries, entriesFor, EXPIRED_AT_ONCE, expiredEntries, lockEntry, subjectKeyOf } from './allowlist-store.ts';
import type { Carried, NewHit } from './carry-over.ts';
import type { FoundScreening, HitRecord } from './store.ts';

const LONGEST_MONTHS = 24;

interface Dismissal extends Pick<Context<'adjudicateHit'>, 'tx' | 'principal'> {
  readonly reasonCode: string;
  readonly expiresAt: string;
  readonly at: Date;
}

/** Somebody who is somebody else is dismissed for every application of the same tax number, until a day. The id of the entry. */
export function putOnAllowlist({ tx, principal, reasonCode, expiresAt, at }: Dismissal, { record, key }: FoundScreening, { id: hitId, listId, entityMac, entityHash, entityKey }: HitRecord): string {
  if (principal.role !== 'compliance_officer') throw new Problem('role_forbidden');
  const latest = new Date(at);
  latest.setUTCMonth(latest.getUTCMonth() + LONGEST_MONTHS);
  if (Date.parse(expiresAt) <= at.getTime() || Date.parse(expiresAt) > latest.getTime()) {
    throw new Problem('validation_failed', { errors: [{ pointer: '/allowlist/expiresAt', code: 'range', message: `must be in the future, ${LONGEST_MONTHS} months ahead at most` }] });
  }
  const { environment, applicationId, subjectId, subject, id: screeningId } = record;
  return addEntry(tx, {
    environment, subjectMac: subjectKeyOf(tx, subject, subjectId), listId, entityMac, entityHash, applicationId, subjectId, screeningId, hitId, entityKey, reasonCode, expiresAt, createdAt: at, createdBy: actorOf(principal),
  }, key);
}

/** What the allow-list makes of hits that nobody has decided about. An entry whose entity is judged otherwise now dismisses nothing from then on. */
export async function dismissed<Hit extends NewHit>(tx: Transaction, { environment, subjectMac, at, now }: { readonly environment: AllowlistEntry['environment']; readonly subjectMac: Buffer; readonly at: Date; readonly now: Date }, hits: readonly Hit[], carried: readonly Carried[]): Promise<readonly (Carried & { readonly allowlistEntryId: string | null })[]> {
  const entries = await entriesFor(tx, environment, subjectMac, at);
  const entryFor = ({ listId, entityMac, formerMacs }: NewHit) => entries.find((entry) => entry.listId === listId && [entityMac, ...formerMacs].some((mac) => mac.equals(entry.entityMac)));
  const outdated = hits.flatMap((hit) => {
    const entry = entryFor(hit);
    return entry === undefined || entry.entityHash.equals(hit.entityHash) ? [] : [entry.id];
  });
  for (const id of await endEntries(tx, outdated, 'suspended')) tell(tx, environment, id, 'allowlist.suspended', now);
  return hits.map((hit, index) => {
    const [before, entry] = [carried[index]!, entryFor(hit)];
    const isDismissed = before.status === 'open' && entry !== undefined && !outdated.includes(entry.id);
    return isDismissed ? { ...before, status: 'auto_dismissed', reopened: null, allowlistEntryId: entry.id } : { ...before, allowlistEntryId: null };
  });
}

export async function revoke(ctx: Context<'revokeAllowlistEntry'>): Promise<void> {
  const { tx, params: { allowlistEntryId }, query: { reason = 'other' }, audit } = ctx;
  const { id, environment } = visibleTo(ctx, await lockEntry(tx, allowlistEntryId));
  assertEnvironmentWritable(environment, ctx);
  if ((await endEntries(tx, [id], 'revoked', reason)).length > 0) audit('allowlist.revoked', { type: 'allowlist_entry', id }, { reason });
}

/** Entries whose time is over. */
export const allowlistDue: Due = {
  name: 'screenings.allowlist',
  everySeconds: 5 * MINUTE_SECONDS,
  atOnce: EXPIRED_AT_ONCE,
  run: async (tx, { environment, businessTime, now }) => {
    const ended = await endEntries(tx, await expiredEntries(tx, environment, businessTime), 'expired');
    for (const id of ended) tell(tx, environment, id, 'allowlist.expired', now);
    return ended.map((id) => ({ resource: { type: 'allowlist_entry', id }, change: 'status active to expired' }));
  },
};

function tell(tx: Transaction, environment: AllowlistEntry['environment'], id: string, action: 'allowlist.expired' | 'allowlist.suspended', now: Date): void {
  appendAudit(tx, {
    occurredAt: now.toISOString(), environment, actor: { type: 'system', id: allowlistDue.name, display: 'Allow-list', impersonatorId: null }, action, resource: { type: 'allowlist_entry', id }, outcome: 'success',
  });
}

export function presentEntry({ subjectMac, entityHash, entityKey, subjectId: _, ...own }: AllowlistEntry): components['schemas']['AllowlistEntry'] {
  return { ...own, subjectKey: subjectMac.toString('hex'), entityId: entityKey, entityFingerprint: entityHash.toString('hex') };
}
