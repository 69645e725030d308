/**
 * Finds out who sends a request, from its key or token. Called by the request layer for every operation. The order of
 * checks decides what a stranger learns: existence and wrong secret give the same answer. `CallerDenied` means a
 * genuine credential that is refused, which is audited.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { ClientPrincipal, KeyPrincipal, Operation, SchemeName, UserPrincipal } from '../contract/operation.ts';
import { Problem, type ProblemCode } from '../contract/problem.ts';
import type { AccessTokens, ClientClaims, UserClaims } from './access-token.ts';
import { expiryNotice, isUsable } from './api-key.ts';
import { type Caller, environmentAccessOf } from './caller.ts';
import { isAllowed } from './client-address.ts';
import type { ApiKeyVerifier, CredentialCache } from './credential-cache.ts';
import { hasGrantor, personalDataOfGrant, personalDataOfRole, rolesOf } from './grantor.ts';
import type { FailedAuthenticationLimiter } from './rate-limit.ts';
import type { KeyRecord, SessionRecord, TenantState } from './store.ts';
import { HOW_TO_ENABLE, isOpen } from './tenant.ts';

const BEARER = 'Bearer realm="api"';
/** Challenge for API keys. The scheme is not registered, but the field has no other way to name the header. */
const API_KEY = 'ApiKey realm="api", header="X-API-Key"';

/** Part of an operation that a challenge needs. */
interface Guarded {
  readonly security: readonly {
    readonly bearerAuth?: readonly string[];
    readonly oauth2?: readonly string[];
    readonly apiKey?: readonly string[];
  }[];
}

/** Returns the schemes that the operation accepts, for `WWW-Authenticate` (RFC 9110 §11.6.1). */
export function challengeOf({ security }: Guarded): Record<string, string> {
  const bearer = security.some(
    (requirement) => requirement.bearerAuth !== undefined || requirement.oauth2 !== undefined,
  );
  const key = security.some((requirement) => requirement.apiKey !== undefined);
  return { 'WWW-Authenticate': [...(bearer ? [BEARER] : []), ...(key ? [API_KEY] : [])].join(', ') };
}

/** Returns the problem for an invalid token, with the challenge of RFC 6750 §3.1. */
function invalidToken(code: ProblemCode, operation: Guarded): Problem {
  const problem = new Problem(code as 'token_invalid');
  const key = operation.security.some((requirement) => requirement.apiKey !== undefined);
  return problem.with({ 'WWW-Authenticate': `${BEARER}, error="invalid_token"${key ? `, ${API_KEY}` : ''}` });
}

export function insufficientScope(scopes: readonly string[]): Record<string, string> {
  return { 'WWW-Authenticate': `${BEARER}, error="insufficient_scope", scope="${scopes.join(' ')}"` };
}

/** Listener for every accepted use of a key. */
type KeyUseListener = (caller: Caller, ip: string) => void;

/**
 * Thrown if a genuine credential is refused: its address is not allowed, its tenant is suspended, its sandbox is
 * switched off, or the key has no accountable grantor. The caller is known, so that the refusal is recorded for its
 * tenant.
 */
export class CallerDenied extends Problem<
  'ip_not_allowed' | 'tenant_suspended' | 'sandbox_disabled' | 'key_grantor_inactive'
> {
  readonly caller: Caller;

  constructor(code: CallerDenied['code'], caller: Caller) {
    super(code, code === 'sandbox_disabled' ? { detail: HOW_TO_ENABLE } : {});
    this.caller = caller;
  }
}

interface AuthenticatorDependencies {
  readonly tokens: AccessTokens;
  readonly keys: ApiKeyVerifier;
  readonly credentials: CredentialCache;
  readonly failures: FailedAuthenticationLimiter;
  readonly clock: () => Date;
  readonly onKeyUse: KeyUseListener;
}

/**
 * Turns the credential of a request into a caller, before any other part of the request is processed. The first failing
 * check decides the code: form, existence and secret (one response for all), validity, tenant, address, environment,
 * grantor.
 */
export class Authenticator {
  readonly #tokens: AccessTokens;
  readonly #keys: ApiKeyVerifier;
  readonly #credentials: CredentialCache;
  readonly #clock: () => Date;
  readonly #failures: FailedAuthenticationLimiter;
  readonly #onKeyUse: KeyUseListener;

  constructor(dependencies: AuthenticatorDependencies) {
    this.#tokens = dependencies.tokens;
    this.#keys = dependencies.keys;
    this.#credentials = dependencies.credentials;
    this.#clock = dependencies.clock;
    this.#failures = dependencies.failures;
    this.#onKeyUse = dependencies.onKeyUse;
  }

  /** Returns the caller itself if everything needed is cached, and a promise otherwise. */
  authenticate(operation: Operation, headers: IncomingHttpHeaders, ip: string): Caller | Promise<Caller> {
    const apiKey = headers['x-api-key'];
    const authorization = headers.authorization;
    if (apiKey !== undefined && authorization !== undefined) throw new Problem('ambiguous_credentials');
    if (apiKey !== undefined) return this.#byApiKey(operation, String(apiKey), ip);
    if (authorization !== undefined) return this.#byToken(operation, authorization, ip);
    throw new Problem('authentication_required').with(challengeOf(operation));
  }

  /** Removes the tenant, whose state has changed, from the cache and authenticates the request again. */
  reauthenticate(
    { principal: { tenantId } }: Caller,
    operation: Operation,
    headers: IncomingHttpHeaders,
    ip: string,
  ): Caller | Promise<Caller> {
    this.#credentials.forgetTenant(tenantId);
    return this.authenticate(operation, headers, ip);
  }

  #byApiKey(operation: Operation, secret: string, ip: string): Caller | Promise<Caller> {
    if (!acceptsScheme(operation, 'apiKey')) throw new Problem('authentication_required').with(challengeOf(operation));
    return mapValue(this.#keys.verify(secret, ip), (record) => {
      if (record === null) throw new Problem('api_key_invalid').with(challengeOf(operation));
      if (!isUsable(record, this.#clock()))
        throw new Problem(record.status === 'revoked' ? 'api_key_revoked' : 'api_key_expired').with(
          challengeOf(operation),
        );
      return this.#keyCaller(record, 'api_key', record.scopes, ip);
    });
  }

  #byToken(operation: Operation, authorization: string, ip: string): Caller | Promise<Caller> {
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1];
    const claims = this.#claims(operation, token, ip);
    if (claims.kind === 'user') {
      if (!acceptsScheme(operation, 'bearerAuth'))
        throw new Problem('authentication_required').with(challengeOf(operation));
      return mapValue(this.#credentials.session(claims.tenantId, claims.sessionId), (session) =>
        userCaller(operation, claims, session),
      );
    }
    if (!acceptsScheme(operation, 'oauth2')) throw new Problem('authentication_required').with(challengeOf(operation));
    return mapValue(this.#credentials.key(claims.prefix), (record) =>
      this.#clientCaller(operation, claims, record, ip),
    );
  }

  /**
   * Returns the claims of a token. A forged token needs no look-up, but counts as a failed authentication of its
   * address.
   */
  #claims(operation: Operation, token: string | undefined, ip: string): UserClaims | ClientClaims {
    try {
      if (token === undefined) throw new Problem('token_invalid');
      return this.#tokens.verify(token);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'token_invalid') {
        this.#failures.assertBelowLimit(ip);
        this.#failures.count(ip);
      }
      throw invalidToken(error.code, operation);
    }
  }

  /** Returns the caller of a token, which is limited to the current rights of the key for which it was issued. */
  #clientCaller(operation: Operation, claims: ClientClaims, record: KeyRecord | null, ip: string): Caller {
    if (record === null || record.tenantId !== claims.tenantId || !isUsable(record, this.#clock()))
      throw invalidToken('token_revoked', operation);
    return this.#keyCaller(
      record,
      'oauth_client',
      claims.scopes.filter((scope) => record.scopes.includes(scope) || record.scopes.includes('admin')),
      ip,
    );
  }

  #keyCaller(record: KeyRecord, kind: 'api_key' | 'oauth_client', scopes: KeyRecord['scopes'], ip: string): Caller {
    const principal: KeyPrincipal | ClientPrincipal = {
      kind,
      tenantId: record.tenantId,
      id: record.prefix,
      display: record.name,
      prefix: record.prefix,
      keyEnvironment: record.environment,
      pinEnvironment: record.pinEnvironment,
      scopes,
      client: record.clientId,
      quotaOf: record.quotaClientId,
      ...grantOf(record),
    };
    const caller: Caller = {
      principal,
      ...environmentAccessOf(record, record),
      ...tenantTermsOf(record),
      owesSecondFactor: false,
      keyExpires: expiryNotice(record, this.#clock()),
    };
    if (!isOpen(record.tenantStatus)) throw new CallerDenied('tenant_suspended', caller);
    if (!isAllowed(ip, record.ipAllowlist)) throw new CallerDenied('ip_not_allowed', caller);
    if (record.environment === 'test' && !caller.sandboxEnabled) throw new CallerDenied('sandbox_disabled', caller);
    if (!hasGrantor(record)) throw new CallerDenied('key_grantor_inactive', caller);
    this.#onKeyUse(caller, ip);
    return caller;
  }
}

function acceptsScheme(operation: Operation, scheme: SchemeName): boolean {
  // Human-only operations authenticate machines in order to refuse them with an explanation, unless they are hidden.
  return (
    (operation.humanOnly && operation.sealed.length === 0) ||
    operation.security.some((requirement) => requirement[scheme] !== undefined)
  );
}

function userCaller(operation: Operation, claims: UserClaims, session: SessionRecord | null): Caller {
  if (session === null || session.ended || !session.userActive || session.userId !== claims.userId)
    throw invalidToken('token_revoked', operation);
  const principal: UserPrincipal = {
    kind: 'user',
    tenantId: session.tenantId,
    id: session.userId,
    display: session.name,
    userId: session.userId,
    role: session.role,
    sessionId: session.sessionId,
    mfa: session.mfa,
    client: session.userId,
    quotaOf: session.userId,
    personalData: personalDataOfRole(session.role),
  };
  const owesSecondFactor = !session.mfaEnrolled && (session.mfaRequired || session.role === 'platform_admin');
  const caller: Caller = {
    principal,
    ...environmentAccessOf(null, session),
    ...tenantTermsOf(session),
    owesSecondFactor,
    keyExpires: null,
  };
  if (!isOpen(session.tenantStatus)) throw new CallerDenied('tenant_suspended', caller);
  return caller;
}

function grantOf(record: KeyRecord): Pick<KeyPrincipal, 'grantor' | 'personalData'> {
  return { grantor: { userId: record.grantedBy, roles: rolesOf(record) }, personalData: personalDataOfGrant(record) };
}

function tenantTermsOf({
  tenantRatePerMinute,
  tenantStatus,
  sandboxEnabled,
  sandboxClockOffsetSeconds,
}: TenantState): Pick<Caller, 'tenantRatePerMinute' | 'tenantState'> {
  return { tenantRatePerMinute, tenantState: { tenantStatus, sandboxEnabled, sandboxClockOffsetSeconds } };
}

function mapValue<T>(value: T | Promise<T>, then: (value: T) => Caller): Caller | Promise<Caller> {
  return value instanceof Promise ? value.then(then) : then(value);
}
