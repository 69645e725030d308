/** API tests of how long sessions last and how they end. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { UserPrincipal } from '../../server/contract/operation.ts';
import { removeSecondFactors as resetMfa } from '../../server/identity/second-factor.ts';
import { authenticationDependencies } from '../../server/modules/login-throttle/index.ts';
import { stepUpVerifier } from '../../server/modules/second-factor/index.ts';
import { endSessions } from '../../server/modules/sessions/store.ts';
import { purgeCredentials } from '../../server/modules/sign-in/purge-store.ts';
import { refusal, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { bearer, PASSWORD, startWorld, type Schemas, type UserWithFactor } from './auth-world.ts';

const world = await shared(startWorld());
const verify = stepUpVerifier(authenticationDependencies(world.running.services));

type Pair = Schemas['TokenPair'];

const MINUTE = 60_000;
const refresh = ({ refreshToken }: Pair) => world.api.POST('/v1/auth/refresh', { body: { refreshToken } });
const me = ({ accessToken }: Pair) => success(world.api.GET('/v1/auth/me', { headers: bearer(accessToken) }));
const login = async (email: string, more: object = {}): Promise<Pair> =>
  (await success(world.api.POST('/v1/auth/login', { body: { email, password: PASSWORD, ...more } }))).body;

async function tenantWith(security: object): Promise<string> {
  const tenantId = await world.database.tenant();
  await world.database.sql('INSERT INTO tenant_settings (tenant_id, document) VALUES ($1, $2)', [
    tenantId,
    JSON.stringify({ security }),
  ]);
  return tenantId;
}

describe('a login', () => {
  it('lasts without use as long as its tenant allows', async () => {
    const { email } = await world.user(await tenantWith({ idleMinutes: 5 }));
    let pair = await world.signIn(email);
    expect([pair.expiresIn, pair.refreshExpiresIn]).toEqual([300, 300]);
    for (let i = 0; i < 3; i++) {
      world.advance(4 * MINUTE);
      const next = await success(refresh(pair));
      pair = next.body;
    }
    const { session } = (await me(pair)).body;
    expect(Date.parse(session.expiresAt) - Date.parse(session.lastSeenAt)).toBe(5 * MINUTE);
    world.advance(5 * MINUTE);
    expect((await refusal(refresh(pair))).body.code).toBe('refresh_token_expired');
  });

  it('lasts in total as long as its tenant allows', async () => {
    const { email } = await world.user(await tenantWith({ sessionHours: 1 }));
    const pair = await world.signIn(email);
    expect(pair.refreshExpiresIn).toBe(3600);
    world.advance(50 * MINUTE);
    const last = (await success(refresh(pair))).body;
    expect(last.refreshExpiresIn).toBeLessThanOrEqual(600);
    expect(last.expiresIn).toBe(last.refreshExpiresIn);
    world.advance(10 * MINUTE);
    expect((await refusal(refresh(last))).body.code).toBe('refresh_token_expired');
  });

  it('becomes shorter if its tenant shortens the limit meanwhile', async () => {
    const tenantId = await world.database.tenant();
    const { email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    await world.database.sql(
      `INSERT INTO tenant_settings (tenant_id, document) VALUES ($1, '{"security":{"idleMinutes":30}}')`,
      [tenantId],
    );
    expect((await success(refresh(pair))).body.refreshExpiresIn).toBe(1800);
  });
});

describe('the sessions of a user', () => {
  it('are ended one by one or all at once', async () => {
    const tenantId = await world.database.tenant();
    const { id: userId, email } = await world.user(tenantId);
    const pairs: Pair[] = [];
    for (let i = 0; i < 3; i++) pairs.push(await world.signIn(email));
    const [first, ...rest] = await Promise.all(pairs.map(async (pair) => (await me(pair)).body.session.id));
    const end = async (which: object) =>
      (
        await world.database.database.transaction({ tenantId }, (tx) =>
          endSessions(tx, {
            tenantId,
            userId,
            reason: 'administrator',
            now: world.now(),
            ...which,
          }),
        )
      ).sort();
    expect(await end({ sessionId: first })).toEqual([first]);
    expect(await end({ sessionId: first })).toEqual([]);
    expect(await end({})).toEqual(rest.sort());
    for (const pair of pairs) expect((await refusal(refresh(pair))).status).toBe(401);
  });

  it('are deleted months after they have ended, with their tokens', async () => {
    const tenantId = await world.database.tenant();
    const { id, email } = await world.user(tenantId);
    await world.signIn(email);
    await world.signIn(email);
    const left = async (): Promise<number> =>
      (await world.database.sql('SELECT FROM session WHERE user_id = $1', [id])).length;
    const age = (days: number) =>
      Promise.all([
        world.database.sql(
          `UPDATE session SET absolute_expires_at = now() - $2 * interval '1 day'
            WHERE id = (SELECT min(id::text)::uuid FROM session WHERE user_id = $1)`,
          [id, days],
        ),
        world.database.sql(
          `UPDATE refresh_token SET expires_at = now() - $2 * interval '1 day'
            WHERE session_id = (SELECT min(id::text)::uuid FROM session WHERE user_id = $1)`,
          [id, days],
        ),
      ]);
    await age(89);
    await purgeCredentials(world.database.database, world.now());
    expect(await left()).toBe(2);
    await age(91);
    expect(await purgeCredentials(world.database.database, world.now())).toBeGreaterThanOrEqual(1);
    expect(await left()).toBe(1);
  });
});

describe('a second factor that is required anew', () => {
  const principal = async (pair: Pair, { id, email }: { id: string; email: string }): Promise<UserPrincipal> => {
    const { user, session } = (await me(pair)).body;
    return {
      kind: 'user',
      tenantId: user.tenantId,
      id,
      userId: id,
      display: email,
      role: 'owner',
      sessionId: session.id,
      mfa: session.mfa,
      client: id,
      quotaOf: id,
      personalData: 'full',
    };
  };
  const origin = () => ({
    requestId: 'test',
    clientIp: '198.51.100.1',
    userAgent: 'test',
    now: world.now(),
  });
  let ana: UserWithFactor;
  let who: UserPrincipal;
  let pair: Pair;

  beforeAll(async () => {
    ana = await world.userWithFactor(await world.database.tenant());
    pair = await login(ana.email, { totpCode: world.code(ana.secret) });
    who = await principal(pair, ana);
  });

  it('is valid for five minutes if it was given at sign-in', async () => {
    expect(await verify(who, undefined, origin())).toBe(true);
    world.advance(5 * MINUTE - 10_000);
    expect(await verify(who, undefined, origin())).toBe(true);
    world.advance(10_000);
    expect(await verify(who, undefined, origin())).toBe(false);
  });

  const anotherSession = async (at: number): Promise<UserPrincipal> =>
    principal(await login(ana.email, { recoveryCode: ana.recoveryCodes[at] }), ana);

  it('is given by a code, which works for one session and is remembered for it', async () => {
    const code = world.code(ana.secret);
    expect(await verify(who, code, origin())).toBe(true);
    expect(await verify(who, undefined, origin())).toBe(true);
    const other = await anotherSession(0);
    expect(await verify(other, undefined, origin())).toBe(false);
    expect(await verify(other, code, origin())).toBe(false);
  });

  it('stays given if a client that lost the answer repeats its request with the code, and nothing is counted', async () => {
    world.advance(MINUTE);
    const [before, code] = [world.code(ana.secret, -1), world.code(ana.secret)];
    expect(await verify(who, code, origin())).toBe(true);
    world.advance(4 * MINUTE);
    for (let i = 0; i < 6; i++) expect(await verify(who, code, origin())).toBe(true);
    expect(await verify(who, before, origin()), 'a code that was never given').toBe(false);
    world.advance(MINUTE);
    expect(await verify(who, code, origin()), 'five minutes later').toBe(false);
  });

  it('is given to one session also if the same code comes from two of them at once', async () => {
    world.advance(MINUTE);
    const [code, other] = [world.code(ana.secret), await anotherSession(1)];
    const verdicts = await Promise.all(
      [who, other].map((one) => Promise.all(Array.from({ length: 3 }, () => verify(one, code, origin())))),
    );
    expect(verdicts.map((each) => new Set(each).size)).toEqual([1, 1]);
    expect(verdicts.filter(([first]) => first)).toHaveLength(1);
  });

  it.each(['', '12345', 'abcdef', '１２３４５６', '000000'])('is not given by %j', async (code) => {
    expect(await verify(who, code, origin())).toBe(false);
  });

  it('is locked for its session if it is guessed, and neither for the sign-in nor for other sessions', async () => {
    const bob = await world.userWithFactor(await world.database.tenant());
    const his = await principal(bob.pair, bob);
    for (let i = 0; i < 5; i++) expect(await verify(his, '000000', origin())).toBe(false);
    expect(await verify(his, world.code(bob.secret), origin())).toBe(false);
    expect(await world.events(his.tenantId)).toContain('auth.login.locked');
    expect(await world.mail(bob.email)).toMatchObject({ template: 'sessionLocked' });
    const other = await principal(await login(bob.email, { totpCode: world.code(bob.secret) }), bob);
    world.advance(30_000);
    expect(await verify(other, world.code(bob.secret), origin())).toBe(true);
    world.advance(30_000);
    expect(await verify(his, world.code(bob.secret), origin())).toBe(false);
  });

  it('cannot be given by a user without one, nor by a user who has disabled it', async () => {
    const tenantId = await world.database.tenant();
    const nobody = await world.user(tenantId);
    const theirs = await principal(await world.signIn(nobody.email), nobody);
    expect(await verify(theirs, undefined, origin())).toBe(false);
    expect(await verify(theirs, '123456', origin())).toBe(false);
    const bob = await world.userWithFactor(tenantId);
    const his = await principal(bob.pair, bob);
    expect(await verify(his, undefined, origin())).toBe(true);
    expect(await world.database.database.platform({ tenantId }, (tx) => resetMfa(tx, bob.id))).toBe(true);
    expect(await verify(his, undefined, origin())).toBe(false);
    expect(await verify(his, world.code(bob.secret), origin())).toBe(false);
    expect((await login(bob.email)).user.mfaEnabled).toBe(false);
  });
});
