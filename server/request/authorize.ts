import { appendAudit } from '../audit/chain.ts';
import type { Logger } from '../base/log.ts';
import {
  auditActorOf, type ClientPrincipal, type KeyPrincipal, type Operation, type Role, type SchemeName, type Scope, type UserPrincipal,
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
  readonly now: Date;
}

/**
 * True when the code is right and unused, or none is given and the session gave one shortly before. A wrong one counts
 * towards the lock-out. It does its own transactions: what it uses up is used up whatever becomes of the request.
 */
export type VerifyStepUp = (principal: UserPrincipal, code: string | undefined, origin: Origin) => Promise<boolean>;

/** Missing, wrong and replayed codes are told apart to nobody. */
export async function requireStepUp(verify: VerifyStepUp, { requestId, clientIp, userAgent }: Exchange, { principal }: Caller, code: unknown, now: Date): Promise<void> {
  if (principal.kind !== 'user') throw new Problem('human_required');
  const given = await verify(principal, typeof code === 'string' ? code : undefined, { requestId, clientIp, userAgent, now });
  if (!given) throw new Problem('step_up_required');
}

/** Records that a valid credential was refused, in the same shape as what succeeds. */
export class AccessDenialAudit {
  readonly #database: Database;
  readonly #clock: () => Date;
  readonly #log: Logger;

  constructor(database: Database, clock: () => Date, log: Logger) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
  }

  async record({ operationId }: Operation, { caller, requestId, clientIp, userAgent }: Exchange, denial: Problem): Promise<void> {
    if (caller === null) return;
    const { principal, environment } = caller;
    try {
      await this.#database.transaction({ tenantId: principal.tenantId }, async (tx) => appendAudit(tx, {
        occurredAt: this.#clock().toISOString(), environment, action: 'access.denied', outcome: 'denied', reason: denial.code,
        actor: auditActorOf(principal),
        resource: { type: 'operation', id: operationId }, requestId, ip: clientIp, userAgent,
      }));
    } catch (error) {
      // The refusal stands whether or not it can be written down.
      this.#log.error({ requestId, err: error }, 'a denial could not be recorded');
    }
  }
}

type MachinePrincipal = KeyPrincipal | ClientPrincipal;

/** Areas whose own scope also covers reading there. */
const AREA_SCOPES: Readonly<Record<string, Scope>> = { screenings: 'screening', monitoring: 'screening', businesses: 'kyb' };

type Authorize = (caller: Pick<Caller, 'principal' | 'owesSecondFactor' | 'visible'>, pathValues: readonly string[]) => void;

/**
 * May this caller call this operation? Decided from the contract alone: for machines by scopes, the role of the person who
 * granted the key, and the environment that it is pinned to; for people first by the second factor that they still owe, then
 * by roles. Which record may be touched is decided later, by the tenant's row-level security and by the group.
 */
export function authorizer(operation: Operation): Authorize {
  const sufficient = { api_key: sufficientScopes(operation, 'apiKey'), oauth_client: sufficientScopes(operation, 'oauth2') };
  const roles = new Set<Role>(operation.roles);
  const isSelf = ownRecord(operation);
  const grantable = grantableBy(operation);
  const changesSandbox = operation.tag === 'sandbox' && operation.method !== 'get';

  const assertMachine = (principal: MachinePrincipal, visible: Caller['visible']): void => {
    if (operation.humanOnly) throw new Problem('human_required');
    const scopes = sufficient[principal.kind];
    if (scopes.length > 0 && !principal.scopes.some((scope) => scope === 'admin' || scopes.includes(scope))) {
      const problem = new Problem('insufficient_scope', { requiredScopes: scopes });
      throw principal.kind === 'oauth_client' ? problem.with(insufficientScope(scopes)) : problem;
    }
    if (!principal.grantor.roles.every((role) => grantable(role, principal.keyEnvironment))) {
      throw new Problem('role_forbidden', { detail: 'The role of the person who granted the key may not do this.' });
    }
    if (changesSandbox && !visible.includes('sandbox')) throw new Problem('key_pinned_to_live');
  };

  return ({ principal, owesSecondFactor, visible }, pathValues) => {
    if (principal.kind === 'user') {
      if (owesSecondFactor && !operation.mfaExempt) throw new Problem('mfa_enrolment_required');
      if (!roles.has(principal.role) && !isSelf(principal, pathValues)) throw new Problem('role_forbidden');
    } else assertMachine(principal, visible);
    if (operation.needsFullData.operation && principal.personalData === 'masked') throw new Problem('personal_data_masked');
  };
}

/** Whether the path names the caller's own record, where the contract lets that stand in for a role (`x-self`). */
function ownRecord({ path, self }: Operation): (user: UserPrincipal, pathValues: readonly string[]) => boolean {
  if (self === null) return () => false;
  const index = [...path.matchAll(/\{(\w+)\}/g)].findIndex(([, name]) => name === self);
  if (index === -1) throw new Error(`${path} has no parameter ${self}`);
  return ({ userId }, pathValues) => pathValues[index]?.toLowerCase() === userId;
}

/** Any one of these is enough; `admin` includes all others. No scope named means none is needed. */
function sufficientScopes({ security, tag, method }: Operation, scheme: SchemeName): readonly Scope[] {
  const named = security.flatMap((requirement) => requirement[scheme] ?? []);
  if (named.length === 0) return [];
  const area = AREA_SCOPES[tag];
  return [...new Set(area !== undefined && method === 'get' && named.includes('read') ? [...named, area] : named)];
}
