/** API tests of enrolling and disabling the second factor. */
import { describe, expect, it } from 'vitest';
import { PLATFORM_TENANT_ID } from '../../server/database/roles.ts';
import { refusal, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { bearer, PASSWORD, startWorld, type Answer, type Schemas } from './auth-world.ts';

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
