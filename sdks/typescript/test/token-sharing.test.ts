/** Tests of how many calls and clients share one token. */
import { describe, expect, it } from 'vitest';
import { OAuthError, TokenCache } from '../src/index.ts';
import { json, problem, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const oauth = { clientId: 'kyc_live_7Hq2ZtK9', clientSecret: 'kyc_live_7Hq2ZtK9_secret' };

/** A service whose tokens live as long as it is told, and can all be revoked at once. */
function service(seconds = 3600): { readonly issued: () => number; readonly revoke: () => void } {
  let [issued, oldest] = [0, 1];
  server.replies((response, seen) => {
    if (seen.path === '/oauth/token')
      return json(response, 200, { access_token: `t${++issued}`, token_type: 'Bearer', expires_in: seconds });
    const number = Number((seen.headers.authorization ?? '').replace('Bearer t', ''));
    return number >= oldest ? json(response, 200, {}) : problem(response, 401, 'token_revoked');
  });
  return {
    issued: () => issued,
    revoke: () => {
      oldest = issued + 1;
    },
  };
}

describe('tokens', () => {
  it('cost one exchange for a thousand calls that start cold', async () => {
    const { issued } = service();
    const client = server.client(oauth);
    await Promise.all(Array.from({ length: 1_000 }, () => client.applications.get('a')));
    expect(issued()).toBe(1);
  });

  it('fail no call if all of them are revoked in the middle of many, and cost one exchange more', async () => {
    const { issued, revoke } = service();
    const client = server.client({ ...oauth, maxRetries: 0 });
    await client.applications.get('a');
    revoke();
    await Promise.all(Array.from({ length: 100 }, () => client.applications.get('a')));
    expect(issued()).toBe(2);
  });

  it('fail no call although each of them is valid for a second at most', async () => {
    const { issued } = service(1);
    const client = server.client({ ...oauth, maxRetries: 0 });
    const end = performance.now() + 2_500;
    while (performance.now() < end) await client.applications.get('a');
    expect(issued()).toBeGreaterThanOrEqual(3);
    expect(issued()).toBeLessThanOrEqual(6);
  });

  it('are shared by clients with one cache, one address and one credential', async () => {
    const { issued } = service();
    const tokenCache = new TokenCache();
    const clients = Array.from({ length: 5 }, () => server.client({ ...oauth, tokenCache }));
    await Promise.all(clients.map((client) => client.applications.get('a')));
    expect(issued()).toBe(1);
    await server.client({ ...oauth, tokenCache, scope: 'read' }).applications.get('a');
    await server.client({ ...oauth, clientSecret: 'another', tokenCache }).applications.get('a');
    await server
      .client({ ...oauth, baseUrl: `${server.url}/prefix`, tokenCache })
      .applications.get('a')
      .catch(() => undefined);
    await server.client(oauth).applications.get('a');
    expect(issued()).toBe(4);
  });

  it('leave no secret in the cache that holds them, nor in errors', async () => {
    const tokenCache = new TokenCache();
    server.replies((response) => json(response, 401, { error: 'invalid_client' }));
    const failure = await server
      .client({ ...oauth, tokenCache })
      .applications.get('a')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OAuthError);
    const { inspect } = await import('node:util');
    const shown = inspect([tokenCache, failure, server.client(oauth)], { depth: null, showHidden: true });
    expect(shown).not.toContain(oauth.clientSecret);
  });
});
