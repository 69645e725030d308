/** API tests of the lock after repeated failures at the sign-in, and of what it must not reveal. */
import { describe, expect, it } from 'vitest';
import { addMember } from '../../server/modules/accounts/membership-store.ts';
import { purgeThrottle } from '../../server/modules/sign-in/purge-store.ts';
import { refusal, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { PASSWORD, startWorld, type Schemas } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant('Banco Demonstração');

const login = (email: string, password = PASSWORD, more: Partial<Schemas['LoginRequest']> = {}) =>
  world.api.POST('/v1/auth/login', { body: { email, password, ...more } });

async function failTimes(email: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect((await refusal(login(email, 'wrong'))).status).toBe(401);
}

describe('repeated failures', () => {
  it.each(['of a user', 'of an unknown e-mail'])(
    '%s lock for a quarter of an hour, then twice as long',
    async (which) => {
      const tenant = await world.database.tenant();
      const email = which === 'of a user' ? (await world.user(tenant)).email : 'nobody-at-all@example.com';
      await failTimes(email, 5);
      const locked = await refusal(login(email, PASSWORD));
      expect([locked.status, locked.body.code]).toEqual([423, 'account_locked']);
      const seconds = Number(locked.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(890);
      expect(seconds).toBeLessThanOrEqual(900);
      expect(locked.body.retryAfter).toBe(seconds);
      world.advance(900_000);
      await failTimes(email, 5);
      expect(Number((await refusal(login(email))).headers.get('retry-after'))).toBeGreaterThan(1790);
      if (which === 'of a user') {
        world.advance(1_800_000);
        await success(login(email));
        expect((await world.events(tenant)).filter((action) => action === 'auth.login.locked')).toHaveLength(2);
      }
    },
  );

  it('are forgotten after the right password', async () => {
    const { email } = await world.user(tenantId);
    for (let round = 0; round < 2; round++) {
      await failTimes(email, 4);
      expect((await success(login(email))).status).toBe(200);
    }
  });

  it('count one by one when they come in parallel', async () => {
    const { email } = await world.user(tenantId);
    const answers = await Promise.all(Array.from({ length: 12 }, () => refusal(login(email, 'wrong'))));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([401, 401, 401, 401, 401, 423, 423, 423, 423, 423, 423, 423]);
    expect((await refusal(login(email))).status).toBe(423);
  });

  it('do not reveal whether a guess among them would have had to choose a tenant', async () => {
    const other = await world.database.tenant();
    const { id, email } = await world.user(tenantId);
    await world.database.database.platform({ tenantId: other }, (tx) =>
      addMember(tx, { tenantId: other, userId: id }, 'viewer', new Date()),
    );
    const guesses = [...Array.from({ length: 12 }, () => 'wrong'), PASSWORD];
    const answers = await Promise.all(guesses.map((password) => refusal(login(email, password))));
    expect(answers.at(-1)?.body.code).toBe('account_locked');
  });

  it('are stored under a keyed hash, not under the address', async () => {
    await failTimes('secret-person@example.com', 1);
    const rows = await world.database.sql<{ key: string }>('SELECT key FROM login_throttle');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/example|127\.0\.0\.1/);
  });

  it('are deleted after a day without further ones', async () => {
    await world.database.sql('DELETE FROM login_throttle');
    await failTimes('once@example.com', 1);
    await failTimes('locked@example.com', 5);
    const { database } = world.running.services;
    const hence = (hours: number): Date => new Date(world.now().getTime() + hours * 3_600_000);
    const left = async (): Promise<number> => (await world.database.sql('SELECT FROM login_throttle')).length;
    expect(await purgeThrottle(database, hence(23))).toBe(0);
    // The period of the locked entry starts at the end of its lock.
    await purgeThrottle(database, hence(24.1));
    // One row is of the account and one of the address that tried it.
    expect(await left()).toBe(2);
    await purgeThrottle(database, hence(25));
    expect(await left()).toBe(0);
  });
});

describe('an address that fails again and again', () => {
  it('has to wait, whichever account it tries', async () => {
    const strict = await startWorld({ RATE_LIMIT_LOGINS_PER_ADDRESS: '1', TRUST_PROXY: '1' });
    const from = (ip: string, email: string) =>
      strict.call('POST', '/v1/auth/login', { headers: { 'X-Forwarded-For': ip }, json: { email, password: 'wrong' } });
    for (let i = 0; i < 10; i++) {
      expect((await from('198.51.100.7', `user-${i}@example.com`)).status).toBe(401);
      strict.advance(61_000);
    }
    const slowed = await from('198.51.100.7', 'somebody@example.com');
    expect([slowed.status, slowed.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(800);
    expect((await from('198.51.100.8', 'somebody@example.com')).status).toBe(401);
    await strict.stop();
  });

  it('counts as one with its neighbours of the same IPv6 site', async () => {
    const strict = await startWorld({ RATE_LIMIT_LOGINS_PER_ADDRESS: '2', TRUST_PROXY: '1' });
    const from = async (ip: string) =>
      (
        await strict.api.POST('/v1/auth/login', {
          headers: { 'X-Forwarded-For': ip },
          body: { email: 'nobody@example.com', password: 'wrong' },
        })
      ).response.status;
    expect([
      await from('2001:db8::1'),
      await from('2001:db8::2'),
      await from('2001:db8::3'),
      await from('2001:db8:0:1::1'),
    ]).toEqual([401, 401, 429, 401]);
    await strict.stop();
  });

  it('reaches the quota of logins first', async () => {
    const strict = await startWorld({ RATE_LIMIT_LOGINS_PER_ADDRESS: '2' });
    const attempts = [];
    for (let i = 0; i < 3; i++)
      attempts.push(
        await strict.call('POST', '/v1/auth/login', { json: { email: `a${i}@example.com`, password: 'x' } }),
      );
    expect(attempts.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(attempts[2]?.headers.get('ratelimit-policy')).toBe('"login";q=2;w=60');
    await strict.stop();
  });
});
