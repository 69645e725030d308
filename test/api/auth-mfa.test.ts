import { beforeAll, describe, expect, it } from 'vitest';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { refusal, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { bearer, PASSWORD, startWorld, type Answer, type Schemas, type UserWithFactor } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

type Pair = Schemas['TokenPair'];

type Shown = Pick<Pair, 'accessToken'>;
const login = (email: string, more: Partial<Schemas['LoginRequest']> = {}) =>
  world.api.POST('/v1/auth/login', { body: { email, password: PASSWORD, ...more } });
const enroll = ({ accessToken }: Shown, body: Schemas['TotpEnrolRequest']) =>
  world.api.POST('/v1/auth/totp/enroll', { headers: bearer(accessToken), body });
const confirm = ({ accessToken }: Shown, body: Schemas['TotpConfirmRequest']) =>
  world.api.POST('/v1/auth/totp/confirm', { headers: bearer(accessToken), body });
const disable = ({ accessToken }: Shown, body: Schemas['TotpDisableRequest']) =>
  world.api.POST('/v1/auth/totp/disable', { headers: bearer(accessToken), body });
const me = ({ accessToken }: Pair) => success(world.api.GET('/v1/auth/me', { headers: bearer(accessToken) }));
const verdict = ({ status, body }: Answer<Schemas['Problem']>): [number, string | undefined] => [status, body?.code];

async function fresh(): Promise<{ email: string; pair: Pair }> {
  const { email } = await world.user(tenantId);
  return { email, pair: await world.signIn(email) };
}

describe('enrolling an authenticator', () => {
  it('requires the password, and shows the secret in three forms', async () => {
    const { email, pair } = await fresh();
    const answer = await success(enroll(pair, { password: PASSWORD }));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { secret, otpauthUri, qrSvg, expiresAt } = answer.body;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(decodeURIComponent(otpauthUri)).toMatch(
      new RegExp(`^otpauth://totp/Compliance Onboarding:${email}\\?.*secret=${secret}`),
    );
    expect(qrSvg).toMatch(/^<svg[^]*<\/svg>$/);
    expect(qrSvg).not.toMatch(/script|href/);
    expect(Date.parse(expiresAt) - world.now().getTime()).toBeGreaterThan(590_000);
    expect(verdict(await refusal(enroll(pair, { password: 'wrong' })))).toEqual([403, 'invalid_current_password']);
  });

  it('takes effect with its first code, which gives ten codes, ends other sessions and sends a mail', async () => {
    const tenant = await world.database.tenant();
    const { email } = await world.user(tenant);
    const [mine, other] = [await world.signIn(email), await world.signIn(email)];
    const { secret } = (await success(enroll(mine, { password: PASSWORD }))).body;
    // An unconfirmed secret is not required at sign-in, so it protects nothing and locks nobody out.
    const third = await success(login(email));
    expect([third.status, third.body.user.mfaEnabled]).toEqual([200, false]);
    const confirmed = await success(confirm(mine, { code: world.code(secret) }));
    expect([
      confirmed.status,
      confirmed.headers.get('cache-control'),
      new Set(confirmed.body.recoveryCodes).size,
    ]).toEqual([200, 'no-store', 10]);
    const { user, session } = (await me(mine)).body;
    expect([user.mfaEnabled, session.mfa]).toEqual([true, true]);
    for (const pair of [other, third.body])
      expect((await world.api.GET('/v1/auth/me', { headers: bearer(pair.accessToken) })).response.status).toBe(401);
    expect(await world.mail(email)).toMatchObject({ template: 'mfaEnrolled' });
    expect((await world.events(tenant)).filter((action) => action.startsWith('auth.mfa'))).toEqual([
      'auth.mfa.enrolled',
      'auth.mfa.confirmed',
    ]);
  });

  it('started again replaces the former secret', async () => {
    const { pair } = await fresh();
    const first = (await success(enroll(pair, { password: PASSWORD }))).body;
    const second = (await success(enroll(pair, { password: PASSWORD }))).body;
    expect(verdict(await refusal(confirm(pair, { code: world.code(first.secret) })))).toEqual([
      422,
      'invalid_totp_code',
    ]);
    expect((await success(confirm(pair, { code: world.code(second.secret) }))).status).toBe(200);
    expect(verdict(await refusal(enroll(pair, { password: PASSWORD })))).toEqual([409, 'mfa_already_enabled']);
    expect(verdict(await refusal(confirm(pair, { code: world.code(second.secret) })))).toEqual([
      409,
      'no_pending_enrolment',
    ]);
  });

  it('waits ten minutes for its first code', async () => {
    const { pair } = await fresh();
    expect(verdict(await refusal(confirm(pair, { code: '123456' })))).toEqual([409, 'no_pending_enrolment']);
    const { secret } = (await success(enroll(pair, { password: PASSWORD }))).body;
    const wrong = await refusal(confirm(pair, { code: world.code(secret, 5) }));
    expect([wrong.body.code, wrong.body.errors?.[0]?.pointer]).toEqual(['invalid_totp_code', '/code']);
    world.advance(600_001);
    expect(verdict(await refusal(confirm(pair, { code: world.code(secret) })))).toEqual([409, 'no_pending_enrolment']);
  });

  it('stores neither secret nor codes in readable form', async () => {
    const { secret, recoveryCodes } = await world.userWithFactor(tenantId);
    const rows = await world.database.sql<{ text: string }>(`
      SELECT string_agg(t.secret::text, ' ') || (SELECT string_agg(r.hash::text, ' ') FROM recovery_code r) AS text
        FROM user_totp t`);
    const hex = Buffer.from(secret).toString('hex');
    for (const readable of [secret, hex, ...recoveryCodes.map((code) => Buffer.from(code).toString('hex'))])
      expect(rows[0]?.text).not.toContain(readable);
  });
});

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

describe('staff of the platform', () => {
  it('sign in like other users, and do nothing before they have a second factor, which they cannot disable', async () => {
    const { email } = await world.user(PLATFORM_TENANT_ID, 'platform_admin');
    const pair = await world.signIn(email);
    expect(pair.user).toMatchObject({ role: 'platform_admin', tenantId: PLATFORM_TENANT_ID });
    expect((await me(pair)).body.mfaEnrolmentRequired).toBe(true);
    const tenants = () => world.call('GET', '/v1/admin/tenants', { headers: bearer(pair.accessToken) });
    expect(verdict(await tenants())).toEqual([403, 'mfa_enrolment_required']);
    const { secret } = (await success(enroll(pair, { password: PASSWORD }))).body;
    expect((await success(confirm(pair, { code: world.code(secret) }))).status).toBe(200);
    expect((await tenants()).status).toBe(200);
    expect(verdict(await refusal(disable(pair, { password: PASSWORD, code: world.code(secret, 1) })))).toEqual([
      409,
      'mfa_required_by_policy',
    ]);
    const rows = await world.database.sql<{ actor: { type: string } }>(
      `SELECT actor FROM audit_event WHERE tenant_id = $1 AND action = 'auth.mfa.confirmed'`,
      [PLATFORM_TENANT_ID],
    );
    expect(rows.map(({ actor }) => actor.type)).toEqual(['platform_user']);
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

describe('disabling the second factor', () => {
  it('requires password and code', async () => {
    const tenant = await world.database.tenant();
    const ana = await world.userWithFactor(tenant);
    expect(verdict(await refusal(disable(ana.pair, { password: 'wrong', code: world.code(ana.secret) })))).toEqual([
      403,
      'invalid_current_password',
    ]);
    const wrong = await refusal(disable(ana.pair, { password: PASSWORD, code: world.code(ana.secret, 5) }));
    expect([...verdict(wrong), wrong.body.errors?.[0]?.pointer]).toEqual([422, 'invalid_totp_code', '/code']);
    expect(verdict(await refusal(disable(ana.pair, { password: PASSWORD })))).toEqual([422, 'validation_failed']);
    expect((await success(disable(ana.pair, { password: PASSWORD, code: world.code(ana.secret) }))).status).toBe(204);
    const { user, session } = (await me(ana.pair)).body;
    expect([user.mfaEnabled, session.mfa]).toEqual([false, false]);
    expect((await success(login(ana.email))).status).toBe(200);
    expect(await world.mail(ana.email)).toMatchObject({ template: 'mfaDisabled' });
    expect(await world.events(tenant)).toContain('auth.mfa.disabled');
    expect(await world.database.sql('SELECT FROM recovery_code WHERE user_id = $1', [ana.id])).toEqual([]);
  });

  it('accepts a recovery code instead, and none that was used', async () => {
    const ana = await world.userWithFactor(tenantId);
    await success(login(ana.email, { recoveryCode: ana.recoveryCodes[0] }));
    const used = await refusal(disable(ana.pair, { password: PASSWORD, recoveryCode: ana.recoveryCodes[0] }));
    expect([...verdict(used), used.body.errors?.[0]?.pointer]).toEqual([422, 'invalid_totp_code', '/recoveryCode']);
    expect((await success(disable(ana.pair, { password: PASSWORD, recoveryCode: ana.recoveryCodes[1] }))).status).toBe(
      204,
    );
    expect(verdict(await refusal(disable(ana.pair, { password: PASSWORD, code: '123456' })))).toEqual([
      422,
      'invalid_totp_code',
    ]);
  });

  it('locks a session in which codes are guessed', async () => {
    const tenant = await world.database.tenant();
    const ana = await world.userWithFactor(tenant);
    for (let i = 0; i < 5; i++)
      await refusal(disable(ana.pair, { password: i < 3 ? `guess ${i}` : PASSWORD, code: '000000' }));
    expect(verdict(await refusal(disable(ana.pair, { password: PASSWORD, code: world.code(ana.secret) })))).toEqual([
      423,
      'account_locked',
    ]);
    expect(verdict(await refusal(enroll(ana.pair, { password: PASSWORD })))).toEqual([423, 'account_locked']);
    expect(await world.events(tenant)).toContain('auth.login.locked');
  });
});

describe('what people change about themselves', () => {
  it('is recorded in the chain of each tenant that they work for, because it applies there too', async () => {
    const other = await world.database.tenant();
    const { id, email } = await world.user(tenantId);
    const pair = await world.signIn(email);
    await world.database.sql(`INSERT INTO membership (tenant_id, user_id, role) VALUES ($1, $2, 'viewer')`, [
      other,
      id,
    ]);
    const {
      body: { secret },
    } = await success(enroll(pair, { password: PASSWORD }));
    expect((await success(confirm(pair, { code: world.code(secret) }))).status).toBe(200);
    expect((await success(disable(pair, { password: PASSWORD, code: world.code(secret, 1) }))).status).toBe(204);
    const json = { currentPassword: PASSWORD, newPassword: 'seven quiet rivers at dawn' };
    expect(
      (await world.api.POST('/v1/auth/password/change', { headers: bearer(pair.accessToken), body: json })).response
        .status,
    ).toBe(204);
    expect(await world.events(other)).toEqual(['auth.mfa.confirmed', 'auth.mfa.disabled', 'auth.password.changed']);
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
