import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation, OperationId } from '../../server/contract/operation.ts';
import { arrange, type Ready } from '../operations.ts';
import { allOperations, everyOperation, takesBody } from '../support/contract.ts';
import { encode } from '../support/encode.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ directory: true });
});
afterAll(() => service.stop());

/** Answer to a call: the record, or an object that contains it. */
type Answered = Readonly<Record<string, unknown>>;
type Path = (answered: Answered, params: Readonly<Record<string, string>>) => string;

interface ReadBack {
  /** Path to read the record, and the record's location in the answer. */
  readonly get?: readonly [
    path: Path,
    record: (body: Answered, answered: Answered, params: Readonly<Record<string, string>>) => unknown,
  ];
  /** Path of the list of such records, and the member that identifies one. */
  readonly list?: readonly [path: string, member: string, value: Path];
  /** Rearranges the record if it shows members of the body elsewhere. */
  readonly as?: (record: Answered) => Answered;
  /** Reasons why members, by their JSON pointers, are not read back. */
  readonly writeOnly?: Readonly<Record<string, string>>;
}

const ORDER = 'it says how to do it and is no member of the record';
const LOGGED = 'it is kept by the audit log only';

const application: ReadBack = {
  get: [({ id }) => `/v1/applications/${id as string}`, (body) => body],
  list: ['/v1/applications?limit=100&sort=-createdAt', 'id', ({ id }) => id as string],
  writeOnly: { '/submit': ORDER },
};
const decision: ReadBack = {
  get: [
    (_, { applicationId }) => `/v1/applications/${applicationId ?? ''}`,
    ({ decisions }, { id }) => (decisions as Answered[]).find((made) => made['id'] === id),
  ],
};
const screening: ReadBack = {
  get: [({ id }) => `/v1/screenings/${id as string}`, (body) => body],
  as: (record) => ({ ...record, lists: (record['lists'] as { listId: string }[]).map(({ listId }) => listId) }),
};
const subscription: ReadBack = {
  get: [({ id }) => `/v1/monitoring/subscriptions/${id as string}`, (body) => body],
  list: ['/v1/monitoring/subscriptions?limit=100&sort=-createdAt', 'id', ({ id }) => id as string],
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
const readBackAt: { readonly [Id in OperationId]?: ReadBack } = {
  createApplication: application,
  updateApplication: application,
  withdrawApplication: {
    ...application,
    list: ['/v1/applications?limit=100&status=withdrawn', 'id', ({ id }) => id as string],
    as: ({ status, statusReason, statusNote }) => ({ status, reasonCode: statusReason, note: statusNote }),
  },
  uploadDocument: {
    get: [
      (_, { applicationId }) => `/v1/applications/${applicationId ?? ''}`,
      ({ documents }, { id }) => (documents as Answered[]).find((document) => document['id'] === id),
    ],
    writeOnly: { '/file': 'its bytes are what a download answers' },
  },
  recordConsent: {
    get: [
      (_, { applicationId }) => `/v1/applications/${applicationId ?? ''}`,
      ({ consents }, { id }) => (consents as Answered[]).find((consent) => consent['id'] === id),
    ],
  },
  reopenApplication: {
    ...application,
    writeOnly: { '/requestedBy': LOGGED },
    as: ({ statusReason, statusNote }) => ({ reasonCode: statusReason, note: statusNote }),
  },
  endRelationship: {
    ...application,
    writeOnly: { '/reasonCode': LOGGED },
    as: ({ relationshipEndedAt, statusNote }) => ({ endedAt: relationshipEndedAt, note: statusNote }),
  },
  createDecision: decision,
  reviewDecision: {
    ...decision,
    as: ({ status, reviewNote, evidenceDigest }) => ({
      verdict: status === 'effective' ? 'confirm' : 'return',
      note: reviewNote,
      evidenceDigest,
    }),
  },
  recordWaiver: {
    get: [
      (_, { applicationId }) => `/v1/applications/${applicationId ?? ''}`,
      ({ waivers }, { id }) => (waivers as Answered[]).find((waiver) => waiver['id'] === id),
    ],
  },
  recordAttestation: {
    get: [
      (_, { applicationId }) => `/v1/applications/${applicationId ?? ''}`,
      ({ attestations }, { id }) => (attestations as Answered[]).find((attestation) => attestation['id'] === id),
    ],
  },
  createInformationRequest: {
    get: [
      (_, { applicationId }) => `/v1/applications/${applicationId ?? ''}`,
      ({ informationRequests }, { id }) => (informationRequests as Answered[]).find((request) => request['id'] === id),
    ],
  },
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
const notReadBack: { readonly [Id in OperationId]?: string } = {
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
  resetUserMfa: LOGGED,
  goLive: LOGGED,
  dismissChecklistStep: LOGGED,
  eraseApplication: LOGGED,
  eraseScreening: LOGGED,
  returnWatchListProposal: LOGGED,
  rotateApiKey: 'a period, from which the end of the rotation is computed',
  createSimulation: 'an order',
  advanceRecoveryRun: 'an order',
  armDirectoryFault: 'an order',
  acknowledgeFundsRecoveryEvents: 'a position, of which onboarding tests that it is kept',
};

/**
 * Derives where to read back: a post to a list is found in the list by its id, a change to a readable path is read
 * there.
 */
function atItsPath({ method, path }: Operation): ReadBack | null {
  const reader = allOperations.find((other) => other.path === path && other.method === 'get');
  if (reader === undefined) return null;
  if (method === 'post')
    return reader.pagination === null ? null : { list: [`${path}?limit=100`, 'id', ({ id }) => id as string] };
  return { get: [(_, params) => filled(path, params), (body) => body] };
}

const filled = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

const withBody = everyOperation.filter(takesBody);
const readable = withBody
  .filter(({ operationId }) => !(operationId in notReadBack))
  .map((written) => ({
    written,
    id: written.operationId,
    where: readBackAt[written.operationId] ?? atItsPath(written),
  }));

/** Returns every value of a body by its JSON pointer; a list is one value. */
function leavesOf(value: unknown, pointer = ''): [pointer: string, value: unknown][] {
  if (
    value === null ||
    typeof value !== 'object' ||
    Array.isArray(value) ||
    Buffer.isBuffer(value) ||
    value instanceof Uint8Array
  )
    return [[pointer, value]];
  return Object.entries(value).flatMap(([member, inner]) => leavesOf(inner, `${pointer}/${member}`));
}

const at = (record: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value, member) => (value as Answered | null | undefined)?.[member], record);

/** Returns the members whose values differ from what was written, with the values of the record. */
function lost(record: unknown, body: object, { as = (own) => own, writeOnly = {} }: ReadBack): Record<string, unknown> {
  const read = leavesOf(body).filter(
    ([pointer]) =>
      !Object.keys(writeOnly).some((excluded) => pointer === excluded || pointer.startsWith(`${excluded}/`)),
  );
  const shown = as(record as Answered);
  const differing = read
    .map(([pointer, written]) => [pointer, written, at(shown, pointer)] as const)
    .filter(([, written, found]) => !isDeepStrictEqual(comparable(found), comparable(written)));
  return Object.fromEntries(differing.map(([pointer, written, found]) => [pointer, { written, found }]));
}

/** Normalises a value: the order of scopes and similar lists has no meaning, and letters of numbers become capitals. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [...value].sort();
  return typeof value === 'string' ? value.toUpperCase() : value;
}

it('knows of every operation with a body where it is read back, or why not', () => {
  expect(
    readable.filter(({ where }) => where === null).map(({ id }) => id),
    'name them in `readBackAt` or in `notReadBack`',
  ).toEqual([]);
  const named = [...Object.keys(readBackAt), ...Object.keys(notReadBack)];
  expect(
    named.filter((id) => !withBody.some(({ operationId }) => operationId === id)),
    'these have no body',
  ).toEqual([]);
});

describe.each(readable.flatMap(({ where, ...of }) => (where === null ? [] : [{ ...of, where }])))(
  '$id',
  ({ id, written, where }) => {
    it.each(['body', 'otherBody'] as const)(
      'stores every member of its %s for readers of the record and the list',
      async (which) => {
        const ready: Ready = await arrange(service, await service.tenant(), written);
        const { params, as, headers } = ready;
        const body = ready[which] ?? {};
        const { headers: encoding = {}, ...sent } = encode({ mediaType: written.requestTypes[0] ?? '', value: body });
        const answer = await service.request<Answered>(written.method.toUpperCase(), filled(written.path, params), {
          ...sent,
          as,
          headers: { ...encoding, ...headers },
        });
        expect(answer.status, answer.text).toBeLessThan(300);
        const reader =
          id === 'updateSettings' || written.path.startsWith('/v1/admin/') ? as : await ready.tenant.user('owner');
        if (where.get !== undefined) {
          const [pathOf, recordOf] = where.get;
          const { body: found } = await service.request<Answered>('GET', pathOf(answer.body, params), { as: reader });
          expect(lost(recordOf(found, answer.body, params), body, where), 'what is read').toEqual({});
        }
        if (where.list !== undefined) {
          const [listed, member, value] = where.list;
          const {
            body: { items },
            text,
          } = await service.request<{ items: Answered[] }>('GET', filled(listed, params), { as: reader });
          const item = items.find((record) => record[member] === value(answer.body, params));
          expect(item, text).toBeDefined();
          expect(lost(item, body, where), 'what is listed').toEqual({});
        }
      },
    );
  },
);
