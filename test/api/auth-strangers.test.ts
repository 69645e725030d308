/** API tests that strangers who fail at the sign-in do not lock out the person, and gain no guesses by that. */
import { describe, expect, it } from 'vitest';
import { purgeThrottle } from '../../server/modules/sign-in/purge-store.ts';
import { shared } from '../support/service.ts';
import { HOME, NEW_PASSWORD, startStrangersWorld, verdict } from './auth-strangers-world.ts';
import { bearer, PASSWORD, startWorld } from './auth-world.ts';

const DAY = 86_400_000;

const world = await shared(startStrangersWorld());
const { tenantId, post, login, stranger, attack } = world;

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
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    const changed = await post('/v1/auth/password/change', change, HOME, bearer(pair.accessToken));
    expect(changed.status).toBe(204);
    await attack(email);
    for (const [ip, deviceToken] of [[AWAY], [stranger(), pair.deviceToken]] as const) {
      expect((await login(email, ip, { password: NEW_PASSWORD, deviceToken })).status).toBe(423);
    }
    expect((await login(email, HOME, { password: NEW_PASSWORD })).status).toBe(200);
    world.advance(91 * DAY);
    await attack(email);
    expect((await login(email, HOME, { password: NEW_PASSWORD })).status).toBe(423);
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
