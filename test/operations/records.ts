import { setTimeout } from 'node:timers/promises';
import { uuidv7 } from '../../server/base/uuid.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { startRun } from '../../server/simulators/directory/index.ts';
import { multipart, success } from '../support/api.ts';
import { ownListCsv } from '../support/watch-lists.ts';
import { named } from '../support/courses.ts';
import { takeInRecovery } from '../support/recoveries.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { maria } from './people.ts';
import { newAddress } from './call.ts';
import { LONGEST_WAIT } from '../../scripts/test/limits.ts';

type Params = Record<string, string>;
type Make = (service: TestService, tenant: Tenant, made: Params) => Promise<string>;

/** Creates a new record of the tenant for each path parameter that names one. */
const makers: Readonly<Record<string, Make>> = {
  prefix: newKey,
  applicationId: (service, tenant) => newApplication(service, tenant),
  documentId: (service, tenant, { applicationId = '' }) => newDocument(service, tenant, applicationId),
  decisionId: async (service, tenant, params) => Object.assign(params, await newDecision(service, tenant)).decisionId,
  userId: async (_, tenant) => (await tenant.person('analyst')).id,
  invitationId: newInvitation,
  eventId: newEvent,
  exportId: newExport,
  fundsRecoveryId: (service, tenant) => takeInRecovery(service.database.database, tenant.id),
  runId: newRun,
  screeningId: (service, tenant) => newScreening(service, tenant),
  subscriptionId: (service, tenant) => newSubscription(service, tenant),
  alertId: (service, tenant) => newAlert(service, tenant),
  allowlistEntryId: (service, tenant) => newAllowlistEntry(service, tenant),
  hitId: (service, tenant, { screeningId = '' }) => firstHit(service, tenant, screeningId),
  tenantId: async (service) => (await service.tenant()).id,
};

/** Returns whether a path names a record that only its tenant may see. */
export function namesRecord({ path }: Pick<Operation, 'path'>): boolean {
  return parametersIn(path).some((name) => name in makers && name !== 'tenantId');
}

/** Creates a record for each path parameter of the operation that names one. */
export async function paramsOf(
  service: TestService,
  tenant: Tenant,
  { path }: Pick<Operation, 'path'>,
): Promise<Params> {
  const params: Params = {};
  for (const name of parametersIn(path)) {
    const make = makers[name];
    if (make !== undefined) params[name] = await make(service, tenant, params);
  }
  return params;
}

function parametersIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

async function newKey(service: TestService, tenant: Tenant): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/settings/api-keys', {
      headers: await tenant.key(['admin']),
      body: { name: 'Back end', environment: 'live', scopes: ['read', 'write'] },
    }),
  );
  return body.apiKey.prefix;
}

/** Creates an application of a new person, complete enough to be submitted. */
export async function newApplication(service: TestService, tenant: Tenant, as?: Credential): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/applications', {
      headers: as ?? (await tenant.key(['write'])),
      body: { ...maria(), level: 'basic' },
    }),
  );
  return body.id;
}

export async function newDocument(
  service: TestService,
  tenant: Tenant,
  applicationId: string,
  as?: Credential,
): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/applications/{applicationId}/documents', {
      params: { path: { applicationId } },
      headers: as ?? (await tenant.key(['write'])),
      body: { type: 'passport', side: 'single', file: new Blob([new Uint8Array(jpeg())]) },
      bodySerializer: multipart,
    }),
    201,
  );
  return body.id;
}

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

/** Creates a waiver of the proof of address, which the level must require. */
export async function newWaiver(service: TestService, tenant: Tenant, applicationId: string): Promise<void> {
  await success(
    service.api.PATCH('/v1/applications/{applicationId}', {
      params: { path: { applicationId } },
      headers: await tenant.key(['write']),
      body: { level: 'enhanced' },
    }),
  );
  await success(
    service.api.POST('/v1/applications/{applicationId}/waivers', {
      params: { path: { applicationId } },
      headers: await tenant.user('compliance_officer'),
      body: {
        action: 'granted',
        requirementKey: 'proof_of_address',
        reasonCode: 'not_obtainable',
        note: 'Lives at a relative.',
      },
    }),
    201,
  );
}

/** Creates an attestation of the content of a document of the application. */
export async function newAttestation(
  service: TestService,
  tenant: Tenant,
  applicationId: string,
  evidenceDocumentId: string,
): Promise<void> {
  await success(
    service.api.POST('/v1/applications/{applicationId}/attestations', {
      params: { path: { applicationId } },
      headers: await tenant.user('analyst'),
      body: {
        requirementKey: 'adverse_media_clear',
        outcome: 'pass',
        source: 'News, by name',
        lookedUpAt: service.running.services.clock().toISOString(),
        note: 'Nothing was found.',
        evidenceDocumentId,
      },
    }),
    201,
  );
}

/** Creates a draft that lacks what the highest level requires. */
export async function newUnmetApplication(service: TestService, tenant: Tenant): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/applications', {
      headers: await tenant.key(['write']),
      body: { purpose: 'account_opening', level: 'enhanced', applicant: { fullName: 'Maria da Silva' } },
    }),
  );
  return body.id;
}

/** Creates a consent to advertising, which can be withdrawn. */
export async function newConsent(
  service: TestService,
  tenant: Tenant,
  applicationId: string,
  as?: Credential,
): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/applications/{applicationId}/consents', {
      params: { path: { applicationId } },
      headers: as ?? (await tenant.key(['write'])),
      body: {
        action: 'granted',
        purpose: 'marketing',
        legalBasis: 'consent',
        textVersion: '1',
        textSha256: '0'.repeat(64),
        locale: 'pt-BR',
        channel: 'web',
        capturedAt: '2026-11-01T08:00:00.000Z',
      },
    }),
    201,
  );
  return body.id;
}

interface InReview {
  readonly applicationId: string;
  readonly evidenceDigest: string;
}

/** Creates an application in review, of a person who by default declares no public office. */
export async function newReviewedApplication(
  service: TestService,
  tenant: Tenant,
  pepDeclaration: { readonly isPep: boolean } | null = null,
  applicant: Partial<ReturnType<typeof maria>['applicant']> = {},
): Promise<InReview> {
  const headers = await tenant.key(['write']);
  const draft = maria();
  const { body } = await success(
    service.api.POST('/v1/applications', {
      headers,
      body: {
        ...draft,
        level: 'basic',
        submit: true,
        applicant: { ...draft.applicant, pepDeclaration, ...applicant },
      },
    }),
  );
  return { applicationId: body.id, evidenceDigest: body.evidenceDigest ?? '' };
}

/** Creates an approval that an analyst has proposed and that waits for the second reviewer. */
export async function newDecision(
  service: TestService,
  tenant: Tenant,
): Promise<InReview & { readonly decisionId: string }> {
  const { applicationId, evidenceDigest } = await newReviewedApplication(service, tenant, { isPep: true });
  const { body } = await success(
    service.api.POST('/v1/applications/{applicationId}/decisions', {
      params: { path: { applicationId } },
      headers: await tenant.user('analyst', { purpose: 'proposes' }),
      body: {
        outcome: 'approve',
        reasonCodes: ['identity_confirmed'],
        note: 'Passport and address agree.',
        evidenceDigest,
      },
    }),
    202,
  );
  return { applicationId, evidenceDigest, decisionId: body.id };
}

/** Creates an application whose applicant is asked for the date of birth. */
export async function newInformationRequest(service: TestService, tenant: Tenant): Promise<string> {
  const { applicationId } = await newReviewedApplication(service, tenant);
  await success(
    service.api.POST('/v1/applications/{applicationId}/information-requests', {
      params: { path: { applicationId } },
      headers: await tenant.user('analyst', { purpose: 'proposes' }),
      body: {
        items: [
          { requirementKey: 'identity_data', reasonCode: 'date_unlikely', messageToApplicant: 'When were you born?' },
        ],
      },
    }),
    201,
  );
  return applicationId;
}

export async function newDecidedApplication(
  service: TestService,
  tenant: Tenant,
  applicant: Partial<ReturnType<typeof maria>['applicant']> = {},
): Promise<string> {
  const { applicationId, evidenceDigest } = await newReviewedApplication(service, tenant, null, applicant);
  // The applicant has not been screened, so two people must agree.
  const {
    body: { id: decisionId },
  } = await success(
    service.api.POST('/v1/applications/{applicationId}/decisions', {
      params: { path: { applicationId } },
      headers: await tenant.key(['write']),
      body: {
        outcome: 'approve',
        reasonCodes: ['identity_confirmed'],
        note: 'Passport and address agree.',
        evidenceDigest,
      },
    }),
    202,
  );
  await success(
    service.api.POST('/v1/applications/{applicationId}/decisions/{decisionId}/review', {
      params: { path: { applicationId, decisionId } },
      headers: await tenant.user('compliance_officer'),
      body: { verdict: 'confirm', note: 'Seen with my own eyes.', evidenceDigest },
    }),
    200,
  );
  return applicationId;
}

async function newInvitation(service: TestService, tenant: Tenant): Promise<string> {
  const { body, text } = await success(
    service.api.POST('/v1/users/invitations', {
      headers: await tenant.key(['admin']),
      body: { email: newAddress(), role: 'analyst', name: 'Bruno Lima' },
    }),
    201,
  );
  if (body.invitation == null) throw new Error(text);
  return body.invitation.id;
}

/** Creates a run of a recovery, whether or not the sandbox is enabled, and without a follower. */
export async function newRun(service: TestService, tenant: Tenant): Promise<string> {
  const runId = uuidv7();
  await service.database.database.transaction({ tenantId: tenant.id }, (tx) =>
    startRun(tx, service.running.services.clock(), named('happy-path'), {
      runId,
      role: 'SENT',
      amount: '812.40',
      pace: 'stepped',
      onTimeout: null,
      situation: 'SCAM',
    }),
  );
  return runId;
}

/** Returns the newest event of the tenant's chain. */
async function newEvent(service: TestService, tenant: Tenant): Promise<string> {
  await newKey(service, tenant);
  const [event] = await service.database.sql<{ id: string }>(
    'SELECT id FROM audit_event WHERE tenant_id = $1 ORDER BY sequence DESC LIMIT 1',
    [tenant.id],
  );
  if (event === undefined) throw new Error('nothing was recorded');
  return event.id;
}

/** Creates an export that can be downloaded. */
async function newExport(service: TestService, tenant: Tenant): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/audit/exports', { headers: await tenant.key(['admin']), body: { format: 'csv' } }),
  );
  await done(service, 'the export', async () => {
    const [row] = await service.database.sql<{ status: string }>(
      'SELECT status FROM audit_export WHERE tenant_id = $1 AND id = $2',
      [tenant.id, body.id],
    );
    return row?.status === 'ready' ? row : null;
  });
  return body.id;
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
async function newSubscription(service: TestService, tenant: Tenant): Promise<string> {
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
    'SELECT id FROM monitoring_alert WHERE subscription_id = $1 ORDER BY id LIMIT 1',
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
async function done<T>(service: TestService, what: string, result: () => Promise<T | null>): Promise<T> {
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

async function firstHit(service: TestService, tenant: Tenant, screeningId: string, as?: Credential): Promise<string> {
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
