/** Tests of which credential a call sends, and of getting and renewing tokens. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AuthenticationError, ComplianceOnboardingError, OAuthError, ServerError } from '../src/index.ts';
import { TokenManager } from '../src/core/token-manager.ts';
import { json, problem, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const oauth = { clientId: 'kyc_live_7Hq2ZtK9', clientSecret: 'kyc_live_7Hq2ZtK9_secret' };

/** A token endpoint that numbers its tokens, and resources that accept the tokens for which `valid` returns true. */
function tokens(valid: (token: string) => boolean, expiresIn = 3600): () => number {
  let issued = 0;
  server.replies((response, seen) => {
    if (seen.path === '/oauth/token')
      return setTimeout(
        () =>
          json(response, 200, {
            access_token: `t${++issued}`,
            token_type: 'Bearer',
            expires_in: expiresIn,
            scope: 'read',
          }),
        20,
      );
    const token = (seen.headers.authorization ?? '').replace('Bearer ', '');
    return valid(token) ? json(response, 200, { token }) : problem(response, 401, 'token_expired');
  });
  return () => issued;
}

describe('credentials', () => {
  it('sends an API key as X-API-Key and nothing else', async () => {
    server.replies((response) => json(response, 200, {}));
    await server.client({ apiKey: 'kyc_live_7Hq2ZtK9_secret' }).applications.get('a');
    expect(server.seen[0]?.headers).toMatchObject({ 'x-api-key': 'kyc_live_7Hq2ZtK9_secret' });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('sends the access token of a person, calling a function for the current one each time', async () => {
    server.replies((response) => json(response, 200, {}));
    let number = 0;
    const client = server.client({ accessToken: async () => `token-${++number}` });
    await client.auth.getCurrentUser();
    await client.auth.getCurrentUser();
    expect(server.seen.map((seen) => seen.headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('sends no credential to public operations', async () => {
    server.replies((response) => json(response, 200, {}));
    await server.client().auth.login({ email: 'a@example.com', password: 'x' });
    expect(server.seen[0]?.headers['x-api-key']).toBeUndefined();
  });

  it('exchanges an API key for a token if the operation takes no API key', async () => {
    tokens(() => true);
    await server
      .client({ apiKey: 'kyc_live_7Hq2ZtK9_secret' })
      .fundsRecovery.events.list()
      .catch(() => undefined);
    const [exchange, list] = server.seen;
    expect(exchange?.headers.authorization).toBe(`Basic ${btoa('kyc_live_7Hq2ZtK9:kyc_live_7Hq2ZtK9_secret')}`);
    expect(list?.headers).toMatchObject({ authorization: 'Bearer t1' });
    expect(list?.headers['x-api-key']).toBeUndefined();
  });

  it('names the missing credential before anything is sent', async () => {
    server.replies((response) => json(response, 200, {}));
    await expect(server.client().auth.getCurrentUser()).rejects.toThrow('accessToken');
    expect(server.seen).toHaveLength(0);
  });

  it('refuses a credential that could smuggle a header in, without printing it', async () => {
    const failure = await server
      .client({ apiKey: 'sec\r\nret' })
      .applications.get('a')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ComplianceOnboardingError);
    expect((failure as Error).message).not.toContain('sec');
  });
});

describe('client credentials', () => {
  it('requests the token with HTTP Basic and a form, with the scopes of the client', async () => {
    tokens(() => true);
    await server.client({ ...oauth, scope: 'read write' }).applications.get('a');
    const exchange = server.seen[0];
    expect(exchange?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/);
    expect(exchange?.headers.authorization).toBe(`Basic ${btoa(`${oauth.clientId}:${oauth.clientSecret}`)}`);
    expect(exchange?.body.toString()).toBe('grant_type=client_credentials&scope=read+write');
  });

  it('shares one exchange between calls that start at the same time, and its token with those that follow', async () => {
    const issued = tokens(() => true);
    const client = server.client(oauth);
    await Promise.all([client.applications.get('a'), client.applications.get('b'), client.applications.get('c')]);
    await client.applications.get('d');
    expect(issued()).toBe(1);
    expect(server.seen).toHaveLength(5);
  });

  it('gets a new token once if the server no longer accepts the old one', async () => {
    const issued = tokens((token) => token !== 't1');
    await expect(server.client({ ...oauth, maxRetries: 0 }).applications.get('a')).resolves.toMatchObject({
      token: 't2',
    });
    expect(issued()).toBe(2);
  });

  it('gets only one new token if several calls are refused at the same time', async () => {
    const issued = tokens((token) => token !== 't1');
    const client = server.client(oauth);
    await Promise.all(['a', 'b', 'c'].map((id) => client.applications.get(id)));
    expect(issued()).toBe(2);
  });

  it('gives up if the new token is refused as well', async () => {
    const issued = tokens(() => false);
    await expect(server.client(oauth).applications.get('a')).rejects.toBeInstanceOf(AuthenticationError);
    expect(issued()).toBe(2);
  });

  it('reports the error of the token endpoint, by its OAuth code', async () => {
    server.replies((response) =>
      json(response, 401, { error: 'invalid_client', error_description: 'The secret is wrong.' }),
    );
    const failure = await server
      .client(oauth)
      .applications.get('a')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OAuthError);
    expect(failure).toMatchObject({ status: 401, error: 'invalid_client', description: 'The secret is wrong.' });
    expect(server.seen).toHaveLength(1);
  });

  it('repeats an exchange if the server failed', async () => {
    let calls = 0;
    server.replies((response, seen) =>
      seen.path === '/oauth/token' && calls++ === 0
        ? problem(response, 503, 'overloaded', { headers: { 'retry-after': '0' } })
        : json(response, 200, { access_token: 't', expires_in: 60 }),
    );
    await server.client(oauth).applications.get('a');
    expect(server.seen.map((seen) => seen.path)).toEqual(['/oauth/token', '/oauth/token', '/v1/applications/a']);
  });

  it('lets one caller leave a shared exchange without ending it for the other', async () => {
    const issued = tokens(() => true);
    const client = server.client(oauth);
    const leaving = client.applications.get('a', { signal: AbortSignal.timeout(5) });
    const staying = client.applications.get('b');
    await expect(leaving).rejects.toThrow('aborted');
    await expect(staying).resolves.toMatchObject({ token: 't1' });
    expect(issued()).toBe(1);
  });
});

describe('the token manager', () => {
  const manager = (lifetimes: number[]): { get: (at: number) => Promise<string>; count: () => number } => {
    let count = 0;
    const exchange = async () => ({ access_token: `t${++count}`, expires_in: lifetimes[count - 1] ?? 3600 });
    const tokens = new TokenManager();
    const start = Date.now();
    return { get: (seconds) => tokens.get(exchange, start + seconds * 1000), count: () => count };
  };

  it('renews in the background half a minute before the end, and serves the old token meanwhile', async () => {
    const { get, count } = manager([3600, 7200]);
    expect(await get(0)).toBe('t1');
    expect(await get(3500)).toBe('t1');
    expect(count()).toBe(1);
    expect(await get(3575)).toBe('t1');
    expect(count()).toBe(2);
    expect(await get(3576)).toBe('t2');
  });

  it('waits for a new token once the old one has expired', async () => {
    const { get } = manager([60, 3600]);
    await get(0);
    expect(await get(61)).toBe('t2');
  });

  it('retries after a failed exchange', async () => {
    let calls = 0;
    const tokens = new TokenManager();
    const exchange = async () => {
      if (calls++ === 0) throw new Error('down');
      return { access_token: 't', expires_in: 60 };
    };
    await expect(tokens.get(exchange)).rejects.toThrow('down');
    await expect(tokens.get(exchange)).resolves.toBe('t');
  });

  describe('while early renewals fail', () => {
    afterEach(() => {
      vi.useRealTimers();
    });

    /**
     * Returns the seconds of a token's life of one hour at which a renewal was tried, with a call in each second from
     * half a minute before its end.
     */
    async function tried(failure: Error): Promise<readonly number[]> {
      vi.useFakeTimers({ toFake: ['Date'] });
      vi.spyOn(Math, 'random').mockReturnValue(0.5);
      const [tokens, start, at]: [TokenManager, number, number[]] = [new TokenManager(), Date.now(), []];
      const exchange = async () => {
        at.push((Date.now() - start) / 1000);
        if (at.length > 1) throw failure;
        return { access_token: 't1', expires_in: 3_600 };
      };
      for (let second = 0; second < 3_600; second += second === 0 ? 3_570 : 1) {
        vi.setSystemTime(start + second * 1000);
        expect(await tokens.get(exchange)).toBe('t1');
        await new Promise(setImmediate); // The renewal in the background fails.
      }
      return at;
    }

    it('still serves the old token, and pauses longer after each of them', async () => {
      expect(await tried(new Error('down'))).toEqual([0, 3_570, 3_572, 3_575, 3_581, 3_593]);
    });

    it('pauses as long as the server asks', async () => {
      const refused = new Response(null, { status: 503, headers: { 'retry-after': '12.5' } });
      expect(await tried(new ServerError(refused, undefined))).toEqual([0, 3_570, 3_583, 3_596]);
    });
  });

  it('trusts no token whose exchange started before the last one was refused', async () => {
    const arriving: ((token: string) => void)[] = [];
    const exchange = () =>
      new Promise<{ access_token: string; expires_in: number }>((resolve) => {
        arriving.push((token) => resolve({ access_token: token, expires_in: 3600 }));
      });
    const tokens = new TokenManager();
    const start = Date.now();
    const first = tokens.get(exchange, start);
    arriving[0]?.('t1');
    await first;
    await tokens.get(exchange, start + 3_590_000); // Renews in the background.
    tokens.discard('t1');
    const next = tokens.get(exchange);
    arriving[2]?.('t3');
    expect(await next).toBe('t3');
    arriving[1]?.('t2');
    await Promise.resolve();
    expect(await tokens.get(exchange)).toBe('t3');
    expect(arriving).toHaveLength(3);
  });
});
