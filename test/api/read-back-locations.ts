/**
 * Where the body of each changing operation is read back. Used by every-operation-read-back.test.ts, which fails for an
 * operation without an entry that its path does not answer.
 */
import type { Operation, OperationId } from '../../server/contract/operation.ts';
import { allOperations } from '../support/contract.ts';
import { type Answered, LOGGED, ORDER, type ReadBack } from './read-back.ts';
import { readBackOfBusinesses } from './read-back-of-businesses.ts';
import { readBackOfRiskAndCases } from './read-back-of-risk-and-cases.ts';
import { readBackOfWorkflows } from './read-back-of-workflows.ts';

/** Returns where a record is read that its application shows in a list. */
const inApplication = (list: string): ReadBack['get'] => [
  (_, { applicationId }) => `/v1/applications/${applicationId ?? ''}`,
  (application, { id }) => (application[list] as Answered[]).find((record) => record['id'] === id),
];

const application: ReadBack = {
  get: [({ id }) => `/v1/applications/${id as string}`, (body) => body],
  list: ['/v1/applications?limit=100&sort=-createdAt', 'id', ({ id }) => id as string],
  writeOnly: { '/submit': ORDER },
};
const report: ReadBack = { get: [({ id }) => `/v1/cases/reports/${id as string}`, (body) => body] };
const inBusiness = (list: string): ReadBack['get'] => [
  (_, { businessId }) => `/v1/businesses/${businessId ?? ''}`,
  (business, { id }) => (business[list] as Answered[]).find((record) => record['id'] === id),
];
const business: ReadBack = {
  get: [({ id }) => `/v1/businesses/${id as string}`, (body) => body],
  list: ['/v1/businesses?limit=100&sort=-createdAt', 'id', ({ id }) => id as string],
};
const decision: ReadBack = { get: inApplication('decisions') };
const reviewed: Pick<ReadBack, 'as'> = {
  as: ({ status, reviewNote, evidenceDigest }) => ({
    verdict: status === 'effective' ? 'confirm' : 'return',
    note: reviewNote,
    evidenceDigest,
  }),
};
const upload: Pick<ReadBack, 'writeOnly'> = { writeOnly: { '/file': 'its bytes are what a download answers' } };
const withdrawal: Pick<ReadBack, 'as'> = {
  as: ({ status, statusReason, statusNote }) => ({ status, reasonCode: statusReason, note: statusNote }),
};
const reopening: Pick<ReadBack, 'as' | 'writeOnly'> = {
  writeOnly: { '/requestedBy': LOGGED },
  as: ({ statusReason, statusNote }) => ({ reasonCode: statusReason, note: statusNote }),
};
const ending: Pick<ReadBack, 'as' | 'writeOnly'> = {
  writeOnly: { '/reasonCode': LOGGED },
  as: ({ relationshipEndedAt, statusNote }) => ({ endedAt: relationshipEndedAt, note: statusNote }),
};
const screening: ReadBack = {
  get: [({ id }) => `/v1/screenings/${id as string}`, (body) => body],
  as: (record) => ({ ...record, lists: (record['lists'] as { listId: string }[]).map(({ listId }) => listId) }),
};
const subscription: ReadBack = {
  get: [({ id }) => `/v1/monitoring/subscriptions/${id as string}`, (body) => body],
  list: ['/v1/monitoring/subscriptions?limit=100&sort=-createdAt', 'id', ({ id }) => id as string],
};
const verification: ReadBack = {
  get: [({ id }) => `/v1/verifications/${id as string}`, (body) => body],
  list: ['/v1/verifications?limit=100&sort=-createdAt', 'id', ({ id }) => id as string],
};
const tenant: ReadBack = {
  get: [({ id }) => `/v1/admin/tenants/${id as string}`, (body) => body],
  list: ['/v1/admin/tenants?limit=100&sort=-createdAt', 'id', ({ id }) => id as string],
  writeOnly: {
    '/force': ORDER,
    '/ownerEmail': 'of the owner, who is among the people of the tenant',
    '/ownerName': 'the same',
    '/locale': 'it is the first of the settings',
  },
};
const user: ReadBack = {
  get: [({ id }) => `/v1/users/${id as string}`, (body) => body],
  list: ['/v1/users?limit=100&sort=-createdAt', 'id', ({ id }) => id as string],
  writeOnly: { '/unlock': ORDER },
};
const apiKey: ReadBack = {
  list: [
    '/v1/settings/api-keys?limit=100',
    'prefix',
    (answered, { prefix }) => prefix ?? (answered['apiKey'] as { prefix: string }).prefix,
  ],
  writeOnly: { '/force': ORDER },
};

/** Where the content of a body is read back, for operations whose paths do not determine it. */
export const readBackAt: { readonly [Id in OperationId]?: ReadBack } = {
  createApplication: application,
  updateApplication: application,
  withdrawApplication: {
    ...application,
    list: ['/v1/applications?limit=100&status=withdrawn', 'id', ({ id }) => id as string],
    ...withdrawal,
  },
  uploadDocument: { get: inApplication('documents'), ...upload },
  recordConsent: { get: inApplication('consents') },
  reopenApplication: { ...application, ...reopening },
  endRelationship: { ...application, ...ending },
  createDecision: decision,
  reviewDecision: { ...decision, ...reviewed },
  recordWaiver: { get: inApplication('waivers') },
  recordAttestation: { get: inApplication('attestations') },
  createReport: report,
  declareNonOccurrenceReport: report,
  updateReport: report,
  fileReport: report,
  uploadReportDocument: {
    get: [(_, { reportId }) => `/v1/cases/reports/${reportId ?? ''}`, (body) => body],
    writeOnly: { '/file': 'its bytes are in the file for submission' },
  },
  createInformationRequest: { get: inApplication('informationRequests') },
  withdrawBusiness: { ...business, ...withdrawal },
  uploadBusinessDocument: { get: inBusiness('documents'), ...upload },
  reopenBusiness: { ...business, ...reopening },
  endBusinessRelationship: { ...business, ...ending },
  createBusinessDecision: { get: inBusiness('decisions') },
  reviewBusinessDecision: { get: inBusiness('decisions'), ...reviewed },
  recordBusinessWaiver: { get: inBusiness('waivers') },
  recordBusinessAttestation: { get: inBusiness('attestations') },
  createBusinessInformationRequest: { get: inBusiness('informationRequests') },
  createSubscription: subscription,
  updateSubscription: subscription,
  triageAlert: {
    list: ['/v1/monitoring/alerts?limit=100', 'id', ({ id }) => id as string],
    as: ({ triage }) => triage as Answered,
  },
  releaseAlgorithm: {
    get: [() => '/v1/monitoring/coverage', ({ algorithm }) => algorithm as Answered],
    as: ({ releasedVersion, note }) => ({ algorithmVersion: releasedVersion, note }),
  },
  ...readBackOfBusinesses,
  ...readBackOfRiskAndCases,
  createVerification: { ...verification, writeOnly: { '/sandbox': ORDER } },
  overrideVerification: { ...verification, as: ({ override }) => override as Answered },
  createScreening: screening,
  rerunScreening: screening,
  adjudicateHit: {
    get: [
      (_, { screeningId }) => `/v1/screenings/${screeningId ?? ''}`,
      ({ hits }, { id }) => (hits as Answered[]).find((hit) => hit['id'] === id),
    ],
    as: ({ decision }) => decision as Answered,
  },
  createTenant: {
    ...tenant,
    get: [({ tenant: created }) => `/v1/admin/tenants/${(created as Answered)['id'] as string}`, (body) => body],
    list: [
      '/v1/admin/tenants?limit=100&sort=-createdAt',
      'id',
      ({ tenant: created }) => (created as Answered)['id'] as string,
    ],
  },
  updateTenant: tenant,
  replaceTenantStatus: {
    ...tenant,
    // A closure is pending until a second administrator confirms.
    as: ({ status, statusReason, closure }) =>
      closure === null
        ? { status, ...(statusReason as Answered), reasonCode: (statusReason as Answered)['code'] }
        : { status: 'closed', ...(closure as Answered) },
  },
  createInvitation: user,
  updateCurrentUser: {
    get: [({ user: own }) => `/v1/users/${(own as Answered)['id'] as string}`, (body) => body],
  },
  updateUser: user,
  createApiKey: apiKey,
  updateApiKey: apiKey,
  replaceApiKeyScopes: apiKey,
  uploadWatchList: {
    list: ['/v1/admin/screening-lists', 'id', () => 'ofac-consolidated'],
    writeOnly: {
      '/file': 'its bytes are kept with the version',
      '/alt': 'the same',
      '/comments': 'the same',
      '/add': 'the same',
      '/format': 'the format of a version is kept with it',
      '/sha256': 'of several files the checksum of all is shown',
      '/mayBeOlder': ORDER,
      '/force': ORDER,
    },
  },
  replaceOwnList: {
    list: ['/v1/screenings/lists', 'id', () => 'own'],
    writeOnly: { '/file': 'its entries are shown by hits alone' },
  },
  createAuditExport: { get: [({ id }) => `/v1/audit/exports/${id as string}`, (body) => body] },
  ...readBackOfWorkflows,
  startRecoveryScenario: {
    get: [({ id, runId }) => `/v1/sandbox/funds-recovery/runs/${(runId ?? id) as string}`, (body) => body],
    writeOnly: {
      '/amount': 'it is of the transactions that the run makes up',
      '/onTimeout': 'it decides what the directory does later',
      '/situationType': 'it is of the report that the run makes up',
      '/rejectionReason': 'it is of the answer to a report',
      '/refundReason': 'it is of the refunds that the run makes up',
      '/documents': 'it decides which members the documents have',
    },
  },
};

/** Operations whose body is not a record. */
export const notReadBack: { readonly [Id in OperationId]?: string } = {
  createToken: 'credentials',
  login: 'credentials',
  openBrowserSession: 'credentials',
  openBrowserSessionByInvitation: 'credentials',
  refresh: 'credentials',
  logout: 'an order',
  enrollTotp: 'credentials',
  confirmTotp: 'credentials',
  disableTotp: 'credentials',
  requestPasswordReset: 'credentials',
  resetPassword: 'credentials',
  changePassword: 'credentials',
  acceptInvitation: 'credentials, and the name of somebody who is no member of the caller’s tenant yet',
  verifyAuditLog: 'a question',
  previewInvitation: 'a question',
  validateTaxIds: 'a question',
  createLivenessChallenge: 'an order, for an application that the answer names',
  uploadFrames: 'pictures, which a download answers',
  resetUserMfa: LOGGED,
  goLive: LOGGED,
  cancelWorkflowInstance: LOGGED,
  suspendWorkflowInstance: LOGGED,
  resolveWorkflowIncident: LOGGED,
  modifyWorkflowInstance: LOGGED,
  migrateWorkflowInstance: LOGGED,
  activateWorkflowJobs: 'an order of a worker, whose work is shown with its lock',
  reportWorkflowJob: 'an order of a worker, whose variables are those of the instance',
  createWorkflowBatch: LOGGED,
  dismissChecklistStep: LOGGED,
  eraseApplication: LOGGED,
  eraseBusiness: LOGGED,
  createPartyApplications: 'names and a level, which the applications have',
  eraseScreening: LOGGED,
  returnWatchListProposal: LOGGED,
  rotateApiKey: 'a period, from which the end of the rotation is computed',
  createSimulation: 'an order',
  takeNextCase: 'an order',
  assignCases: 'an order',
  advanceRecoveryRun: 'an order',
  armDirectoryFault: 'an order',
  acknowledgeFundsRecoveryEvents: 'a position, of which onboarding tests that it is kept',
};

/**
 * Derives where to read back: a post to a list is found in the list by its id, a change to a readable path is read
 * there.
 */
export function atItsPath({ method, path }: Operation): ReadBack | null {
  const reader = allOperations.find((other) => other.path === path && other.method === 'get');
  if (reader === undefined) return null;
  if (method === 'post')
    return reader.pagination === null ? null : { list: [`${path}?limit=100`, 'id', ({ id }) => id as string] };
  return { get: [(_, params) => filled(path, params), (body) => body] };
}

export const filled = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
