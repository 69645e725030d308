/** API tests of what still works for a person whose sign-in is locked by strangers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { HOME, NEW_PASSWORD, type Pair, startStrangersWorld, verdict } from './auth-strangers-world.ts';
import { bearer, PASSWORD, type UserWithFactor } from './auth-world.ts';

const world = await shared(startStrangersWorld());
const { tenantId, post, login, stranger, attack } = world;

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
      verdict(await ofSession('/v1/auth/password/change', { currentPassword: 'wrong', newPassword: NEW_PASSWORD })),
    ).toEqual([403, 'invalid_current_password']);
    expect(verdict(await ofSession('/v1/auth/totp/enroll', { password: PASSWORD }))).toEqual([
      409,
      'mfa_already_enabled',
    ]);
    expect((await post('/v1/auth/refresh', { refreshToken: pair.refreshToken }, HOME)).status).toBe(200);
    expect((await world.api.GET('/v1/auth/me', { headers: bearer(pair.accessToken) })).response.status).toBe(200);
    const sessions = await world.api.GET('/v1/users/{userId}/sessions', {
      params: { path: { userId: ana.id } },
      headers: bearer(pair.accessToken),
    });
    expect(sessions.response.status).toBe(200);
  });

  it('changes the password and disables the second factor', async () => {
    expect(
      (await ofSession('/v1/auth/password/change', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })).status,
    ).toBe(204);
    world.advance(30_000);
    expect(
      (await ofSession('/v1/auth/totp/disable', { password: NEW_PASSWORD, code: world.code(ana.secret) })).status,
    ).toBe(204);
  });
});

describe('guesses at an open session', () => {
  const change = (pair: Pair, currentPassword: string) =>
    post('/v1/auth/password/change', { currentPassword, newPassword: NEW_PASSWORD }, HOME, bearer(pair.accessToken));

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
    expect((await post('/v1/auth/password/reset', { token, newPassword: NEW_PASSWORD }, ip)).status).toBe(204);
    expect((await login(email, ip, { password: NEW_PASSWORD })).status).toBe(200);
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
