import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, SchemeName } from '../contract/operation.ts';
import type { ClientPrincipal, KeyPrincipal, UserPrincipal } from '../contract/principal.ts';
import type { AccessTokens, ClientClaims, UserClaims } from './access-token.ts';
import type { ApiKeys } from './api-keys.ts';
import { reachOf, type Caller } from './caller.ts';
import { challengeOf, invalidToken } from './challenge.ts';
import type { Credentials } from './credentials.ts';
import type { KeyRecord, SessionRecord, TenantState } from './credentials-store.ts';
import type { FailedAuthentications } from './failed-authentications.ts';
import { isAllowed } from './ip-allowlist.ts';
import { hasGrantor, rolesOf, shownBy, shownTo } from './grantor.ts';
import { expiryNotice } from './key-expiry.ts';
import { isAlive } from './key-life.ts';
import { Problem } from './problem.ts';
import { isOpen } from './tenant-status.ts';

/** Told about every use of a key, after it was accepted. */
export type KeyUse = (caller: Caller, ip: string) => void;

/** A genuine credential that may not come in: from a foreign address, of a suspended tenant, of a sandbox that is off, or a key for which nobody answers. */
export class CallerDenied extends Problem<'ip_not_allowed' | 'tenant_suspended' | 'sandbox_disabled' | 'key_grantor_inactive'> {
  readonly caller: Caller;

  constructor(code: CallerDenied['code'], caller: Caller) {
    super(code);
    this.caller = caller;
  }
}

/**
 * Turns the credential of a request into a caller, before anything else of the request is looked at. The first check
 * that fails decides the code: form, existence and secret (one answer for all), life, tenant, address, environment, grantor.
 */
export class Security {
  readonly #tokens: AccessTokens;
  readonly #keys: ApiKeys;
  readonly #credentials: Credentials;
  readonly #clock: () => Date;
  readonly #failures: FailedAuthentications;
  readonly #onKeyUse: KeyUse;

  constructor(parts: { tokens: AccessTokens; keys: ApiKeys; credentials: Credentials; failures: FailedAuthentications; clock: () => Date; onKeyUse: KeyUse }) {
    this.#tokens = parts.tokens;
    this.#keys = parts.keys;
    this.#credentials = parts.credentials;
    this.#clock = parts.clock;
    this.#failures = parts.failures;
    this.#onKeyUse = parts.onKeyUse;
  }

  /** Answers without a promise when everything needed is remembered. */
  authenticate(operation: Operation, headers: IncomingHttpHeaders, ip: string): Caller | Promise<Caller> {
    const apiKey = headers['x-api-key'];
    const authorization = headers.authorization;
    if (apiKey !== undefined && authorization !== undefined) throw new Problem('ambiguous_credentials');
    if (apiKey !== undefined) return this.#byApiKey(operation, String(apiKey), ip);
    if (authorization !== undefined) return this.#byToken(operation, authorization, ip);
    throw new Problem('authentication_required').with(challengeOf(operation));
  }

  /** The same caller once more, by what is true now: nothing that was remembered of the tenant is believed. */
  authenticateAnew({ principal: { tenantId } }: Caller, operation: Operation, headers: IncomingHttpHeaders, ip: string): Caller | Promise<Caller> {
    this.#credentials.forgetTenant(tenantId);
    return this.authenticate(operation, headers, ip);
  }

  #byApiKey(operation: Operation, secret: string, ip: string): Caller | Promise<Caller> {
    if (!accepts(operation, 'apiKey')) throw new Problem('authentication_required').with(challengeOf(operation));
    return whenKnown(this.#keys.verify(secret, ip), (record) => {
      if (record === null) throw new Problem('api_key_invalid').with(challengeOf(operation));
      if (!isAlive(record, this.#clock())) throw new Problem(record.status === 'revoked' ? 'api_key_revoked' : 'api_key_expired').with(challengeOf(operation));
      return this.#keyCaller(record, 'api_key', record.scopes, ip);
    });
  }

  #byToken(operation: Operation, authorization: string, ip: string): Caller | Promise<Caller> {
    const token = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization)?.[1];
    const claims = this.#claims(operation, token, ip);
    if (claims.kind === 'user') {
      if (!accepts(operation, 'bearerAuth')) throw new Problem('authentication_required').with(challengeOf(operation));
      return whenKnown(this.#credentials.session(claims.tenantId, claims.sessionId), (session) => userCaller(operation, claims, session));
    }
    if (!accepts(operation, 'oauth2')) throw new Problem('authentication_required').with(challengeOf(operation));
    return whenKnown(this.#credentials.key(claims.prefix), (record) => this.#clientCaller(operation, claims, record, ip));
  }

  /** A forged token costs no look-up; who sends many is told to stop all the same. */
  #claims(operation: Operation, token: string | undefined, ip: string): UserClaims | ClientClaims {
    try {
      if (token === undefined) throw new Problem('token_invalid');
      return this.#tokens.verify(token);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'token_invalid') {
        this.#failures.assertFew(ip);
        this.#failures.count(ip);
      }
      throw invalidToken(error.code, operation);
    }
  }

  /** A token is worth no more than the key it was issued for, now. */
  #clientCaller(operation: Operation, claims: ClientClaims, record: KeyRecord | null, ip: string): Caller {
    if (record === null || record.tenantId !== claims.tenantId || !isAlive(record, this.#clock())) throw invalidToken('token_revoked', operation);
    return this.#keyCaller(record, 'oauth_client', claims.scopes.filter((scope) => record.scopes.includes(scope) || record.scopes.includes('admin')), ip);
  }

  #keyCaller(record: KeyRecord, kind: 'api_key' | 'oauth_client', scopes: KeyRecord['scopes'], ip: string): Caller {
    const principal: KeyPrincipal | ClientPrincipal = {
      kind, tenantId: record.tenantId, id: record.prefix, display: record.name, prefix: record.prefix,
      keyEnvironment: record.environment, pinEnvironment: record.pinEnvironment, scopes,
      client: record.clientId, quotaOf: record.quotaClientId, ...grantOf(record),
    };
    const caller: Caller = {
      principal, ...reachOf(record, record), ...termsOf(record), owesSecondFactor: false, keyExpires: expiryNotice(record, this.#clock()),
    };
    if (!isOpen(record.tenantStatus)) throw new CallerDenied('tenant_suspended', caller);
    if (!isAllowed(ip, record.ipAllowlist)) throw new CallerDenied('ip_not_allowed', caller);
    if (record.environment === 'test' && !caller.sandboxEnabled) throw new CallerDenied('sandbox_disabled', caller);
    if (!hasGrantor(record)) throw new CallerDenied('key_grantor_inactive', caller);
    this.#onKeyUse(caller, ip);
    return caller;
  }
}

function accepts(operation: Operation, scheme: SchemeName): boolean {
  // Human-only operations recognise machines in order to tell them so.
  return operation.humanOnly || operation.security.some((requirement) => requirement[scheme] !== undefined);
}

function userCaller(operation: Operation, claims: UserClaims, session: SessionRecord | null): Caller {
  if (session === null || session.ended || !session.userActive || session.userId !== claims.userId) throw invalidToken('token_revoked', operation);
  const principal: UserPrincipal = {
    kind: 'user', tenantId: session.tenantId, id: session.userId, display: session.name,
    userId: session.userId, role: session.role, sessionId: session.sessionId, mfa: session.mfa,
    client: session.userId, quotaOf: session.userId, personalData: shownTo(session.role),
  };
  const owesSecondFactor = !session.mfaEnrolled && (session.mfaRequired || session.role === 'platform_admin');
  const caller: Caller = { principal, ...reachOf(null, session), ...termsOf(session), owesSecondFactor, keyExpires: null };
  if (!isOpen(session.tenantStatus)) throw new CallerDenied('tenant_suspended', caller);
  return caller;
}

function grantOf(record: KeyRecord): Pick<KeyPrincipal, 'grantor' | 'personalData'> {
  return { grantor: { userId: record.grantedBy, roles: rolesOf(record) }, personalData: shownBy(record) };
}

function termsOf({ tenantRatePerMinute, tenantStatus, sandboxEnabled, sandboxClockOffsetSeconds }: TenantState): Pick<Caller, 'tenantRatePerMinute' | 'tenantState'> {
  return { tenantRatePerMinute, tenantState: { tenantStatus, sandboxEnabled, sandboxClockOffsetSeconds } };
}

function whenKnown<T>(value: T | Promise<T>, then: (value: T) => Caller): Caller | Promise<Caller> {
  return value instanceof Promise ? value.then(then) : then(value);
}
