/** Risk models, lists, comparisons and assessments, made before a call about them. */
import { uuidv7 } from '../../server/base/uuid.ts';
import { insertCompared } from '../../server/modules/risk/compared-store.ts';
import { insertComparison } from '../../server/modules/risk/comparison-store.ts';
import { activeModel } from '../../server/modules/risk/versions.ts';
import { success } from '../support/api.ts';
import { smallModel } from '../support/risk-models.ts';
import type { Tenant, TestService } from '../support/service.ts';
import { newReviewedApplication } from './application-records.ts';
import { unique } from './call.ts';

export const newListId = (): string => `list_${unique()}`;

/** Creates a draft of a risk model. */
export async function newRiskModel(service: TestService, tenant: Tenant): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/risk/models', {
      headers: await tenant.user('admin'),
      body: { subjectType: 'individual', definition: smallModel() },
    }),
    201,
  );
  return body.id;
}

export async function riskModel(service: TestService, tenant: Tenant, modelId: string) {
  const { body } = await success(
    service.api.GET('/v1/risk/models/{modelId}', {
      params: { path: { modelId } },
      headers: await tenant.user('admin'),
    }),
    200,
  );
  return body;
}

const NONE = {
  low: 0,
  medium: 0,
  high: 0,
  prohibited: 0,
};

/** Creates a completed backtest of a model, without results of any subject, or one that waits for ever. */
export async function newRiskBacktest(
  service: TestService,
  tenant: Tenant,
  modelId: string,
  status: 'completed' | 'queued' = 'completed',
): Promise<string> {
  const { checksum, number, environment } = await riskModel(service, tenant, modelId);
  const id = uuidv7();
  const now = new Date();
  await service.database.database.transaction({ tenantId: tenant.id }, async (tx) => {
    const active = await activeModel(tx, environment as 'live', 'individual');
    insertComparison(tx, {
      id,
      environment: environment as 'live',
      kind: 'backtest',
      subjectType: 'individual',
      modelId,
      modelNumber: number,
      modelChecksum: checksum,
      baselineId: active.id,
      baselineNumber: active.number,
      baselineChecksum: active.checksum,
      lists: [],
      population: {},
      status,
      taskId: null,
      endsAt: null,
      createdBy: { type: 'system', id: 'test', display: 'test' },
      createdAt: now,
      startedAt: null,
    });
  });
  if (status === 'queued') return id;
  const results = {
    scored: 0,
    unscorable: 0,
    erased: 0,
    levelsBefore: NONE,
    levelsAfter: NONE,
    matrix: [],
    lowShare: { before: 0, after: 0 },
    casesPerDay: { before: 0, after: 0 },
    rejectedCaughtBefore: 0,
    rejectedCaughtAfter: 0,
    approvedNowHigh: 0,
  };
  await service.database.sql('UPDATE risk_comparison SET results = $1, completed_at = $2 WHERE id = $3', [
    JSON.stringify(results),
    now,
    id,
  ]);
  return id;
}

/** Requests the activation of a model by a compliance officer who does nothing else. */
export async function newRiskActivation(service: TestService, tenant: Tenant, modelId: string): Promise<string> {
  const { checksum } = await riskModel(service, tenant, modelId);
  const { body, text } = await success(
    service.api.POST('/v1/risk/models/{modelId}/activate', {
      params: { path: { modelId } },
      headers: await tenant.user('compliance_officer', { purpose: 'proposes' }),
      body: { checksum, backtestId: await newRiskBacktest(service, tenant, modelId) },
    }),
    202,
  );
  if (body.activation === null) throw new Error(text);
  return body.activation.id;
}

/** Writes the draft of a new reference list. Returns its checksum. */
export async function newReferenceList(service: TestService, tenant: Tenant, listId: string): Promise<string> {
  const { body, text } = await success(
    service.api.PUT('/v1/risk/lists/{listId}', {
      params: { path: { listId } },
      headers: await tenant.user('admin'),
      body: { label: 'Countries', source: 'A decree', values: ['IR', 'KP'] },
    }),
    200,
  );
  if (body.draft === null) throw new Error(text);
  return body.draft.checksum;
}

/** Requests the activation of a new list by a compliance officer who does nothing else. */
export async function newListActivation(service: TestService, tenant: Tenant) {
  const listId = newListId();
  const checksum = await newReferenceList(service, tenant, listId);
  const { body, text } = await success(
    service.api.POST('/v1/risk/lists/{listId}/activate', {
      params: { path: { listId } },
      headers: await tenant.user('compliance_officer', { purpose: 'proposes' }),
      body: { checksum },
    }),
    202,
  );
  const activation = body.draft?.activation;
  if (activation == null) throw new Error(text);
  return { listId, activationId: activation.id, evidenceDigest: activation.evidenceDigest };
}

/** Assesses a new application, by its submission. */
export async function newRiskAssessment(service: TestService, tenant: Tenant): Promise<string> {
  const { applicationId } = await newReviewedApplication(service, tenant);
  return assessmentOf(service, tenant, applicationId);
}

/** Returns the id of the current assessment of an application. */
export async function assessmentOf(service: TestService, tenant: Tenant, applicationId: string): Promise<string> {
  const [found] = await service.database.sql<{ id: string }>(
    'SELECT id FROM risk_assessment WHERE tenant_id = $1 AND application_id = $2 AND superseded_by_id IS NULL',
    [tenant.id, applicationId],
  );
  return found!.id;
}

/** Fills every table of risk: an override, a compared subject, and a re-assessment after an activation. */
export async function fillRisk(service: TestService, tenant: Tenant): Promise<void> {
  const { applicationId } = await newReviewedApplication(service, tenant);
  await success(
    service.api.POST('/v1/risk/assessments/{assessmentId}/override', {
      params: { path: { assessmentId: await assessmentOf(service, tenant, applicationId) } },
      headers: await tenant.user('compliance_officer'),
      body: {
        level: 'high',
        reasonCode: 'adverse_information',
        note: 'A newspaper reports an inquiry.',
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      },
    }),
    200,
  );
  const modelId = await newRiskModel(service, tenant);
  const activationId = await newRiskActivation(service, tenant, modelId);
  const { activation, environment } = await riskModel(service, tenant, modelId);
  const { backtestId, evidenceDigest } = activation!;
  await success(
    service.api.POST('/v1/risk/models/{modelId}/activations/{activationId}/review', {
      params: { path: { modelId, activationId } },
      headers: await tenant.user('compliance_officer'),
      body: { verdict: 'confirm', note: 'The movers are expected.', evidenceDigest },
    }),
    200,
  );
  if (environment !== 'live' && environment !== 'sandbox') throw new Error(environment);
  await service.database.database.transaction({ tenantId: tenant.id }, async (tx) =>
    insertCompared(
      tx,
      { kind: 'application', id: applicationId },
      {
        environment,
        comparisonId: backtestId!,
        fromLevel: 'low',
        toLevel: 'high',
        scoreBefore: 100_000,
        scoreAfter: 700_000,
        topFactors: ['age'],
      },
    ),
  );
}
