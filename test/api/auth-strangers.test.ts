import { beforeAll, describe, expect, it } from 'vitest';
import { purgeThrottle } from '../../server/modules/sign-in/purge-store.ts';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { bearer, PASSWORD, startWorld, type Answer, type Schemas, type UserWithFactor } from './auth-world.ts';

type Pair = Schemas['TokenPair'];
type Refusal = Schemas['Problem'];

const DAY = 86_400_000;
const HOME = '198.51.100.10';
const NEW = 'seven quiet rivers at dawn';

const world = await shared(startWorld({ TRUST_PROXY: '1' }));
const tenantId = await world.database.tenant();

const post = <T = Refusal>(
  path: string,
  json: object,
  ip: string,
  headers: Record<string, string> = {},
): Promise<Answer<T>> => world.call<T>('POST', path, { json, headers: { 'X-Forwarded-For': ip, ...headers } });
const login = <T = Pair & Refusal>(email: string, ip: string, more: object = {}): Promise<Answer<T>> =>
  post<T>('/v1/auth/login', { email, password: PASSWORD, ...more }, ip);
const verdict = ({ status, body }: Answer<Refusal>): [number, string | undefined] => [status, body?.code];

let strangers = 0;
/** Returns another address on each call. */
const stranger = (): string => `203.0.113.${++strangers % 250}`;

/** Sends wrong passwords from addresses that the person never signed in from, until these are locked out. */
async function attack(email: string): Promise<void> {
  for (let i = 0; i < 5; i++)
    expect(verdict(await login(email, stranger(), { password: 'wrong' }))).toEqual([401, 'invalid_credentials']);
  expect(verdict(await login(email, stranger(), { password: 'wrong' }))).toEqual([423, 'account_locked']);
}

describe('an open session, while strangers fail at the sign-in', () => {
  let ana: UserWithFactor;
  let pair: Pair;
  beforeAll(async () => {
    ana = await world.userWithFactor(tenantId);
    ({ body: pair } = await login(ana.email, HOME, { totpCode: world.code(ana.secret) }));
    world.advance(10 * 60_000);
    await attack(ana.email);
  });

  const ofSession = (path: string, json: object, headers: Record<string, string> = {}) =>
    post(path, json, HOME, { ...bearer(pair.accessToken), ...headers });

  it('accepts a right code for calls that require a fresh one', async () => {
    const colleague = await world.userWithFactor(tenantId);
    const reset = (headers: Record<string, string>) =>
      ofSession(`/v1/users/${colleague.id}/reset-mfa`, { reason: 'lost the telephone on a journey' }, headers);
    expect(verdict(await reset({}))).toEqual([403, 'step_up_required']);
    expect((await reset({ 'X-TOTP-Code': world.code(ana.secret) })).status).toBe(200);
  });

  it('accepts the current password, is refreshed and is shown', async () => {
    expect(
      verdict(await ofSession('/v1/auth/password/change', { currentPassword: 'wrong', newPassword: NEW })),
    ).toEqual([403, 'invalid_current_password']);
    expect(verdict(await ofSession('/v1/auth/totp/enroll', { password: PASSWORD }))).toEqual([
      409,
      'mfa_already_enabled',
    ]);
    expect((await post('/v1/auth/refresh', { refreshToken: pair.refreshToken }, HOME)).status).toBe(200);
    expect((await world.api.GET('/v1/auth/me', { headers: bearer(pair.accessToken) })).response.status).toBe(200);
    expect(
      (
        await world.api.GET('/v1/users/{userId}/sessions', {
          params: { path: { userId: ana.id } },
          headers: bearer(pair.accessToken),
        })
      ).response.status,
    ).toBe(200);
  });

  it('changes the password and disables the second factor', async () => {
    expect((await ofSession('/v1/auth/password/change', { currentPassword: PASSWORD, newPassword: NEW })).status).toBe(
      204,
    );
    world.advance(30_000);
    expect((await ofSession('/v1/auth/totp/disable', { password: NEW, code: world.code(ana.secret) })).status).toBe(
      204,
    );
  });
});

describe('guesses at an open session', () => {
  const change = (pair: Pair, currentPassword: string) =>
    post('/v1/auth/password/change', { currentPassword, newPassword: NEW }, HOME, bearer(pair.accessToken));

  it('lock that session only, and not the sign-in', async () => {
    const { email } = await world.user(tenantId);
    const [mine, stolen] = [(await login(email, HOME)).body, (await login(email, HOME)).body];
    for (let i = 0; i < 5; i++) expect((await change(stolen, 'wrong')).status).toBe(403);
    expect(verdict(await change(stolen, PASSWORD))).toEqual([423, 'account_locked']);
    expect((await login(email, stranger())).status).toBe(200);
    expect((await change(mine, PASSWORD)).status).toBe(204);
  });

  it('are no more with several sessions than with two', async () => {
    const { email } = await world.user(tenantId);
    const sessions: Pair[] = [];
    for (let i = 0; i < 4; i++) sessions.push((await login(email, HOME)).body);
    const statuses: number[] = [];
    for (const pair of sessions) for (let i = 0; i < 5; i++) statuses.push((await change(pair, 'wrong')).status);
    expect(statuses.filter((status) => status === 403)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual(Array(10).fill(423));
  });
});

describe('signing in while strangers fail', () => {
  it('works from an address that the person signed in from, with the right password only', async () => {
    const { email } = await world.user(tenantId);
    await login(email, HOME);
    await attack(email);
    expect(verdict(await login(email, stranger()))).toEqual([423, 'account_locked']);
    expect(verdict(await login(email, HOME, { password: 'wrong' }))).toEqual([423, 'account_locked']);
    expect((await login(email, HOME)).status).toBe(200);
    // A successful sign-in from a known address does not lift the lock for strangers.
    expect(verdict(await login(email, stranger()))).toEqual([423, 'account_locked']);
  });

  it('works from anywhere with the token of a device, which stays the same', async () => {
    const { email } = await world.user(tenantId);
    const { deviceToken } = (await login(email, HOME)).body;
    expect(deviceToken).toMatch(/^dt_[\w-]{43}$/);
    await attack(email);
    const away = await login(email, stranger(), { deviceToken });
    expect([away.status, away.body.deviceToken]).toEqual([200, deviceToken]);
    expect(verdict(await login(email, stranger(), { deviceToken: `dt_${'A'.repeat(43)}` }))).toEqual([
      423,
      'account_locked',
    ]);
    const other = await world.user(tenantId);
    await attack(other.email);
    expect(verdict(await login(other.email, stranger(), { deviceToken })), 'of somebody else').toEqual([
      423,
      'account_locked',
    ]);
  });

  it('works with that token beside a stranger at the same address', async () => {
    const { email } = await world.user(tenantId);
    const { deviceToken } = (await login(email, HOME)).body;
    for (let i = 0; i < 6; i++) await login(email, HOME, { password: 'wrong' });
    expect(verdict(await login(email, HOME))).toEqual([423, 'account_locked']);
    expect((await login(email, HOME, { deviceToken })).status).toBe(200);
  });

  it('does not let the thief of a device or a user of a known address guess on', async () => {
    const { email } = await world.user(tenantId);
    const { deviceToken } = (await login(email, HOME)).body;
    await attack(email);
    for (let i = 0; i < 5; i++)
      expect((await login(email, stranger(), { deviceToken, password: `guess ${i}` })).status).toBe(423);
    expect(verdict(await login(email, stranger(), { deviceToken }))).toEqual([423, 'account_locked']);
    for (let i = 0; i < 5; i++) await login(email, HOME, { password: `guess ${i}` });
    expect(verdict(await login(email, HOME))).toEqual([423, 'account_locked']);
    world.advance(15 * 60_000 + 1);
    expect((await login(email, stranger(), { deviceToken })).status).toBe(200);
  });

  it('accepts a second factor that cannot be used up without the password', async () => {
    const bob = await world.userWithFactor(tenantId);
    await login(bob.email, HOME, { totpCode: world.code(bob.secret) });
    world.advance(30_000);
    await attack(bob.email);
    for (let i = 0; i < 6; i++)
      await login(bob.email, stranger(), { password: 'wrong', totpCode: world.code(bob.secret) });
    expect((await login(bob.email, HOME, { totpCode: world.code(bob.secret) })).status).toBe(200);
  });

  it('remembers an address for 90 days and forgets all others when the password changes', async () => {
    const { email } = await world.user(tenantId);
    const AWAY = '198.51.100.77';
    await login(email, AWAY);
    const { body: pair } = await login(email, HOME);
    expect(
      (
        await post(
          '/v1/auth/password/change',
          { currentPassword: PASSWORD, newPassword: NEW },
          HOME,
          bearer(pair.accessToken),
        )
      ).status,
    ).toBe(204);
    await attack(email);
    for (const [ip, deviceToken] of [[AWAY], [stranger(), pair.deviceToken]] as const) {
      expect((await login(email, ip, { password: NEW, deviceToken })).status).toBe(423);
    }
    expect((await login(email, HOME, { password: NEW })).status).toBe(200);
    world.advance(91 * DAY);
    await attack(email);
    expect((await login(email, HOME, { password: NEW })).status).toBe(423);
    await purgeThrottle(world.running.services.database, world.now());
    expect(
      await world.database.sql(`SELECT FROM known_place WHERE seen_at < $1`, [
        new Date(world.now().getTime() - 90 * DAY),
      ]),
    ).toEqual([]);
  });

  it('reveals nothing of a known address to a stranger there', async () => {
    const { email } = await world.user(tenantId);
    await login(email, HOME);
    const seen = async (address: string) => {
      const answers: unknown[] = [];
      for (const ip of [HOME, HOME, stranger(), stranger(), stranger(), HOME, stranger(), HOME, HOME, HOME, HOME]) {
        const { status, body, headers } = await login(address, ip, { password: 'wrong' });
        answers.push([status, body.code, headers.has('retry-after')]);
      }
      return answers;
    };
    expect(await seen(email)).toEqual(await seen('nobody-knows@example.com'));
  });

  it('remembers few addresses of a person', async () => {
    const { email } = await world.user(tenantId);
    for (let i = 0; i < 25; i++) expect((await login(email, `198.18.0.${i}`)).status).toBe(200);
    const rows = await world.database.sql<{ kind: string; count: number }>(
      `SELECT kind, max(n)::int AS count FROM (SELECT kind, count(*) AS n FROM known_place GROUP BY account, kind) k
        GROUP BY kind ORDER BY kind`,
    );
    expect(rows).toEqual([
      { kind: 'device', count: 20 },
      { kind: 'site', count: 20 },
    ]);
  });

  it('mails the owner once, however long the failures continue', async () => {
    const { email } = await world.user(tenantId);
    for (const minutes of [15, 30, 60, 120]) {
      await attack(email);
      world.advance(minutes * 60_000 + 1);
    }
    const rows = await world.database.sql(`SELECT FROM mail_message WHERE recipient_mac = $1`, [
      world.running.services.mail.seal.recipientMac(email),
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('a colleague', () => {
  it('unlocks the account everywhere', async () => {
    const [owner, ana] = [await world.user(tenantId), await world.user(tenantId, 'viewer')];
    const {
      body: { accessToken },
    } = await login(owner.email, HOME);
    await login(ana.email, HOME);
    for (let i = 0; i < 6; i++) await login(ana.email, HOME, { password: 'wrong' });
    expect((await login(ana.email, HOME)).status).toBe(423);
    const answer = await success(
      world.api.PATCH('/v1/users/{userId}', {
        params: { path: { userId: ana.id } },
        headers: bearer(accessToken),
        body: { unlock: true },
      }),
    );
    expect(answer.status).toBe(200);
    expect((await login(ana.email, HOME)).status).toBe(200);
  });
});

describe('the way out by mail', () => {
  const forgot = (email: string, ip: string, deviceToken?: string) =>
    post('/v1/auth/password/forgot', { email, deviceToken }, ip);
  const mails = async (email: string) =>
    (
      await world.database.sql(`SELECT FROM mail_message WHERE recipient_mac = $1 AND template = 'passwordReset'`, [
        world.running.services.mail.seal.recipientMac(email),
      ])
    ).length;

  it('is open to a known address while strangers request links, and to others within the hour', async () => {
    const { email } = await world.user(tenantId);
    const { deviceToken } = (await login(email, HOME)).body;
    const flood = async (hours: number): Promise<void> => {
      for (let i = 0; i < hours * 30; i++) {
        await world.database.sql(`UPDATE password_reset SET requested_at = requested_at - interval '2 minutes'`);
        world.advance(2 * 60_000);
        expect((await forgot(email, stranger())).status).toBe(202);
      }
    };
    await flood(2);
    const caused = await mails(email);
    expect(caused).toBeLessThan(10);
    world.advance(2 * 60_000);
    for (const [ip, token] of [[HOME], [stranger(), deviceToken]] as const) {
      const before = await mails(email);
      await forgot(email, ip, token);
      expect(await mails(email)).toBe(before + 1);
      world.advance(2 * 60_000);
    }
    world.advance(60 * 60_000);
    const before = await mails(email);
    await forgot(email, stranger());
    expect(await mails(email)).toBe(before + 1);
  });

  it('is not blocked by guesses at the sign-in from the same address', async () => {
    const { email } = await world.user(tenantId);
    const ip = stranger();
    for (let i = 0; i < 6; i++) await login(email, ip, { password: 'wrong' });
    await forgot(email, ip);
    const token = await world.mailedToken(email);
    expect((await post('/v1/auth/password/reset', { token, newPassword: NEW }, ip)).status).toBe(204);
    expect((await login(email, ip, { password: NEW })).status).toBe(200);
  });
});

describe('an invitation', () => {
  it('is accepted by a person with an account while strangers fail at its sign-in', async () => {
    const other = await world.database.tenant();
    const [owner, ana] = [await world.user(other), await world.user(tenantId)];
    const {
      body: { accessToken },
    } = await login(owner.email, HOME);
    await success(
      world.api.POST('/v1/users/invitations', {
        headers: bearer(accessToken),
        body: { email: ana.email, role: 'viewer' },
      }),
      201,
    );
    const token = await world.mailedToken(ana.email);
    await attack(ana.email);
    const accepted = await post<Pair>(
      '/v1/auth/invitations/accept',
      { token, name: 'Ana', password: PASSWORD },
      stranger(),
    );
    expect(accepted.status).toBe(201);
    expect(accepted.body.deviceToken).toMatch(/^dt_/);
  });
});

describe('a network from which many sign-ins are attempted', () => {
  it('does not lock out the people who sign in there', async () => {
    const strict = await startWorld({ RATE_LIMIT_LOGINS_PER_ADDRESS: '2', TRUST_PROXY: '1' });
    try {
      const { email } = await strict.user(await strict.database.tenant());
      const from = (address: string, password: string) =>
        strict.call('POST', '/v1/auth/login', {
          headers: { 'X-Forwarded-For': HOME },
          json: { email: address, password },
        });
      expect((await from(email, PASSWORD)).status).toBe(200);
      for (let i = 0; i < 21; i++) {
        await from(`guess-${i}@example.com`, 'wrong');
        strict.advance(31_000);
      }
      strict.advance(31_000);
      expect((await from('guess-30@example.com', 'wrong')).status).toBe(429);
      expect((await from(email, PASSWORD)).status).toBe(200);
    } finally {
      await strict.stop();
    }
  });
});
