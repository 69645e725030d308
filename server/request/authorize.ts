/**
 * Decides from the contract whether a caller may call an operation, demands a second factor where the contract does,
 * and audits refusals. Used by the endpoint and, as a hint, by the onboarding checklist. It does not decide which
 * records a caller sees: row-level security and the modules do.
 */
import type { RealTime } from '../base/time.ts';
import { appendAudit } from '../audit/chain.ts';
import type { Logger } from '../base/log.ts';
import {
  type AnyPrincipal,
  areaOf,
  auditActorOf,
  type ClientPrincipal,
  type KeyPrincipal,
  type Operation,
  type Role,
  type SchemeName,
  type Scope,
  type UserPrincipal,
} from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import type { Database } from '../database/index.ts';
import { insufficientScope } from '../identity/authentication.ts';
import type { Caller } from '../identity/caller.ts';
import { grantableBy } from '../identity/grantor.ts';
import type { Exchange } from './exchange.ts';

interface Origin {
  readonly requestId: string;
  readonly clientIp: string;
  readonly userAgent: string;
  readonly now: RealTime;
}

/**
 * Verifies the second factor of a request. Returns true if the code is right and unused, or if the request has no code
 * and the session was verified shortly before. A wrong code counts towards the lock-out. Verification runs in
 * transactions of its own, so that a code is used up whatever the outcome of the request.
 */
export type VerifyStepUp = (principal: UserPrincipal, code: string | undefined, origin: Origin) => Promise<boolean>;

/**
 * Requires a second factor. Missing, wrong and replayed codes get the same response, so that a caller cannot tell them
 * apart.
 */
export async function requireStepUp(
  verify: VerifyStepUp,
  { caller, requestId, clientIp, userAgent }: Exchange,
  code: unknown,
  now: RealTime,
): Promise<void> {
  if (caller === null) throw new Problem('step_up_required');
  const { principal } = caller;
  if (principal.kind !== 'user') throw new Problem('human_required');
  const isVerified = await verify(principal, typeof code === 'string' ? code : undefined, {
    requestId,
    clientIp,
    userAgent,
    now,
  });
  if (!isVerified) throw new Problem('step_up_required');
}

/**
 * Records in the audit log that the request of an authenticated caller was refused: in the sealed one if the operation
 * is sealed.
 */
export class AccessDenialAudit {
  readonly #database: Database;
  readonly #clock: () => Date;
  readonly #log: Logger;

  constructor(database: Database, clock: () => Date, log: Logger) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
  }

  async record(
    { operationId, sealed }: Operation,
    { caller, requestId, clientIp, userAgent }: Exchange,
    denial: Problem,
  ): Promise<void> {
    if (caller === null) return;
    const { principal, environment } = caller;
    try {
      const auditChain = sealed.length > 0 ? 'sealed' : 'open';
      await this.#database.transaction({ tenantId: principal.tenantId, auditChain }, async (tx) =>
        appendAudit(tx, {
          occurredAt: this.#clock().toISOString(),
          environment,
          action: 'access.denied',
          outcome: 'denied',
          reason: denial.code,
          actor: auditActorOf(principal),
          resource: { type: 'operation', id: operationId },
          requestId,
          ip: clientIp,
          userAgent,
        }),
      );
    } catch (error) {
      // The request is refused even if the refusal cannot be recorded.
      this.#log.error({ requestId, err: error }, 'a denial could not be recorded');
    }
  }
}

/** Tells whether the operation exists for the caller: a sealed one does for people with one of its roles alone. */
export function isShown({ sealed }: Pick<Operation, 'sealed'>, principal: AnyPrincipal): boolean {
  return sealed.length === 0 || (principal.kind === 'user' && sealed.some((role) => role === principal.role));
}

type MachinePrincipal = KeyPrincipal | ClientPrincipal;

/** Returns the refusal of a key or a token that has none of the scopes, in the form of its credential (RFC 6750). */
export function scopeRefusal({ kind }: Pick<MachinePrincipal, 'kind'>, scopes: readonly string[]): Problem {
  const problem = new Problem('insufficient_scope', { requiredScopes: scopes });
  return kind === 'oauth_client' ? problem.with(insufficientScope(scopes)) : problem;
}

type Authorize = (
  caller: Pick<Caller, 'principal' | 'owesSecondFactor' | 'visible'>,
  pathValues: readonly string[],
) => void;

/**
 * Decides from the contract alone whether a caller may call an operation. For machines, the scopes, the role of the
 * key's grantor and the environment that the key is pinned to decide; for people, a second factor that they still have
 * to set up, then the roles. Which records the caller may use is decided later, by row-level security and by the
 * module.
 */
export function authorizer(operation: Operation): Authorize {
  const sufficient = {
    api_key: sufficientScopes(operation, 'apiKey'),
    oauth_client: sufficientScopes(operation, 'oauth2'),
  };
  const roles = new Set<Role>(operation.roles);
  const isSelf = ownRecord(operation);
  const grantable = grantableBy(operation);
  const changesSandbox = areaOf(operation).isSandbox === true && operation.method !== 'get';

  const assertMachine = (principal: MachinePrincipal, visible: Caller['visible']): void => {
    if (operation.humanOnly) throw new Problem('human_required');
    const scopes = sufficient[principal.kind];
    if (scopes.length > 0 && !principal.scopes.some((scope) => scope === 'admin' || scopes.includes(scope))) {
      throw scopeRefusal(principal, scopes);
    }
    if (!principal.grantor.roles.every((role) => grantable(role, principal.keyEnvironment))) {
      throw new Problem('role_forbidden', { detail: 'The role of the person who granted the key may not do this.' });
    }
    if (changesSandbox && !visible.includes('sandbox')) throw new Problem('key_pinned_to_live');
  };

  return ({ principal, owesSecondFactor, visible }, pathValues) => {
    if (!isShown(operation, principal)) throw new Problem('not_found');
    if (principal.kind === 'user') {
      if (owesSecondFactor && !operation.mfaExempt) throw new Problem('mfa_enrolment_required');
      if (!roles.has(principal.role) && !isSelf(principal, pathValues)) throw new Problem('role_forbidden');
    } else assertMachine(principal, visible);
    if (operation.needsFullData.operation && principal.personalData === 'masked')
      throw new Problem('personal_data_masked');
  };
}

/** Tells whether the path names the caller's own record, if the contract accepts that in place of a role (`x-self`). */
function ownRecord({ path, self }: Operation): (user: UserPrincipal, pathValues: readonly string[]) => boolean {
  if (self === null) return () => false;
  const index = [...path.matchAll(/\{(\w+)\}/g)].findIndex(([, name]) => name === self);
  if (index === -1) throw new Error(`x-self of ${path} names ${self}, which is not a path parameter`);
  return ({ userId }, pathValues) => pathValues[index]?.toLowerCase() === userId;
}

/**
 * Sufficient scopes, any one of which is enough; `admin` includes all others. An empty list means that no scope is
 * needed.
 */
function sufficientScopes(operation: Operation, scheme: SchemeName): readonly Scope[] {
  const { security, method } = operation;
  const named = security.flatMap((requirement) => requirement[scheme] ?? []);
  if (named.length === 0) return [];
  const { scope } = areaOf(operation);
  return [...new Set(scope !== undefined && method === 'get' && named.includes('read') ? [...named, scope] : named)];
}
