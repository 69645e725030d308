/**
 * Simulates that a watch list has a new entry for an applicant, and screens the applicant again. Called by
 * simulations.ts. Refuses live applications, applicants who are not monitored, and lists that the settings do not
 * screen.
 */
import type { RealTime } from '../../base/time.ts';
import { Problem } from '../../contract/problem.ts';
import type { Environment } from '../../contract/operation.ts';
import type { Transaction } from '../../database/index.ts';
import type { Effect } from '../../tasks/due.ts';
import { findApplication, screenedApplicant } from '../applications/index.ts';
import { runSubscription } from '../monitoring/index.ts';
import { type LoadedLists, macOf, simulatedEntries, simulateEntry } from '../screenings/index.ts';
import { sandboxTime } from '../sandbox-clock/index.ts';
import { lockSubscription, currentSubscription, type Subscription } from '../subscriptions/index.ts';
import { readSettings } from '../tenant-settings/index.ts';
import { isWatchList, type WatchListId } from '../watch-lists/index.ts';

interface ListUpdate {
  readonly tx: Transaction;
  readonly visible: readonly Environment[];
  readonly now: RealTime;
  readonly watchLists: LoadedLists;
}

/** Default list, which every tenant screens against. */
const USUAL_LIST = 'un-csnu';

/**
 * Limit of simulated entries of an application. A response shows 200 hits, and the simulated ones must be among them.
 */
const MOST_ENTRIES = 20;

/**
 * Adds an entry for the applicant to a list and re-screens the applicant, so that the hit raises an alert, as after a
 * new version of the list. Each call adds another entry.
 */
export async function updateList(
  { tx, visible, now, watchLists }: ListUpdate,
  applicationId: string,
  listId: string = USUAL_LIST,
): Promise<Effect[]> {
  const found = await findApplication(tx, { tenantId: tx.tenantId!, id: applicationId });
  if (found === null || !visible.includes(found.environment)) throw new Problem('not_found');
  if (found.environment === 'live') throw new Problem('target_is_live');
  const subscription = await lockWatching(tx, found.id);
  const { screening } = await readSettings(tx, tx.tenantId!);
  const { defaultLists } = screening;
  if (subscription === null)
    throw refusal('/target/id', 'not_monitored', 'must be an approved application that is monitored for lists');
  if (!isScreened(listId, defaultLists))
    throw refusal(
      '/parameters/listId',
      'not_screened',
      `must be one of the lists of the settings: ${defaultLists.join(', ')}`,
    );
  if ((await simulatedEntries(tx, { environment: found.environment, applicationId: found.id })).length >= MOST_ENTRIES)
    throw refusal(
      '/target/id',
      'too_many_entries',
      `must be an application with fewer than ${MOST_ENTRIES} simulated entries`,
    );
  const at = await sandboxTime(tx, now);
  const entry = await simulateEntry(
    tx,
    { applicationId: found.id, listId, subject: screenedApplicant(found.applicant) },
    at,
  );
  const screened = await runSubscription(
    tx,
    watchLists,
    { subscription, application: found, why: subscription.waitingFor ?? 'list_updated' },
    { at, now },
  );
  const hit = screened.hits.find(({ entityMac }) => entityMac.equals(macOf(tx, 'entity', entry)));
  const alert = screened.alerts.find(({ hitId }) => hitId === hit?.id);
  return [
    { resource: { type: 'application', id: found.id }, change: `entry ${entry} added to ${listId}` },
    {
      resource: { type: 'screening', id: screened.id },
      change: `result ${screened.result}, hitCount ${screened.hitCount}`,
    },
    ...(hit === undefined ? [] : [{ resource: { type: 'screening_hit', id: hit.id }, change: `status ${hit.status}` }]),
    ...(alert === undefined
      ? []
      : [{ resource: { type: 'monitoring_alert', id: alert.id }, change: `raised, ${alert.severity}` }]),
  ];
}

const isScreened = (listId: string, lists: readonly string[]): listId is WatchListId =>
  isWatchList(listId) && lists.includes(listId);

/**
 * Locks and returns the active subscription by which the applicant is compared with lists, or null if there is none.
 */
async function lockWatching(tx: Transaction, applicationId: string): Promise<Subscription | null> {
  const current = await currentSubscription(tx, { kind: 'application', id: applicationId });
  const locked = current === null ? null : await lockSubscription(tx, current.id);
  return locked !== null &&
    locked.status === 'active' &&
    locked.checks.some((check) => check === 'sanctions' || check === 'pep')
    ? locked
    : null;
}

function refusal(pointer: string, code: string, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer, code, message }] });
}
