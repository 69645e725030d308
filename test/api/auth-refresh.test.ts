/**
 * API tests of refresh tokens: each is used once, a client that lost the answer gets it again, and a used one ends the
 * session.
 */
import { describe, expect, it } from 'vitest';
import { refusal, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { bearer, startWorld, type Answer, type Schemas } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

type Pair = Schemas['TokenPair'];

const refresh = (refreshToken: string, headers: Record<string, string> = {}) =>
  world.api.POST('/v1/auth/refresh', { body: { refreshToken }, headers });

const signIn = async (): Promise<Pair> => world.signIn((await world.user(tenantId)).email);

const me = async (accessToken: string): Promise<[number, string | undefined]> => {
  const { response, error } = await world.api.GET('/v1/auth/me', { headers: bearer(accessToken) });
  return [response.status, error?.code];
};

function expectRefused(answer: Answer<Schemas['Problem']>, code: string): void {
  expect([answer.status, answer.body.code]).toEqual([401, code]);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="api"');
}

describe('refreshing', () => {
  it('replaces both tokens and keeps the session', async () => {
    const first = await signIn();
    const second = await success(refresh(first.refreshToken));
    expect(second.status).toBe(200);
    expect(second.headers.get('cache-control')).toBe('no-store');
    expect(second.body.refreshToken).not.toBe(first.refreshToken);
    expect(second.body.user).toEqual(first.user);
    expect(await me(second.body.accessToken)).toEqual([200, undefined]);
  });

  it('repeats its answer for a client that lost it', async () => {
    const { refreshToken } = await signIn();
    const [once, again] = [await success(refresh(refreshToken)), await success(refresh(refreshToken))];
    expect(again.status).toBe(200);
    expect(again.body.refreshToken).toBe(once.body.refreshToken);
  });

  it('creates one successor for twenty parallel requests', async () => {
    const { refreshToken } = await signIn();
    const answers = await Promise.all(Array.from({ length: 20 }, () => success(refresh(refreshToken))));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const successors = new Set(answers.map(({ body }) => body.refreshToken));
    expect(successors.size).toBe(1);
    expect((await success(refresh([...successors][0] as string))).status).toBe(200);
  });

  it('extends the session by 14 days at a time, and to 30 days at most', async () => {
    const turning = await startWorld();
    const { email } = await turning.user(await turning.database.tenant());
    let pair = await turning.signIn(email);
    const remaining: number[] = [];
    for (let i = 0; i < 3; i++) {
      turning.advance(9 * 86_400_000);
      pair = (await success(turning.api.POST('/v1/auth/refresh', { body: { refreshToken: pair.refreshToken } }))).body;
      remaining.push(Math.round(pair.refreshExpiresIn / 86_400));
    }
    expect(remaining).toEqual([14, 12, 3]);
    turning.advance(3 * 86_400_000);
    expectRefused(
      await turning.call('POST', '/v1/auth/refresh', { json: { refreshToken: pair.refreshToken } }),
      'refresh_token_expired',
    );
    await turning.stop();
  });
});

describe('a refresh token that was used before', () => {
  async function expectFamilyEnded(pair: Pair, reused: Answer<Schemas['Problem']>): Promise<void> {
    expectRefused(reused, 'refresh_token_reused');
    expect(await me(pair.accessToken)).toEqual([401, 'token_revoked']);
  }

  it('ends the whole family after its retry window', async () => {
    const first = await signIn();
    const second = (await success(refresh(first.refreshToken))).body;
    expect(await me(second.accessToken)).toEqual([200, undefined]);
    world.advance(10_001);
    await expectFamilyEnded(second, await refusal(refresh(first.refreshToken)));
    expectRefused(await refusal(refresh(second.refreshToken)), 'refresh_token_invalid');
    expect(await world.events(tenantId)).toContain('auth.refresh.reuse_detected');
  });

  it('ends the family if another client presents it', async () => {
    const first = await signIn();
    const second = (await success(refresh(first.refreshToken))).body;
    await expectFamilyEnded(second, await refusal(refresh(first.refreshToken, { 'User-Agent': 'somebody else' })));
  });

  it('ends the family if its successor is already in use', async () => {
    const first = await signIn();
    const second = (await success(refresh(first.refreshToken))).body;
    const third = (await success(refresh(second.refreshToken))).body;
    await expectFamilyEnded(third, await refusal(refresh(first.refreshToken)));
  });

  it('leaves other sessions of the user alone', async () => {
    const { email } = await world.user(tenantId);
    const [other, first] = [await world.signIn(email), await world.signIn(email)];
    await success(refresh(first.refreshToken));
    world.advance(10_001);
    expectRefused(await refusal(refresh(first.refreshToken)), 'refresh_token_reused');
    expect(await me(other.accessToken)).toEqual([200, undefined]);
  });
});

describe('a refresh is refused', () => {
  it.each(['rt_', `rt_${'A'.repeat(43)}`, 'garbage', 'x'.repeat(128)])('for the unknown token %s', async (token) => {
    expectRefused(await refusal(refresh(token)), 'refresh_token_invalid');
  });

  it('after fourteen days without use', async () => {
    const { refreshToken } = await signIn();
    world.advance(14 * 86_400_000);
    expectRefused(await refusal(refresh(refreshToken)), 'refresh_token_expired');
  });

  it('for a user who may not act any more', async () => {
    const { id, email } = await world.user(tenantId);
    const { refreshToken } = await world.signIn(email);
    await world.database.sql(`UPDATE membership SET status = 'deactivated' WHERE user_id = $1`, [id]);
    expectRefused(await refusal(refresh(refreshToken)), 'refresh_token_invalid');
  });

  it('for a suspended tenant', async () => {
    const suspended = await world.database.tenant();
    const { refreshToken } = await world.signIn((await world.user(suspended)).email);
    await world.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [suspended]);
    const answer = await refusal(refresh(refreshToken));
    expect([answer.status, answer.body.code]).toEqual([403, 'tenant_suspended']);
  });

  it('for bad input, precisely', async () => {
    const answers = await Promise.all([
      world.call('POST', '/v1/auth/refresh', { json: {} }),
      world.call('POST', '/v1/auth/refresh', { json: { refreshToken: 'x'.repeat(129) } }),
      world.call('POST', '/v1/auth/refresh', { form: 'refreshToken=x' }),
      world.call('POST', '/v1/auth/refresh', { form: '{', headers: { 'Content-Type': 'application/json' } }),
      world.call('POST', '/v1/auth/refresh', { json: { refreshToken: 'x' }, headers: { Accept: 'text/plain' } }),
      world.call('POST', '/v1/auth/refresh', { json: { refreshToken: 'x'.repeat(1_100_000) } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 415, 400, 406, 413]);
  });
});

describe('signing out', () => {
  const logout = (accessToken: string, json?: object) =>
    world.call('POST', '/v1/auth/logout', { headers: bearer(accessToken), json });

  it('ends this session at once, for access and refresh', async () => {
    const tenant = await world.database.tenant();
    const { email } = await world.user(tenant);
    const [mine, other] = [await world.signIn(email), await world.signIn(email)];
    expect(await me(mine.accessToken)).toEqual([200, undefined]);
    expect((await logout(mine.accessToken)).status).toBe(204);
    expect(await me(mine.accessToken)).toEqual([401, 'token_revoked']);
    expectRefused(await refusal(refresh(mine.refreshToken)), 'refresh_token_invalid');
    expect(await me(other.accessToken)).toEqual([200, undefined]);
    expect((await world.events(tenant)).at(-1)).toBe('auth.logout');
  });

  it('everywhere ends every session', async () => {
    const { email } = await world.user(tenantId);
    const sessions = [await world.signIn(email), await world.signIn(email), await world.signIn(email)];
    for (const { accessToken } of sessions) expect(await me(accessToken)).toEqual([200, undefined]);
    expect((await logout((sessions[0] as Pair).accessToken, { everywhere: true })).status).toBe(204);
    for (const { accessToken } of sessions) expect(await me(accessToken)).toEqual([401, 'token_revoked']);
  });

  it('is refused for bad input, precisely', async () => {
    const { accessToken } = await signIn();
    const headers = bearer(accessToken);
    const answers = await Promise.all([
      logout(accessToken, { everywhere: 'yes' }),
      logout(accessToken, { everything: true }),
      world.call('POST', '/v1/auth/logout', { headers, form: 'everywhere=true' }),
      world.call('POST', '/v1/auth/logout', {
        headers: { ...headers, 'Content-Type': 'application/json' },
        form: '{"everywhere":true,"everywhere":false}',
      }),
      logout(accessToken, { everywhere: true, padding: 'x'.repeat(1_100_000) }),
      world.call('POST', '/v1/auth/logout'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 415, 400, 413, 401]);
    expect(await me(accessToken)).toEqual([200, undefined]);
  });
});

it('stores no refresh token in readable form', async () => {
  const first = await signIn();
  const second = (await success(refresh(first.refreshToken))).body;
  const [row] = await world.database.sql<{ text: string }>(
    `SELECT coalesce(string_agg(r::text, ' '), '') AS text FROM refresh_token r`,
  );
  for (const { refreshToken } of [first, second]) {
    expect(row?.text).not.toContain(refreshToken);
    expect(row?.text).not.toContain(Buffer.from(refreshToken).toString('hex'));
    expect(row?.text).not.toContain(Buffer.from(refreshToken.slice(3), 'base64url').toString('hex'));
  }
});
