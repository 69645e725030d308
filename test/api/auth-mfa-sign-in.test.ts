/** API tests of signing in with a second factor or a recovery code. A code that works twice fails here. */
import { beforeAll, describe, expect, it } from 'vitest';
import { refusal, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { bearer, PASSWORD, startWorld, type Answer, type Schemas, type UserWithFactor } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

type Pair = Schemas['TokenPair'];

const login = (email: string, more: Partial<Schemas['LoginRequest']> = {}) =>
  world.api.POST('/v1/auth/login', { body: { email, password: PASSWORD, ...more } });

const me = ({ accessToken }: Pair) => success(world.api.GET('/v1/auth/me', { headers: bearer(accessToken) }));
const verdict = ({ status, body }: Answer<Schemas['Problem']>): [number, string | undefined] => [status, body?.code];

describe('signing in with a second factor', () => {
  let ana: UserWithFactor;
  beforeAll(async () => {
    ana = await world.userWithFactor(tenantId);
  });

  it('is requested after the right password only', async () => {
    const missing = await refusal(login(ana.email));
    expect(verdict(missing)).toEqual([401, 'mfa_required']);
    expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="api"');
    expect(verdict(await refusal(login(ana.email, { password: 'wrong' })))).toEqual([401, 'invalid_credentials']);
    expect(verdict(await refusal(login(ana.email, { password: 'wrong', totpCode: world.code(ana.secret) })))).toEqual([
      401,
      'invalid_credentials',
    ]);
  });

  it('is recorded in token and session', async () => {
    const { status, body } = await success(login(ana.email, { totpCode: world.code(ana.secret) }));
    expect([status, body.user.mfaEnabled]).toEqual([200, true]);
    const claims = JSON.parse(Buffer.from(body.accessToken.split('.')[1] ?? '', 'base64url').toString()) as {
      amr: string[];
    };
    expect(claims.amr).toEqual(['pwd', 'otp']);
    expect((await me(body)).body.session.mfa).toBe(true);
    const refreshed = await success(world.api.POST('/v1/auth/refresh', { body: { refreshToken: body.refreshToken } }));
    expect(refreshed.body.user.mfaEnabled).toBe(true);
    expect((await me(refreshed.body)).body.session.mfa).toBe(true);
  });

  it('accepts the code of the step before and after, and no other', async () => {
    world.advance(90_000);
    expect(verdict(await refusal(login(ana.email, { totpCode: world.code(ana.secret, -2) })))).toEqual([
      401,
      'invalid_mfa_code',
    ]);
    expect(verdict(await refusal(login(ana.email, { totpCode: world.code(ana.secret, 2) })))).toEqual([
      401,
      'invalid_mfa_code',
    ]);
    expect((await success(login(ana.email, { totpCode: world.code(ana.secret, -1) }))).status).toBe(200);
    expect((await success(login(ana.email, { totpCode: world.code(ana.secret, 1) }))).status).toBe(200);
  });

  it('accepts a code once, and none older than one that was used', async () => {
    world.advance(120_000);
    const code = world.code(ana.secret);
    expect((await success(login(ana.email, { totpCode: code }))).status).toBe(200);
    expect(verdict(await refusal(login(ana.email, { totpCode: code })))).toEqual([401, 'invalid_mfa_code']);
    expect(verdict(await refusal(login(ana.email, { totpCode: world.code(ana.secret, -1) })))).toEqual([
      401,
      'invalid_mfa_code',
    ]);
  });

  it('accepts a code once also if it is sent twenty times at once', async () => {
    const bob = await world.userWithFactor(tenantId);
    const totpCode = world.code(bob.secret);
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(bob.email, { totpCode })));
    expect(answers.filter(({ response }) => response.status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ response }) => response.status))).toEqual(new Set([200, 401, 423]));
  });

  it('counts wrong codes like wrong passwords, and a right password clears none of them', async () => {
    const tenant = await world.database.tenant();
    const bob = await world.userWithFactor(tenant);
    for (let i = 0; i < 5; i++) {
      expect(verdict(await refusal(login(bob.email)))).toEqual([401, 'mfa_required']);
      expect(verdict(await refusal(login(bob.email, { totpCode: world.code(bob.secret, 5 + i) })))).toEqual([
        401,
        'invalid_mfa_code',
      ]);
    }
    expect(verdict(await refusal(login(bob.email, { totpCode: world.code(bob.secret) })))).toEqual([
      423,
      'account_locked',
    ]);
    expect((await world.events(tenant)).slice(-2)).toEqual(['auth.login.failed', 'auth.login.locked']);
  });

  it('does not use up the code of a person who still has to choose a tenant', async () => {
    const bob = await world.userWithFactor(tenantId);
    const other = await world.database.tenant('Second');
    await world.database.sql(`INSERT INTO membership (tenant_id, user_id, role) VALUES ($1, $2, 'viewer')`, [
      other,
      bob.id,
    ]);
    const totpCode = world.code(bob.secret);
    const choice = await refusal(login(bob.email, { totpCode }));
    expect(choice.body.code).toBe('tenant_selection_required');
    const tenantSlug = choice.body.tenants?.find(({ name }) => name === 'Second')?.slug;
    expect((await success(login(bob.email, { totpCode, tenantSlug }))).body.user).toMatchObject({
      tenantId: other,
      mfaEnabled: true,
    });
  });

  it.each(['12345', '1234567', '12345a', '１２３４５６', ''])('refuses %j as malformed', async (totpCode) => {
    expect(verdict(await refusal(login(ana.email, { totpCode })))).toEqual([422, 'validation_failed']);
  });
});

describe('a recovery code', () => {
  it('signs in once, and its owner is notified', async () => {
    const ana = await world.userWithFactor(tenantId);
    const [code = ''] = ana.recoveryCodes;
    expect((await success(login(ana.email, { recoveryCode: code.toUpperCase() }))).body.user?.mfaEnabled).toBe(true);
    const letter = await world.mail(ana.email);
    expect(letter).toMatchObject({ template: 'recoveryCodeUsed', to: { address: ana.email } });
    expect(letter?.text).toContain('9');
    expect(verdict(await refusal(login(ana.email, { recoveryCode: code })))).toEqual([401, 'invalid_mfa_code']);
    expect((await success(login(ana.email, { recoveryCode: ana.recoveryCodes[1]?.replace('-', '') }))).status).toBe(
      200,
    );
  });

  it('works once also if it is sent ten times at once', async () => {
    const ana = await world.userWithFactor(tenantId);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => login(ana.email, { recoveryCode: ana.recoveryCodes[0] })),
    );
    expect(answers.filter(({ response }) => response.status === 200)).toHaveLength(1);
  });

  it('of another person is wrong', async () => {
    const [ana, bob] = [await world.userWithFactor(tenantId), await world.userWithFactor(tenantId)];
    expect(verdict(await refusal(login(ana.email, { recoveryCode: bob.recoveryCodes[0] })))).toEqual([
      401,
      'invalid_mfa_code',
    ]);
  });
});

describe('an authenticator whose row was tampered with', () => {
  it('does not work with a secret that was copied from another person', async () => {
    const sabotaged = await startWorld({}, { sabotaged: true });
    try {
      const own = await sabotaged.database.tenant();
      const [ana, bob] = [await sabotaged.userWithFactor(own), await sabotaged.userWithFactor(own)];
      await sabotaged.database.sql(
        'UPDATE user_totp SET secret = (SELECT secret FROM user_totp WHERE user_id = $1) WHERE user_id = $2',
        [bob.id, ana.id],
      );
      const { status } = await sabotaged.call('POST', '/v1/auth/login', {
        json: { email: ana.email, password: PASSWORD, totpCode: sabotaged.code(bob.secret) },
      });
      expect(status).toBe(500);
    } finally {
      await sabotaged.stop();
    }
  });
});
