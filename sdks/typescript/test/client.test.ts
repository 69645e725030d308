/** Tests of creating a client and of its options. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { API_VERSION, ApiPromise, ComplianceOnboarding, VERSION, type Fetch } from '../src/index.ts';
import { answers, TestServer } from './support/server.ts';

const server = await new TestServer().start();

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The package and the contract, each with its own version. */
const ownName = `compliance-onboarding-typescript/${VERSION} contract/${API_VERSION}`;

describe('the client', () => {
  it('reads its address and credential from the environment', async () => {
    server.replies(answers({}));
    vi.stubEnv('COMPLIANCE_BASE_URL', `${server.url}/`);
    vi.stubEnv('COMPLIANCE_API_KEY', 'kyc_test_Abcdefgh_env');
    await new ComplianceOnboarding().applications.get('a');
    expect(server.seen[0]).toMatchObject({
      path: '/v1/applications/a',
      headers: { 'x-api-key': 'kyc_test_Abcdefgh_env' },
    });
  });

  it('uses no credential of the environment beside an explicit one', async () => {
    server.replies(answers({}));
    vi.stubEnv('COMPLIANCE_API_KEY', 'kyc_test_Abcdefgh_env');
    await server.client({ accessToken: 'token' }).applications.get('a');
    expect(server.seen[0]?.headers['x-api-key']).toBeUndefined();
    expect(server.seen[0]?.headers.authorization).toBe('Bearer token');
  });

  it('reads the token of a person from the environment, and treats empty variables as not set', async () => {
    server.replies(answers({}));
    vi.stubEnv('COMPLIANCE_BASE_URL', server.url);
    vi.stubEnv('COMPLIANCE_API_KEY', '');
    vi.stubEnv('COMPLIANCE_ACCESS_TOKEN', 'token');
    await new ComplianceOnboarding().auth.getCurrentUser();
    expect(server.seen[0]?.headers).toMatchObject({ authorization: 'Bearer token' });
  });

  it('creates a client that differs in some options and leaves the first as it was', async () => {
    server.replies(answers({}));
    const client = server.client({ headers: { 'X-Team': 'onboarding' } });
    await client.withOptions({ apiKey: undefined, accessToken: 'token', userAgent: 'acme/2' }).auth.getCurrentUser();
    await client.applications.get('a');
    expect(server.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer token',
      'x-team': 'onboarding',
      'user-agent': expect.stringMatching(/^acme/),
    });
    expect(server.seen[1]?.headers).toMatchObject({
      'x-api-key': 'kyc_test_Abcdefgh_secret',
      'user-agent': expect.not.stringContaining('acme'),
    });
  });

  it('preserves the path of an address behind a prefix', async () => {
    server.replies(answers({}));
    await server.client({ baseUrl: `${server.url}/compliance/` }).applications.get('a');
    expect(server.seen[0]?.path).toBe('/compliance/v1/applications/a');
  });

  it('refuses an invalid address, one that contains a password, and half a credential', () => {
    expect(() => new ComplianceOnboarding({ baseUrl: 'ftp://host' })).toThrow('baseUrl');
    expect(() => new ComplianceOnboarding({ baseUrl: 'host' })).toThrow('baseUrl');
    expect(() => new ComplianceOnboarding({ baseUrl: 'https://a:b@host' })).toThrow('password');
    expect(() => new ComplianceOnboarding({ clientId: 'x' })).toThrow('clientSecret');
  });

  it('escapes identifiers, and refuses those that would address something else', async () => {
    server.replies(answers({}));
    await server.client().applications.get('a/b?c');
    expect(server.seen[0]?.url).toBe('/v1/applications/a%2Fb%3Fc');
    for (const id of ['', '.', '..', undefined as unknown as string])
      await expect(server.client().applications.get(id)).rejects.toThrow('applicationId');
    expect(server.seen).toHaveLength(1);
  });

  it('sends a request that nobody awaits', async () => {
    server.replies(answers({}));
    void server.client().applications.get('a');
    await vi.waitFor(() => expect(server.seen).toHaveLength(1));
  });

  it('gives the response beside the data, for the ETag of the next update', async () => {
    server.replies(answers({ id: 'a' }, 200, { etag: '"3"' }), answers({ id: 'a' }));
    const call = server.client().applications.get('a');
    expect(call).toBeInstanceOf(ApiPromise);
    const { data, response } = await call.withResponse();
    await server
      .client()
      .applications.update(data.id, { externalId: null }, { ifMatch: response.headers.get('etag') ?? undefined });
    expect(server.seen[1]?.headers['if-match']).toBe('"3"');
    expect(JSON.parse(server.seen[1]?.body.toString() ?? '')).toEqual({ externalId: null });
    expect(server.seen[1]?.headers['content-type']).toBe('application/merge-patch+json');
  });

  it('resolves to undefined if the answer has no body', async () => {
    server.replies((response) => response.writeHead(204).end());
    expect(await server.client().settings.apiKeys.revoke('kyc_live_7Hq2ZtK9')).toBeUndefined();
  });

  it('sends no content type without a body', async () => {
    server.replies(answers({}));
    await server.client().sandbox.enable();
    expect(server.seen[0]?.headers['content-type']).toBeUndefined();
  });

  it('adds the headers of the client and of the call, and names only itself by default', async () => {
    server.replies(answers({}));
    await server
      .client({ headers: { 'X-Team': 'onboarding', 'X-Trace': '1' } })
      .applications.get('a', { headers: { 'X-Trace': '2' } });
    expect(server.seen[0]?.headers).toMatchObject({ 'x-team': 'onboarding', 'x-trace': '2', 'user-agent': ownName });
  });

  it('names the application before itself', async () => {
    server.replies(answers({}));
    await server.client({ userAgent: 'acme-onboarding/2.3' }).applications.get('a');
    expect(server.seen[0]?.headers['user-agent']).toBe(`acme-onboarding/2.3 ${ownName}`);
  });

  it('adds query parameters of the call to those of the operation, repeating those with several values', async () => {
    server.replies(answers({ items: [], cursor: null, hasMore: false }));
    await server.client().applications.list(
      { limit: 5 },
      {
        query: {
          preview: true,
          tag: ['a b', 'c'],
          none: null,
          missing: undefined,
        },
      },
    );
    expect(server.seen[0]?.url).toBe('/v1/applications?limit=5&preview=true&tag=a%20b&tag=c');
  });

  it('refuses a header that no request may carry, without printing its value', async () => {
    const failure = await server
      .client()
      .applications.get('a', { headers: { 'X-Note': 'sec\r\nret' } })
      .catch((error: unknown) => error);
    expect((failure as Error).message).toContain('X-Note');
    expect((failure as Error).message).not.toContain('sec');
  });

  it('uses the fetch it is given', async () => {
    const seen: string[] = [];
    const fetch: Fetch = async (url, { method }) => {
      seen.push(`${method} ${url}`);
      return Response.json({ id: 'a' });
    };
    await expect(
      new ComplianceOnboarding({ baseUrl: 'https://api.example', apiKey: 'k_s', fetch }).applications.get('a'),
    ).resolves.toEqual({ id: 'a' });
    expect(seen).toEqual(['GET https://api.example/v1/applications/a']);
  });

  it('has the version of its package', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
      version: string;
      dependencies?: object;
    };
    expect(VERSION).toBe(manifest.version);
    expect(manifest.dependencies).toBeUndefined();
  });
});
