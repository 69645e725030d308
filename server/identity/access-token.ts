/**
 * Issues and verifies access tokens (JWT). Used by sessions, OAuth and authentication. A genuine token is not enough:
 * the caller must look up whether its session or key still exists. No algorithm but Ed25519 is accepted.
 */
import { hash, randomUUID } from 'node:crypto';
import { BoundedMap } from '../base/bounded-map.ts';
import { type Ed25519Jwk, Ed25519Signer } from '../base/ed25519.ts';
import type { Secrets } from '../base/secrets.ts';
import { isUuid } from '../base/uuid.ts';
import type { Scope } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';

/** Claims of a token for a signed-in user. */
export interface UserClaims {
  readonly kind: 'user';
  readonly userId: string;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly mfa: boolean;
  readonly expiresAt: number;
}

/** Claims of a token for a machine; the client is an API key. */
export interface ClientClaims {
  readonly kind: 'client';
  readonly prefix: string;
  readonly tenantId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number;
}

type Claims = UserClaims | ClientClaims;

interface SignedInUser {
  readonly userId: string;
  readonly tenantId: string;
  readonly sessionId: string;
  readonly role: string;
  readonly amr: readonly string[];
}

interface Payload {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly tid: string;
  readonly exp: number;
  readonly sid?: string;
  readonly amr?: readonly string[];
  readonly scope?: string;
}

/**
 * Issuer and audience of the service's own tokens. They are URNs because one installation may be available at several
 * addresses.
 */
const ISSUER = 'urn:compliance-onboarding';
const AUDIENCE = 'urn:compliance-onboarding:api';
const CLOCK_SKEW_SECONDS = 30;
const VERIFIED_CACHE_MILLISECONDS = 60_000;
const VERIFIED_CACHE_CAPACITY = 10_000;

/** JWT access tokens by RFC 9068, signed with Ed25519; no other algorithm is ever accepted (RFC 8725 §3.1). */
export class AccessTokens {
  readonly #signer: Ed25519Signer;
  readonly #header: string;
  readonly #clock: () => Date;
  readonly #verified = new BoundedMap<string, { readonly claims: Claims; readonly until: number }>(
    VERIFIED_CACHE_CAPACITY,
  );

  constructor(secrets: Secrets, clock: () => Date) {
    this.#signer = new Ed25519Signer(secrets.deriveKey('access-token-ed25519'));
    this.#header = encode({ alg: 'EdDSA', typ: 'at+jwt', kid: this.#signer.jwk.kid });
    this.#clock = clock;
  }

  forUser(user: SignedInUser, lifetimeSeconds: number): string {
    return this.#issue(
      {
        sub: user.userId,
        tid: user.tenantId,
        sid: user.sessionId,
        role: user.role,
        amr: user.amr,
      },
      lifetimeSeconds,
    );
  }

  forClient(
    client: {
      prefix: string;
      tenantId: string;
      scopes: readonly Scope[];
      environment: 'live' | 'test';
    },
    lifetimeSeconds: number,
  ): string {
    const scope = [...client.scopes].sort().join(' ');
    return this.#issue(
      {
        sub: client.prefix,
        client_id: client.prefix,
        tid: client.tenantId,
        scope,
        env: client.environment,
      },
      lifetimeSeconds,
    );
  }

  /** Returns the JSON Web Key Set (RFC 7517), with which other services verify the tokens. */
  jwks(): { readonly keys: readonly Ed25519Jwk[] } {
    return { keys: [this.#signer.jwk] };
  }

  /**
   * Returns the claims of a genuine token that has not expired. The caller must look up whether its session or key is
   * still valid.
   */
  verify(token: string): Claims {
    const now = this.#clock().getTime();
    const digest = hash('sha256', token, 'base64url');
    const cached = this.#verified.get(digest);
    const claims = cached !== undefined && cached.until > now ? cached.claims : this.#read(token);
    if (claims.expiresAt + CLOCK_SKEW_SECONDS * 1000 <= now) throw new Problem('token_expired');
    if (claims !== cached?.claims) this.#verified.set(digest, { claims, until: now + VERIFIED_CACHE_MILLISECONDS });
    return claims;
  }

  #issue(claims: object, lifetimeSeconds: number): string {
    const issuedAt = Math.floor(this.#clock().getTime() / 1000);
    const payload = encode({
      iss: ISSUER,
      aud: AUDIENCE,
      iat: issuedAt,
      exp: issuedAt + lifetimeSeconds,
      jti: randomUUID(),
      ...claims,
    });
    const signed = `${this.#header}.${payload}`;
    return `${signed}.${this.#signer.sign(signed).toString('base64url')}`;
  }

  #read(token: string): Claims {
    const [header, payload, signature, ...rest] = token.split('.');
    // Only the exact header that this service writes is accepted, which fixes algorithm, type and key at once (RFC 8725
    // §3.1).
    if (header !== this.#header || payload === undefined || signature === undefined || rest.length > 0)
      throw new Problem('token_invalid');
    const bytes = Buffer.from(signature, 'base64url');
    if (bytes.toString('base64url') !== signature || !this.#signer.verify(`${header}.${payload}`, bytes))
      throw new Problem('token_invalid');
    const read = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload;
    if (read.iss !== ISSUER || read.aud !== AUDIENCE || !isComplete(read)) throw new Problem('token_invalid');
    const expiresAt = read.exp * 1000;
    if (read.sid !== undefined)
      return {
        kind: 'user',
        userId: read.sub,
        tenantId: read.tid,
        sessionId: read.sid,
        mfa: read.amr?.includes('otp') ?? false,
        expiresAt,
      };
    return {
      kind: 'client',
      prefix: read.sub,
      tenantId: read.tid,
      scopes: (read.scope ?? '').split(' ').filter(Boolean) as Scope[],
      expiresAt,
    };
  }
}

/**
 * Tells whether every claim is present. A signature proves only the origin of a token, and a token without `exp` would
 * never expire.
 */
function isComplete({ exp, sub, tid, sid }: Payload): boolean {
  return (
    Number.isSafeInteger(exp) &&
    typeof sub === 'string' &&
    isUuid(tid) &&
    (sid === undefined || (isUuid(sid) && isUuid(sub)))
  );
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
