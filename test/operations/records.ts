/**
 * Creates a record for each path parameter. Used by the table in test/operations.ts and by tests over all operations.
 */
import { uuidv7 } from '../../server/base/uuid.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { startRun } from '../../server/simulators/directory/index.ts';
import { success } from '../support/api.ts';
import { named } from '../support/courses.ts';
import { takeInRecovery } from '../support/recoveries.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { newAddress } from './call.ts';
import { newApplication, newDocument, newDecision } from './application-records.ts';
import {
  newListActivation,
  newRiskActivation,
  newRiskAssessment,
  newRiskBacktest,
  newRiskModel,
} from './risk-records.ts';
import { newCase, newCaseDocument, newResolution } from './case-records.ts';
import { newBusiness, newBusinessDecision, newBusinessDocument } from './business-records.ts';
import { newOwnedBusiness } from './ownership.ts';
import { newEvaluation, newPower } from './powers.ts';
import { newDifference } from './registry.ts';
import { newReport } from './report-records.ts';
import { newChallenge, newVerification } from './verification-records.ts';
import {
  newActivation,
  newBatch,
  newDraft,
  newIncident,
  newInstance,
  newLockedJob,
  newWorkflowTask,
} from './workflow-records.ts';
import { newScreening, newSubscription, newAlert, newAllowlistEntry, firstHit, done } from './screening-records.ts';

type Params = Record<string, string>;
type Make = (service: TestService, tenant: Tenant, made: Params) => Promise<string>;

/** Creates a new record of the tenant for each path parameter that names one. */
const makers: Readonly<Record<string, Make>> = {
  prefix: newKey,
  applicationId: (service, tenant) => newApplication(service, tenant),
  documentId: (service, tenant, { applicationId = '', businessId, caseId }) => {
    if (businessId !== undefined) return newBusinessDocument(service, tenant, businessId);
    return caseId === undefined
      ? newDocument(service, tenant, applicationId)
      : newCaseDocument(service, tenant, caseId);
  },
  businessId: (service, tenant) => newBusiness(service, tenant),
  powerId: async (service, tenant, params) => {
    params['businessId'] = await newOwnedBusiness(service, tenant);
    return (await newPower(service, tenant, params['businessId'])).id;
  },
  differenceId: (service, tenant, { businessId = '' }) => newDifference(service, tenant, businessId),
  evaluationId: async (service, tenant, { businessId = '' }) => (await newEvaluation(service, tenant, businessId)).id,
  decisionId: async (service, tenant, params) => {
    const { evidenceDigest: _, ...made } =
      params['businessId'] === undefined
        ? await newDecision(service, tenant)
        : await newBusinessDecision(service, tenant);
    return Object.assign(params, made).decisionId;
  },
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
  modelId: (service, tenant) => newRiskModel(service, tenant),
  activationId: async (service, tenant, params) => {
    if (params['modelId'] !== undefined) return newRiskActivation(service, tenant, params['modelId']);
    const newOne = params['workflowDefinitionId'] === undefined ? newListActivation : newActivation;
    return Object.assign(params, await newOne(service, tenant)).activationId;
  },
  backtestId: async (service, tenant) => newRiskBacktest(service, tenant, await newRiskModel(service, tenant)),
  assessmentId: (service, tenant) => newRiskAssessment(service, tenant),
  caseId: (service, tenant) => newCase(service, tenant),
  resolutionId: async (service, tenant, params) =>
    Object.assign(params, await newResolution(service, tenant)).resolutionId,
  reportId: async (service, tenant) => newReport(service, tenant, await newCase(service, tenant)),
  verificationId: (service, tenant) => newVerification(service, tenant),
  challengeId: async (service, tenant) => (await newChallenge(service, tenant)).id,
  hitId: (service, tenant, { screeningId = '' }) => firstHit(service, tenant, screeningId),
  workflowDefinitionId: async (service, tenant) =>
    (await newDraft(service, tenant, { key: 'onboarding' })).workflowDefinitionId,
  workflowInstanceId: (service, tenant) => newInstance(service, tenant),
  workflowIncidentId: (service, tenant) => newIncident(service, tenant),
  workflowJobId: (service, tenant) => newLockedJob(service, tenant),
  workflowBatchId: (service, tenant) => newBatch(service, tenant),
  workflowTaskId: (service, tenant) => newWorkflowTask(service, tenant),
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
  await newApplication(service, tenant);
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
