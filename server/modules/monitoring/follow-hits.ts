/**
 * Listeners that bring alerts in line with hits, registered by the index and called by subject-events in the
 * transaction that changes a hit. A failure here undoes that change. No other code raises or resolves alerts about
 * lists without a person.
 */
import { createHash } from 'node:crypto';
import type { Transaction } from '../../database/index.ts';
import { bandOf, findScreening, type HitRecord, type ScreeningRecord } from '../screenings/index.ts';
import type { SubjectEvent, SubjectListener, When } from '../subject-events/index.ts';
import {
  type Check,
  dedupeKeyOf,
  raise,
  resolveAlerts,
  type Severity,
  currentSubscription,
} from '../subscriptions/index.ts';
import { watchListOf } from '../watch-lists/index.ts';
import { currentHits, lastRun } from './current-hits-store.ts';

/** Alert about a name of an applicant that the last run could not compare. The same alert covers every such name. */
const NOT_COMPARABLE = {
  kind: 'not_comparable',
  severity: 'high',
  dedupeKey: createHash('sha256').update('not_comparable').digest(),
} as const;

/**
 * Brings the alerts of an applicant in line with their hits. Hears whatever creates, decides or reopens a hit, and is
 * the only place that raises, reopens or resolves an alert about a list without a person. An open or inconclusive hit
 * has an unresolved alert; a hit that was decided, or that the last run no longer found, has none. The publisher holds
 * the lock on the subject of the screening.
 */
async function followHits(tx: Transaction, applicationId: string, when: When): Promise<void> {
  const run = await lastRun(tx, applicationId);
  if (run === null) return;
  const [subscription, current] = await Promise.all([
    currentSubscription(tx, { kind: 'application', id: applicationId }),
    currentHits(tx, applicationId, run.sequence),
  ]);
  const isOpen = ({ status }: { readonly status: HitRecord['status'] }): boolean =>
    status === 'open' || status === 'inconclusive';
  const open = current.filter(isOpen);
  const [openKeys, decidedKeys] = [open.map(dedupeKeyOf), current.filter((hit) => !isOpen(hit)).map(dedupeKeyOf)];
  (run.comparable ? decidedKeys : openKeys).push(NOT_COMPARABLE.dedupeKey);
  resolveAlerts(tx, applicationId, { open: openKeys, decided: decidedKeys, mayBeUnseen: run.truncated });
  if (subscription === null) return;
  const screenings = new Map(
    await Promise.all(
      [...new Set(open.map(({ screeningId }) => screeningId))].map(
        async (id) => [id, await findScreening(tx, id)] as const,
      ),
    ),
  );
  const of = { subscriptionId: subscription.id, environment: subscription.environment, applicationId };
  if (!run.comparable) await raise(tx, { ...of, ...NOT_COMPARABLE, screeningId: run.id }, when);
  for (const { id: hitId, screeningId, scoreBefore, isOfRun, wasAlert } of open) {
    const found = screenings.get(screeningId);
    if (found === undefined || found === null || found === 'erased') continue;
    const hit = found.hits.find(({ id }) => id === hitId)!;
    const [kind, severity] = [checkOf(hit), severityOf(hit, found.record)];
    // Skips hits that only a screening by other criteria has found, because monitoring does not look for them.
    if (!subscription.checks.includes(kind) || !(isOfRun || wasAlert)) continue;
    const { listId, entityMac, entityHash, score } = hit;
    await raise(
      tx,
      {
        ...of,
        kind,
        severity,
        dedupeKey: dedupeKeyOf(hit),
        screeningId,
        hitId,
        listId,
        entityMac,
        entityHash,
        score,
        scoreBefore,
      },
      when,
    );
  }
}

const checkOf = ({ category }: HitRecord): Check => (category === 'pep' || category === 'rca' ? 'pep' : 'sanctions');

/**
 * Returns the severity of an alert. Possible matches on a mandatory list, and nearly certain sanctions, come first;
 * weak hits that only the tenant's settings report come last. For a namesake on any list some fact contradicts a match.
 */
function severityOf(hit: HitRecord, { lines }: Pick<ScreeningRecord, 'lines'>): Severity {
  const { category, listId, score } = hit;
  const band = bandOf(hit, lines);
  if (band === 'namesake') return 'medium';
  if (category === 'sanction' && (watchListOf(listId).isMandatory || score >= 0.95)) return 'critical';
  if (category === 'sanction') return band === 'low' ? 'medium' : 'high';
  return category === 'rca' || band === 'low' ? 'low' : 'medium';
}

const follow = (tx: Transaction, { subject, ...when }: SubjectEvent<Heard>): Promise<void> =>
  subject.kind === 'application' ? followHits(tx, subject.id, when) : Promise.resolve();

type Heard = 'screening.completed' | 'hit.decided' | 'hits.reopened';

/** Alerts follow hits in the transaction that changes the hits. */
export const hitListeners: readonly SubjectListener<Heard>[] = [
  { event: 'screening.completed', hear: follow },
  { event: 'hit.decided', hear: follow },
  { event: 'hits.reopened', hear: follow },
];
