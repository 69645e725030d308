import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../server/modules/accounts/membership-store.ts';
import { purgeThrottle } from '../../server/modules/sign-in/purge-store.ts';
import { refusal, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { bearer, PASSWORD, startWorld, type Schemas } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant('Banco Demonstração');

const login = (email: string, password = PASSWORD, more: Partial<Schemas['LoginRequest']> = {}) =>
  world.api.POST('/v1/auth/login', { body: { email, password, ...more } });

async function failTimes(email: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect((await refusal(login(email, 'wrong'))).status).toBe(401);
}

describe('signing in', () => {
  it('answers with a token pair that is not cached', async () => {
    const { id, email } = await world.user(tenantId, 'analyst');
    const answer = await success(login(email));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatchObject({
      tokenType: 'Bearer',
      expiresIn: 900,
      refreshExpiresIn: 1_209_600,
      passwordChangeRequired: false,
      user: {
        id,
        email,
        name: 'Ana Souza',
        role: 'analyst',
        tenantId,
        mfaEnabled: false,
      },
    });
    expect(answer.body.refreshToken).toMatch(/^rt_[\w-]{43}$/);
    const me = await success(world.api.GET('/v1/auth/me', { headers: bearer(answer.body.accessToken) }));
    expect(me.status).toBe(200);
    expect(me.body.user.id).toBe(id);
  });

  it('compares the e-mail without case', async () => {
    const { email } = await world.user(tenantId, 'viewer', 'Maria.Silva@Example.com');
    expect((await success(login(email.toUpperCase()))).body.user.email).toBe(email);
  });

  it('preserves spaces of the password and normalises its accents', async () => {
    const { email } = await world.user(tenantId);
    await world.database.sql('UPDATE user_account SET password_hash = $1 WHERE email = $2', [
      await hash(' cora\u00e7\u00e3o '),
      email,
    ]);
    await success(login(email, ' corac\u0327a\u0303o '));
    expect((await refusal(login(email, 'cora\u00e7\u00e3o'))).status).toBe(401);
  });

  it('renews a hash that was made with other parameters', async () => {
    const { email } = await world.user(tenantId);
    const weak = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await world.database.sql('UPDATE user_account SET password_hash = $1 WHERE email = $2', [weak, email]);
    await success(login(email));
    const [row] = await world.database.sql<{ password_hash: string }>(
      'SELECT password_hash FROM user_account WHERE email = $1',
      [email],
    );
    expect(row?.password_hash).toContain('$m=19456,t=2,p=1$');
    await success(login(email));
  });

  it('is recorded in the chain of the tenant', async () => {
    const tenant = await world.database.tenant();
    const { email } = await world.user(tenant);
    await refusal(login(email, 'wrong'));
    await success(login(email));
    expect(await world.events(tenant)).toEqual(['auth.login.failed', 'auth.login.succeeded']);
  });
});

describe('a refused sign-in', () => {
  it('does not tell an unknown user, a wrong password and a deactivated user apart', async () => {
    const known = await world.user(tenantId);
    const inactive = await world.user(tenantId);
    const former = await world.user(tenantId);
    await world.database.sql(`UPDATE user_account SET status = 'deactivated' WHERE id = $1`, [inactive.id]);
    await world.database.sql(`UPDATE membership SET status = 'deactivated' WHERE user_id = $1`, [former.id]);
    const answers = await Promise.all([
      refusal(login('nobody@example.com')),
      refusal(login(known.email, 'wrong')),
      refusal(login(inactive.email)),
      refusal(login(former.email)),
      refusal(login(known.email, PASSWORD, { tenantSlug: 'another' })),
    ]);
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="api"');
      expect({ ...body, instance: '', requestId: '' }).toEqual({ ...answers[0]?.body, instance: '', requestId: '' });
    }
    expect(answers[0]?.body.code).toBe('invalid_credentials');
  });

  it('requires the choice of a tenant only after the right password', async () => {
    const other = await world.database.tenant('Second');
    const { id, email } = await world.user(tenantId);
    await world.database.database.platform({ tenantId: other }, (tx) =>
      addMember(tx, { tenantId: other, userId: id }, 'viewer', new Date()),
    );
    expect((await refusal(login(email, 'wrong'))).status).toBe(401);
    const answer = await refusal(login(email));
    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('tenant_selection_required');
    expect(answer.body.tenants).toHaveLength(2);
    const slug = answer.body.tenants?.find(({ name }) => name === 'Second')?.slug;
    const chosen = await success(login(email, PASSWORD, { tenantSlug: slug }));
    expect(chosen.body.user).toMatchObject({ tenantId: other, role: 'viewer' });
  });

  it.each(['suspended', 'closed'])('names a %s tenant only after the right password', async (status) => {
    const tenant = await world.database.tenant();
    const { email } = await world.user(tenant);
    await world.database.sql('UPDATE tenant SET status = $1 WHERE id = $2', [status, tenant]);
    expect((await refusal(login(email, 'wrong'))).status).toBe(401);
    const answer = await refusal(login(email));
    expect([answer.status, answer.body.code]).toEqual([403, 'tenant_suspended']);
  });

  it.each([
    ['an unknown member', { email: 'a@example.com', password: 'x', otp: '1' }, '/otp'],
    ['no password', { email: 'a@example.com' }, '/password'],
    ['an empty password', { email: 'a@example.com', password: '' }, '/password'],
    ['a password that is too long', { email: 'a@example.com', password: 'x'.repeat(129) }, '/password'],
    ['no e-mail address', { email: 'nobody', password: 'x' }, '/email'],
    ['a wrong type', { email: 7, password: 'x' }, '/email'],
  ])('explains %s', async (_, json, pointer) => {
    const answer = await world.call('POST', '/v1/auth/login', { json });
    expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
    expect(answer.body.errors?.map((error) => error.pointer)).toContain(pointer);
  });

  it('refuses other media types, malformed bodies and media types that it cannot produce', async () => {
    const json = { email: 'a@example.com', password: 'x' };
    const refusals = await Promise.all([
      world.call('POST', '/v1/auth/login', { form: 'email=a' }),
      world.call('POST', '/v1/auth/login', { json, headers: { Accept: 'text/html' } }),
      world.call('POST', '/v1/auth/login', { form: '{"email":', headers: { 'Content-Type': 'application/json' } }),
      world.call('POST', '/v1/auth/login', { json: { ...json, password: 'x'.repeat(1_100_000) } }),
      world.call('POST', '/v1/auth/login?debug=1', { json }),
    ]);
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual([
      [415, 'unsupported_media_type'],
      [406, 'not_acceptable'],
      [400, 'malformed_json'],
      [413, 'payload_too_large'],
      [400, 'unknown_parameter'],
    ]);
  });
});

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

describe('who is signed in', () => {
  it('sees the tenant, the session, the environment and the permissions of the role', async () => {
    const { id, email } = await world.user(tenantId, 'viewer');
    const { accessToken } = await world.signIn(email);
    const answer = await success(world.api.GET('/v1/auth/me', { headers: bearer(accessToken) }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-environment')).toBe('live');
    const { user, tenant, session, environment, permissions } = answer.body;
    expect(user).toEqual({
      id,
      email,
      name: 'Ana Souza',
      role: 'viewer',
      tenantId,
      mfaEnabled: false,
    });
    expect(tenant).toMatchObject({ id: tenantId, name: 'Banco Demonstração', status: 'active' });
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(14 * 86_400_000);
    expect(environment).toBe('live');
    expect(permissions).toContain('getApplication');
    expect(permissions).not.toContain('createApiKey');
  });

  it('is answered in JSON, and accepts no parameters', async () => {
    const headers = bearer((await world.signIn((await world.user(tenantId)).email)).accessToken);
    expect((await world.api.GET('/v1/auth/me', { headers: { ...headers, Accept: 'text/html' } })).response.status).toBe(
      406,
    );
    expect((await world.service.request('GET', '/v1/auth/me?full=true', { headers })).status).toBe(400);
  });

  it('is refused once the account is closed', async () => {
    const { id, email } = await world.user(tenantId);
    const { accessToken } = await world.signIn(email);
    await world.database.sql(`UPDATE user_account SET status = 'deactivated' WHERE id = $1`, [id]);
    const answer = await refusal(world.api.GET('/v1/auth/me', { headers: bearer(accessToken) }));
    expect([answer.status, answer.body.code]).toEqual([401, 'token_revoked']);
  });
});
