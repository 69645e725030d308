/**
 * Screenings, decisions about their hits, subscriptions and alerts, made before a call about them. Used by the tables
 * of calls of this folder.
 */
import { setTimeout } from 'node:timers/promises';
import { multipart, success } from '../support/api.ts';
import { ownListCsv } from '../support/watch-lists.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';
import { LONGEST_WAIT } from '../../scripts/test/limits.ts';
import { newDecidedApplication } from './application-records.ts';

/** Creates an own list of the tenant, with one invented person. */
export async function newOwnList(service: TestService, tenant: Tenant): Promise<void> {
  await success(
    service.api.PUT('/v1/screenings/lists/own', {
      headers: await tenant.user('compliance_officer', { secondFactor: true }),
      body: { file: new Blob([new Uint8Array(ownListCsv(['1,person,Heitor Montalvão,,,,,,']))]) },
      bodySerializer: multipart,
    }),
    200,
  );
}

/** Creates a screening of a person on the list of the United Nations. */
export async function newScreening(service: TestService, tenant: Tenant, as?: Credential): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/screenings', {
      headers: as ?? (await tenant.key(['screening'])),
      body: { subject: { type: 'person', names: ['Sergei Listado Petrov'], dateOfBirth: '1961-04-02' } },
    }),
    201,
  );
  return body.id;
}

/** Creates a subscription that has screened its person once. */
export async function newSubscription(service: TestService, tenant: Tenant): Promise<string> {
  return (await subscriptionOf(service, tenant, await newDecidedApplication(service, tenant))).id;
}

/** Creates an approved application whose subscription has ended. */
export async function newUnwatchedApplication(service: TestService, tenant: Tenant): Promise<string> {
  const applicationId = await newDecidedApplication(service, tenant);
  await service.database.sql(
    `UPDATE monitoring_subscription SET status = 'ended', end_reason = 'rejected', waiting_for = NULL
      WHERE application_id = $1`,
    [applicationId],
  );
  return applicationId;
}

/** Creates an alert about a person on the list of the United Nations who was approved nevertheless. */
export async function newAlert(service: TestService, tenant: Tenant): Promise<string> {
  const { id } = await subscriptionOf(
    service,
    tenant,
    await newDecidedApplication(service, tenant, { fullName: 'Sergei Listado Petrov', dateOfBirth: '1961-04-02' }),
  );
  const [alert] = await service.database.sql<{ id: string }>(
    `SELECT id FROM monitoring_alert WHERE subscription_id = $1 ORDER BY severity <> 'critical', id LIMIT 1`,
    [id],
  );
  return alert!.id;
}

/** Returns the subscription that an approval created, after its first run. */
async function subscriptionOf(
  service: TestService,
  tenant: Tenant,
  applicationId: string,
): Promise<{ readonly id: string }> {
  return done(service, 'the first run of a subscription', async () => {
    const [found] = await service.database.sql<{ id: string; waiting_for: string | null }>(
      'SELECT id, waiting_for FROM monitoring_subscription WHERE tenant_id = $1 AND application_id = $2',
      [tenant.id, applicationId],
    );
    return found?.waiting_for === null ? found : null;
  });
}

/**
 * Runs tasks until `result` returns a value. Another test may be running the task, or the task may wait for lists that
 * are being loaded.
 */
export async function done<T>(service: TestService, what: string, result: () => Promise<T | null>): Promise<T> {
  const until = performance.now() + LONGEST_WAIT;
  for (;;) {
    await service.running.runTasks();
    const found = await result();
    if (found !== null) return found;
    if (performance.now() > until) throw new Error(`${what} is not done`);
    await setTimeout(50);
  }
}

/** Creates a screening with a decision about a hit. */
export async function newHitDecision(service: TestService, tenant: Tenant, as: Credential): Promise<void> {
  const screeningId = await newScreening(service, tenant, as);
  const hitId = await firstHit(service, tenant, screeningId, as);
  await success(
    service.api.POST('/v1/screenings/{screeningId}/hits/{hitId}/adjudicate', {
      params: { path: { screeningId, hitId } },
      headers: await tenant.user('compliance_officer'),
      body: { status: 'inconclusive', reasonCode: 'insufficient_data', note: 'Nothing but the name is known.' },
    }),
    200,
  );
}

/**
 * Creates an allowlist entry: a person with the name of someone on the list of the United Nations, in the environment
 * of `as`.
 */
export async function newAllowlistEntry(service: TestService, tenant: Tenant, as?: Credential): Promise<string> {
  const headers = as ?? (await tenant.key(['screening']));
  const {
    body: { id: screeningId },
  } = await success(
    service.api.POST('/v1/screenings', {
      headers,
      body: { subject: { type: 'person', names: ['Yussuf Haddad'] }, lists: ['un-csnu'], criteria: { threshold: 0.5 } },
    }),
    201,
  );
  const hitId = await firstHit(service, tenant, screeningId, headers);
  await success(
    service.api.POST('/v1/screenings/{screeningId}/hits/{hitId}/adjudicate', {
      params: { path: { screeningId, hitId } },
      headers: await tenant.user('compliance_officer'),
      body: {
        status: 'false_positive',
        reasonCode: 'name_only',
        note: 'Was born twenty years later.',
        allowlist: { expiresAt: new Date(service.running.services.clock().getTime() + 86_400_000).toISOString() },
      },
    }),
    200,
  );
  const [entry] = await service.database.sql<{ id: string }>(
    'SELECT id FROM allowlist_entry WHERE tenant_id = $1 AND screening_id = $2',
    [tenant.id, screeningId],
  );
  return entry!.id;
}

export async function firstHit(
  service: TestService,
  tenant: Tenant,
  screeningId: string,
  as?: Credential,
): Promise<string> {
  const {
    body: {
      hits: [hit],
    },
  } = await success(
    service.api.GET('/v1/screenings/{screeningId}', {
      params: { path: { screeningId } },
      headers: as ?? (await tenant.key(['screening'])),
    }),
  );
  return hit!.id;
}
