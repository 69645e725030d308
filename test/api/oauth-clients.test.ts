/** API tests of the token endpoint with clients of other vendors. */
import * as oauth from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import type { KeySpecification } from '../../server/modules/api-keys/issue-key.ts';
import { shared } from '../support/service.ts';
import { bearer, startWorld, type World } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

/** Returns the metadata of this service, which is all that a foreign library gets. */
const server = (at: World = world): oauth.AuthorizationServer => ({
  issuer: 'urn:compliance-onboarding',
  token_endpoint: `${at.running.url}/oauth/token`,
  jwks_uri: `${at.running.url}/.well-known/jwks.json`,
});
const options = { [oauth.allowInsecureRequests]: true };
const ways = { client_secret_basic: oauth.ClientSecretBasic, client_secret_post: oauth.ClientSecretPost } as const;
type Way = keyof typeof ways;

interface Credentials {
  readonly id: string;
  readonly secret: string;
}

async function client(specification: Partial<KeySpecification> = {}, tenant = tenantId): Promise<Credentials> {
  const { key, secret } = await world.key(tenant, { scopes: ['read', 'write'], ...specification });
  return { id: key.prefix, secret };
}

async function obtain(
  way: Way,
  { id, secret }: Credentials,
  parameters: Record<string, string> = {},
  at = world,
): Promise<oauth.TokenEndpointResponse> {
  const response = await oauth.clientCredentialsGrantRequest(
    server(at),
    { client_id: id },
    ways[way](secret),
    parameters,
    options,
  );
  return oauth.processClientCredentialsResponse(server(at), { client_id: id }, response);
}

interface Refusal {
  readonly status: number;
  readonly error: unknown;
  /** Scheme with which the library was challenged. */
  readonly challenge: string | null;
}

/**
 * Returns the library's view of a refusal: a challenge if there is one (RFC 9110 §11.6.1), else the error of RFC 6749
 * §5.2.
 */
async function refusal(attempt: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof oauth.ResponseBodyError) return { status: error.status, error: error.error, challenge: null };
  if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error ?? new Error('the request was granted');
  const body = (await error.response.json()) as { error: string };
  return { status: error.status, error: body.error, challenge: error.cause[0]?.scheme ?? null };
}

describe.each(Object.keys(ways) as Way[])('a client of another vendor that authenticates by %s', (way) => {
  const challenge = way === 'client_secret_basic' ? 'basic' : null;

  it('gets a token, which permits what its scopes allow', async () => {
    const token = await obtain(way, await client());
    expect(token).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'read write',
    });
    expect((await world.api.GET('/v1/applications', { headers: bearer(token.access_token) })).response.status).toBe(
      200,
    );
  });

  it('gets the requested scope', async () => {
    expect((await obtain(way, await client(), { scope: 'read' })).scope).toBe('read');
  });

  it('gets invalid_client if it is unknown, or if its secret is wrong', async () => {
    const known = await client();
    for (const wrong of [
      { ...known, secret: 'wrong' },
      { id: 'kyc_live_00000000', secret: known.secret },
      { ...known, secret: 'a:b%20c+d&e=ü' },
    ]) {
      expect(await refusal(obtain(way, wrong))).toEqual({ status: 401, error: 'invalid_client', challenge });
    }
  });

  it('gets invalid_client if its key has ended, its tenant is suspended or its address is not allowed', async () => {
    const suspended = await world.database.tenant();
    const [revoked, ofSuspended] = [await client(), await client({}, suspended)];
    await world.database.sql(`UPDATE api_key SET status = 'revoked', revoked_at = now() WHERE prefix = $1`, [
      revoked.id,
    ]);
    await world.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [suspended]);
    const expired = await client({ expiresAt: new Date(world.now().getTime() - 1) });
    const elsewhere = await client({ ipAllowlist: ['203.0.113.0/24'] });
    for (const refused of [revoked, expired, ofSuspended, elsewhere]) {
      expect(await refusal(obtain(way, refused))).toEqual({ status: 401, error: 'invalid_client', challenge });
    }
  });

  it('gets unauthorized_client if it belongs to the sandbox while that is off', async () => {
    const test = await client({ environment: 'test' });
    expect(await refusal(obtain(way, test))).toEqual({ status: 400, error: 'unauthorized_client', challenge: null });
  });

  it('gets invalid_scope for a scope that is unknown or not its own', async () => {
    const known = await client();
    for (const scope of ['nonsense', 'admin', 'read  write']) {
      expect(await refusal(obtain(way, known, { scope }))).toEqual({
        status: 400,
        error: 'invalid_scope',
        challenge: null,
      });
    }
  });

  it('gets unsupported_grant_type for every other grant', async () => {
    const { id, secret } = await client();
    for (const grant of ['password', 'refresh_token', 'urn:ietf:params:oauth:grant-type:token-exchange']) {
      const response = await oauth.genericTokenEndpointRequest(
        server(),
        { client_id: id },
        ways[way](secret),
        grant,
        {},
        options,
      );
      expect(await refusal(oauth.processGenericTokenEndpointResponse(server(), { client_id: id }, response))).toEqual({
        status: 400,
        error: 'unsupported_grant_type',
        challenge: null,
      });
    }
  });

  it('gets invalid_request for a parameter that occurs twice', async () => {
    const { id, secret } = await client();
    const response = await oauth.clientCredentialsGrantRequest(
      server(),
      { client_id: id },
      ways[way](secret),
      [
        ['scope', 'read'],
        ['scope', 'write'],
      ],
      options,
    );
    expect(await refusal(oauth.processClientCredentialsResponse(server(), { client_id: id }, response))).toEqual({
      status: 400,
      error: 'invalid_request',
      challenge: null,
    });
  });

  it('gets invalid_request if it also authenticates in the other way', async () => {
    const { id, secret } = await client();
    const both: oauth.ClientAuth = async (...request) => {
      await oauth.ClientSecretBasic(secret)(...request);
      await oauth.ClientSecretPost(secret)(...request);
    };
    const response = await oauth.clientCredentialsGrantRequest(server(), { client_id: id }, both, {}, options);
    expect(await refusal(oauth.processClientCredentialsResponse(server(), { client_id: id }, response))).toEqual({
      status: 400,
      error: 'invalid_request',
      challenge: null,
    });
  });

  it('gets temporarily_unavailable beyond its quota', async () => {
    const strict = await startWorld({ RATE_LIMIT_REQUESTS: '2' });
    const { key, secret } = await strict.key(await strict.database.tenant(), { scopes: ['read'] });
    const attempt = () => obtain(way, { id: key.prefix, secret }, {}, strict);
    await attempt();
    await attempt();
    expect(await refusal(attempt())).toEqual({ status: 429, error: 'temporarily_unavailable', challenge: null });
    await strict.stop();
  });
});

it('lets a resource server of another vendor verify its tokens after RFC 9068', async () => {
  const known = await client();
  const { access_token } = await obtain('client_secret_basic', known);
  const presented = (token: string) =>
    oauth.validateJwtAccessToken(
      server(),
      new Request('https://api.example.com/', { headers: bearer(token) }),
      'urn:compliance-onboarding:api',
      options,
    );
  expect(await presented(access_token)).toMatchObject({
    client_id: known.id,
    sub: known.id,
    scope: 'read write',
    iss: 'urn:compliance-onboarding',
  });
  const [header, payload, signature = ''] = access_token.split('.');
  await expect(
    presented(`${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`),
  ).rejects.toThrow(/signature/);
});
