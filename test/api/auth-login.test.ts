/** API tests of signing in with e-mail and password. */
import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../server/modules/accounts/membership-store.ts';
import { refusal, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { bearer, PASSWORD, startWorld, type Schemas } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant('Banco Demonstração');

const login = (email: string, password = PASSWORD, more: Partial<Schemas['LoginRequest']> = {}) =>
  world.api.POST('/v1/auth/login', { body: { email, password, ...more } });

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
