/**
 * Handlers that are wrong, each in one way. None may compile, and each for its own reason: the text in brackets is part
 * of the compiler's message. The type layer makes them errors; `mistakes.test.ts` compiles this file.
 */
import { appendAudit } from '../../server/audit/chain.ts';
import type { AuditEvent } from '../../server/audit/store.ts';
import type { components } from '../../server/contract/generated/types.ts';
import { Problem } from '../../server/contract/problem.ts';
import type { Transaction } from '../../server/database/transaction.ts';
import { type Handlers, type HandlersOf, registry, type Reply } from '../../server/request/handler.ts';

declare const groups: Handlers;
declare const application: components['schemas']['Application'];
declare const apiKey: components['schemas']['ApiKey'];
declare const sandboxStatus: components['schemas']['SandboxStatus'];
const feed = { 'X-Poll-Interval': 60, 'X-Next-Poll-At': '2026-11-03T13:00:00.000Z' };

// ── what is answered ──

export const answers = {
  ...groups,
  // @ts-expect-error 1 a required member of the body is missing ['{ id: Uuid; }']
  getApplication: ({ reply }) => reply(200, { id: application.id }, { ETag: '"1"' }),
  // @ts-expect-error 2 a status that the contract does not have ['206']
  listApplications: ({ reply }) => reply(206, { items: [], cursor: null, hasMore: false }),
  // @ts-expect-error 3 a member that the contract does not have, in a literal after a spread ['never']
  updateApplication: ({ reply }) => reply(200, { ...application, secret: 'leak' }, { ETag: '"1"' }),
  // @ts-expect-error 4 a required response header is missing [Location]
  createApplication: ({ reply }) => reply(201, application, { ETag: '"1"' }),
  // @ts-expect-error 5 a value that is not in the enumeration ['"nope"']
  submitApplication: ({ reply }) => reply(202, { ...application, status: 'nope' }, { ETag: '"1"' }),
  // @ts-expect-error 6 an object instead of a reply ['{ status: number;]
  withdrawApplication: () => ({ status: 200, body: application }),
  downloadDocument: ({ reply }) =>
    // @ts-expect-error 7 a media type that the contract does not have ['"image/gif"']
    reply(200, { type: 'image/gif', data: Buffer.alloc(0) }, { 'Content-Disposition': 'attachment' }),
} satisfies HandlersOf<'applications'>;

const row = { ...application, passwordHash: 'leak' };
export const rows = {
  // @ts-expect-error 8 a row with extra columns, which is no fresh literal [passwordHash]
  getApplication: ({ reply }) => reply(200, row, { ETag: '"1"' }),
  listApplications: ({ reply }) => {
    const items = [{ ...application, applicant: { ...application.applicant, internal: 1 } }];
    // @ts-expect-error 9 an extra member deep inside a list [internal]
    return reply(200, { items, cursor: null, hasMore: false });
  },
} satisfies Pick<Handlers, 'getApplication' | 'listApplications'>;

export const shapes = {
  // @ts-expect-error 10 a body where the contract has none [Expected 1 arguments, but got 2]
  revokeUserSessions: ({ reply }) => reply(204, apiKey),
  // @ts-expect-error 11 an error as a reply instead of a thrown problem ['404']
  updateApiKey: ({ reply }) => reply(404, apiKey, { ETag: '"1"' }),
  // @ts-expect-error 12 a header that only the pipeline may set [Expected 2 arguments, but got 3]
  listApiKeys: ({ reply }) => reply(200, { items: [], cursor: null, hasMore: false }, { 'X-Request-Id': 'forged' }),
  // @ts-expect-error 13 a Date where the wire has a string ['Date']
  replaceApiKeyScopes: ({ reply }) => reply(200, { ...apiKey, createdAt: new Date() }, { ETag: '"1"' }),
  // @ts-expect-error 14 the secret of a new key on a resource that never carries it ['never']
  createApiKey: ({ reply }) => reply(201, { apiKey: { ...apiKey, secret: 's' }, secret: 's' }, { Location: '/' }),
} satisfies Pick<
  Handlers,
  'revokeUserSessions' | 'updateApiKey' | 'listApiKeys' | 'replaceApiKeyScopes' | 'createApiKey'
>;

export const paths = {
  // @ts-expect-error 15 one way through the handler answers nothing ['Handler<"enableSandbox">']
  enableSandbox: ({ reply, signal }) => {
    if (signal.aborted) return;
    return reply(200, sandboxStatus);
  },
  disableSandbox: ({ reply }) => reply(200, sandboxStatus),
  // @ts-expect-error 16 the reply of another operation ['Reply<"disableSandbox">']
  getSandbox: () => null as unknown as Reply<'disableSandbox'>,
  deleteSandboxData: ({ reply }) =>
    // @ts-expect-error 17 a null where the contract does not allow it ['null']
    reply(200, { deleted: { applications: null, documents: 0, fundsRecoveryEvents: 0 }, durationMs: 1 }),
} satisfies HandlersOf<'sandbox'>;

// ── what is asked ──

export const requests = {
  // @ts-expect-error 18 a path parameter that does not exist ['application_id']
  getApplication: ({ params, reply }) => reply(200, { ...application, id: params.application_id }, { ETag: '"1"' }),
  createApplication: ({ headers, reply }) =>
    // @ts-expect-error 19 a header in the case of the contract instead of lower case ['Idempotency-Key']
    reply(201, { ...application, id: headers['Idempotency-Key'] }, { ETag: '"1"', Location: '/' }),
  // @ts-expect-error 20 a query parameter that does not exist ['page']
  listApplications: ({ query, reply }) => reply(200, { items: [], cursor: query.page, hasMore: false }),
  // @ts-expect-error 21 a body member that the request does not have ['reason']
  withdrawApplication: ({ body, reply }) => reply(200, { ...application, statusReason: body.reason }, { ETag: '"1"' }),
  uploadDocument: ({ body }) => {
    // @ts-expect-error 22 the bytes of an upload as a member of its fields ['file']
    throw new Error(String(body.file));
  },
  // @ts-expect-error 23 a file where the operation takes none ['files' is possibly 'undefined']
  submitApplication: ({ files, reply }) => reply(202, { ...application, id: files.file }, { ETag: '"1"' }),
} satisfies Partial<Handlers>;

// ── who asks, and what is recorded ──

export const callers = {
  listFundsRecoveryEvents: ({ principal, reply }) =>
    // @ts-expect-error 24 a kind of caller that the operation does not accept ['"api_key"']
    reply(200, { events: [], cursor: principal.kind === 'api_key' ? 'a' : null, hasMore: false }, feed),
  login: ({ principal }) => {
    // @ts-expect-error 25 the principal of a public operation ['principal' is possibly 'null']
    throw new Error(principal.tenantId);
  },
  updateApplication: ({ audit, reply }) => {
    // @ts-expect-error 26 an audit event that the contract does not announce ['"application.deleted"']
    audit('application.deleted', { type: 'application', id: application.id });
    return reply(200, application, { ETag: '"1"' });
  },
  submitApplication: ({ audit }) => {
    // @ts-expect-error 38 an audit event about a resource that the action is not about ['"document"']
    audit('application.submitted', { type: 'document', id: application.id });
    throw new Error();
  },
} satisfies Partial<Handlers>;

declare const tx: Transaction;
declare const event: Omit<AuditEvent, 'action' | 'resource'>;
export const jobs = {
  // @ts-expect-error 39 an audit event of a job that the contract does not declare ['"document.lost"']
  lose: () => appendAudit(tx, { ...event, action: 'document.lost', resource: { type: 'document', id: null } }),
  erase: () =>
    // @ts-expect-error 40 an audit event of a job about another resource than declared ['"application"']
    appendAudit(tx, { ...event, action: 'document.file_erased', resource: { type: 'application', id: null } }),
};

export const rights = {
  enableSandbox: async ({ stepUp, reply }) => {
    // @ts-expect-error 33 a second factor of a request that cannot carry one [possibly 'null']
    await stepUp();
    return reply(200, sandboxStatus);
  },
  goLive: ({ principal }) => {
    // @ts-expect-error 34 the key of a caller that is always a person ['prefix']
    throw new Error(principal.prefix);
  },
  // @ts-expect-error 35 the time of an environment as API keys call it ['"test"']
  getSandbox: ({ timeIn, reply }) => reply(200, { ...sandboxStatus, enabledAt: timeIn('test').toISOString() }),
  // @ts-expect-error 36 the instant of a clock where the wire has a string ['BusinessTime']
  disableSandbox: ({ timeIn, reply }) => reply(200, { ...sandboxStatus, enabledAt: timeIn('sandbox') }),
  resetUserMfa: ({ body }) => {
    // @ts-expect-error 37 the code of the second factor, which the pipeline has judged, as a member of the body ['totpCode']
    throw new Error(body.totpCode);
  },
} satisfies Partial<Handlers>;

export const refusals = {
  getApplication: () => {
    // @ts-expect-error 27 a problem code that is not in the catalogue ['"no_such_problem"']
    throw new Problem('no_such_problem');
  },
  submitApplication: () => {
    // @ts-expect-error 28 a problem without the members its code requires [Expected 2 arguments, but got 1]
    throw new Problem('invalid_state_transition');
  },
} satisfies Partial<Handlers>;

// ── what is there ──

export const incomplete = {
  getOnboardingChecklist: groups.getOnboardingChecklist,
  dismissChecklistStep: groups.dismissChecklistStep,
  // @ts-expect-error 29 an operation of the group is missing ['goLive' is missing]
} satisfies HandlersOf<'onboarding'>;

export const superfluous = {
  getSandbox: groups.getSandbox,
  enableSandbox: groups.enableSandbox,
  disableSandbox: groups.disableSandbox,
  deleteSandboxData: groups.deleteSandboxData,
  createSimulation: groups.createSimulation,
  // @ts-expect-error 30 an operation that is not in the contract ['resetSandbox']
  resetSandbox: groups.getSandbox,
} satisfies HandlersOf<'sandbox'>;

const { createToken: _oauth, ...withoutOauth } = groups;
// @ts-expect-error 31 the registry lacks a group ['createToken' is missing]
registry(withoutOauth);

const legacy = {
  oldOperation: () => {
    throw new Error();
  },
};
// @ts-expect-error 32 a key that is no operation, brought along by a spread [oldOperation]
registry({ ...groups, ...legacy });
