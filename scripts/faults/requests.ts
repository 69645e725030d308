/**
 * Faults in code that every request passes through. Used by main.ts. The quoted text of each must stand in its file
 * exactly once, so a change of that file must be made here too.
 */
import type { Fault } from './fault.ts';

const AUTHORIZE = 'server/request/authorize.ts';
const AUTHENTICATION = 'server/identity/authentication.ts';
const QUOTA = 'server/identity/rate-limit.ts';
const ENDPOINT = 'server/request/endpoint.ts';
const MATCH = '    matched ||= tag[1] === undefined && tag[2] === current;';

export const ofRequests: readonly Fault[] = [
  {
    breaks: 'Any role may triage an alert.',
    file: AUTHORIZE,
    before: 'if (!roles.has(principal.role) && !isSelf',
    after: "if (operation.operationId !== 'triageAlert' && !roles.has(principal.role) && !isSelf",
  },
  {
    breaks: 'Any scope is enough to create a subscription.',
    file: AUTHORIZE,
    before: 'if (scopes.length > 0 && !principal',
    after: "if (operation.operationId !== 'createSubscription' && scopes.length > 0 && !principal",
  },
  {
    breaks: 'A token of a machine may do what only people may.',
    file: AUTHORIZE,
    before: 'if (operation.humanOnly) throw',
    after: "if (operation.humanOnly && principal.kind === 'api_key') throw",
  },
  {
    breaks: 'A caller who sees persons masked downloads documents.',
    file: AUTHORIZE,
    before: 'if (operation.needsFullData.operation && principal',
    after: "if (operation.needsFullData.operation && operation.method !== 'get' && principal",
  },
  {
    breaks: 'Whoever owes a second factor may read.',
    file: AUTHORIZE,
    before: 'if (owesSecondFactor && !operation.mfaExempt)',
    after: "if (owesSecondFactor && !operation.mfaExempt && operation.method !== 'get')",
  },
  {
    breaks: 'A key keeps the rights of a grantor whose role has become less.',
    file: AUTHORIZE,
    before: 'principal.grantor.roles.every((role)',
    after: 'principal.grantor.roles.some((role)',
  },
  {
    breaks: 'A second factor is asked of those only who send a code.',
    file: ENDPOINT,
    before: 'if (this.operation.stepUp) await',
    after: "if (this.operation.stepUp && input.headers['x-totp-code'] !== undefined) await",
  },
  {
    breaks: 'A refusal of permission is not recorded.',
    file: ENDPOINT,
    before: 'error instanceof Problem && error.status === 403) await',
    after: 'error instanceof Problem && error.status === 402) await',
  },
  {
    breaks: 'The quota of a tenant is counted for each of its keys.',
    file: 'server/request/endpoint-quotas.ts',
    before: 'limits.consume(tenantPolicy(caller.tenantRatePerMinute), caller.principal.tenantId, now)',
    after: 'limits.consume(tenantPolicy(caller.tenantRatePerMinute), caller.principal.client, now)',
  },
  {
    breaks: 'Uploads are not counted.',
    file: QUOTA,
    before: 'if (allowed) window.used++;',
    after: "if (allowed && policy.name !== 'uploads') window.used++;",
  },
  {
    breaks: 'The window of a quota lasts six seconds and says a minute.',
    file: QUOTA,
    before: 'endsAt: now + policy.windowSeconds * 1000 };',
    after: 'endsAt: now + policy.windowSeconds * 100 };',
  },
  {
    breaks: 'The answer to createApplication is not stored under its idempotency key.',
    file: 'server/request/transact.ts',
    before: '    reservation?.keep(',
    after: "    if (execution.operationId !== 'createApplication') reservation?.keep(",
  },
  {
    breaks: 'Another body under a used idempotency key gets the first answer.',
    file: 'server/request/idempotency.ts',
    before: 'if (!record.fingerprint.equals(fingerprint)) throw',
    after: 'if (record.fingerprint.length !== fingerprint.length) throw',
  },
  {
    breaks: 'A stored answer shows in full what its caller may see masked only.',
    file: 'server/request/transact.ts',
    before: "if (personalData && principal.personalData === 'masked') {",
    after: "if (personalData && principal.personalData === 'masked' && environment === 'sandbox') {",
  },
  {
    breaks: 'A stale entity tag is accepted.',
    file: 'server/request/preconditions.ts',
    before: MATCH,
    after: '    matched ||= tag[1] === undefined && Number(tag[2]) <= version;',
  },
  {
    breaks: 'A weak entity tag matches.',
    file: 'server/request/preconditions.ts',
    before: MATCH,
    after: '    matched ||= tag[2] === current;',
  },
  {
    breaks: 'A cursor of another tenant is accepted.',
    file: 'server/request/pagination.ts',
    before: '.update(`${binding.tenantId}\\n${binding.operationId}\\n`)',
    after: '.update(`${binding.operationId}\\n`)',
  },
  {
    breaks: 'A full last page says that more follows.',
    file: 'server/request/pagination.ts',
    before: 'const hasMore = rows.length > limit && last',
    after: 'const hasMore = rows.length >= limit && last',
  },
  {
    breaks: 'The list of addresses of a key does not bind its tokens.',
    file: AUTHENTICATION,
    before: 'if (!isAllowed(ip, record.ipAllowlist)) throw',
    after: "if (kind === 'api_key' && !isAllowed(ip, record.ipAllowlist)) throw",
  },
  {
    breaks: 'A token keeps a scope that its key has lost.',
    file: AUTHENTICATION,
    before: "claims.scopes.filter((scope) => record.scopes.includes(scope) || record.scopes.includes('admin'))",
    after: 'claims.scopes',
  },
  {
    breaks: 'A viewer sees persons in full.',
    file: 'server/identity/grantor.ts',
    before: "new Set<Role>(['owner', 'compliance_officer', 'analyst', 'auditor'])",
    after: "new Set<Role>(['owner', 'compliance_officer', 'analyst', 'auditor', 'viewer'])",
  },
];
