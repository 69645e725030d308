import { createHash, createPrivateKey, createPublicKey, hash, type KeyObject, randomUUID, sign, verify } from 'node:crypto';
import { BoundedMap } from '../base/bounded-map.ts';
import type { Secrets } from '../base/secrets.ts';
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

export type Claims = UserClaims | ClientClaims;

export interface Jwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
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

/** Names of this service in its own tokens; a URN, because one installation may answer under several addresses. */
const ISSUER = 'urn:compliance-onboarding';
const AUDIENCE = 'urn:compliance-onboarding:api';
const CLOCK_SKEW_SECONDS = 30;
const REMEMBERED_MILLISECONDS = 60_000;
const REMEMBERED_TOKENS = 10_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** PKCS #8 (RFC 8410 §7) around the 32 bytes of an Ed25519 seed. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** JWT access tokens after RFC 9068, signed with Ed25519; no other algorithm is ever considered (RFC 8725 §3.1). */
export class AccessTokens {
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #header: string;
  readonly #jwk: Jwk;
  readonly #clock: () => Date;
  readonly #verified = new BoundedMap<string, { readonly claims: Claims; readonly until: number }>(REMEMBERED_TOKENS);

  constructor(secrets: Secrets, clock: () => Date) {
    this.#privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, secrets.deriveKey('access-token-ed25519')]), format: 'der', type: 'pkcs8' });
    this.#publicKey = createPublicKey(this.#privateKey);
    const { x = '' } = this.#publicKey.export({ format: 'jwk' });
    // RFC 7638 thumbprint.
    const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
    this.#jwk = { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
    this.#header = encode({ alg: 'EdDSA', typ: 'at+jwt', kid });
    this.#clock = clock;
  }

  forUser(user: { userId: string; tenantId: string; sessionId: string; role: string; amr: readonly string[] }, lifetimeSeconds: number): string {
    return this.#issue({ sub: user.userId, tid: user.tenantId, sid: user.sessionId, role: user.role, amr: user.amr }, lifetimeSeconds);
  }

  forClient(client: { prefix: string; tenantId: string; scopes: readonly Scope[]; environment: 'live' | 'test' }, lifetimeSeconds: number): string {
    const scope = [...client.scopes].sort().join(' ');
    return this.#issue({ sub: client.prefix, client_id: client.prefix, tid: client.tenantId, scope, env: client.environment }, lifetimeSeconds);
  }

  /** RFC 7517; lets other services verify our tokens. */
  jwks(): { readonly keys: readonly Jwk[] } {
    return { keys: [this.#jwk] };
  }

  /** What a token says. Whether its session or key still lives is for the caller to look up. */
  verify(token: string): Claims {
    const now = this.#clock().getTime();
    const digest = hash('sha256', token, 'base64url');
    const remembered = this.#verified.get(digest);
    const claims = remembered !== undefined && remembered.until > now ? remembered.claims : this.#read(token);
    if (claims.expiresAt + CLOCK_SKEW_SECONDS * 1000 <= now) throw new Problem('token_expired');
    if (claims !== remembered?.claims) this.#verified.set(digest, { claims, until: now + REMEMBERED_MILLISECONDS });
    return claims;
  }

  #issue(claims: object, lifetimeSeconds: number): string {
    const issuedAt = Math.floor(this.#clock().getTime() / 1000);
    const payload = encode({ iss: ISSUER, aud: AUDIENCE, iat: issuedAt, exp: issuedAt + lifetimeSeconds, jti: randomUUID(), ...claims });
    const signed = `${this.#header}.${payload}`;
    return `${signed}.${sign(null, Buffer.from(signed), this.#privateKey).toString('base64url')}`;
  }

  #read(token: string): Claims {
    const [header, payload, signature, ...rest] = token.split('.');
    // Only our own header is accepted, byte for byte: that pins algorithm, type and key at once.
    if (header !== this.#header || payload === undefined || signature === undefined || rest.length > 0) throw new Problem('token_invalid');
    const bytes = Buffer.from(signature, 'base64url');
    if (bytes.toString('base64url') !== signature || !verify(null, Buffer.from(`${header}.${payload}`), this.#publicKey, bytes)) throw new Problem('token_invalid');
    const read = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Payload;
    if (read.iss !== ISSUER || read.aud !== AUDIENCE || !isComplete(read)) throw new Problem('token_invalid');
    const expiresAt = read.exp * 1000;
    return read.sid !== undefined
      ? { kind: 'user', userId: read.sub, tenantId: read.tid, sessionId: read.sid, mfa: read.amr?.includes('otp') ?? false, expiresAt }
      : { kind: 'client', prefix: read.sub, tenantId: read.tid, scopes: (read.scope ?? '').split(' ').filter(Boolean) as Scope[], expiresAt };
  }
}

/** A signature proves who wrote it, not that nothing is missing: a token without an end would be good for ever. */
function isComplete({ exp, sub, tid, sid }: Payload): boolean {
  return Number.isSafeInteger(exp) && typeof sub === 'string' && UUID.test(tid) && (sid === undefined || (UUID.test(sid) && UUID.test(sub)));
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
