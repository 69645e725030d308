/** API tests of listing and ending sessions of members, and of resetting a second factor. */
import { describe, expect, it } from 'vitest';
import { refused, success } from '../support/api.ts';
import { code } from '../support/authenticator.ts';
import { findMail, latestMail } from '../support/mail.ts';
import { PASSWORD, shared, type Answer } from '../support/service.ts';
import { newEmail, startUsersWorld, type Schemas } from './users-world.ts';

const world = await shared(startUsersWorld());

const me = (as: Record<string, string>) => world.service.request('GET', '/v1/auth/me', { as });
const signIn = async (email: string, body: object = {}) => {
  const { body: tokens } = await success(
    world.service.api.POST('/v1/auth/login', { body: { email, password: PASSWORD, ...body } }),
  );
  return { Authorization: `Bearer ${tokens.accessToken}` };
};
const sessionsOf = (id: string, as: Record<string, string>, query = '') =>
  world.service.request<Schemas['SessionList']>('GET', `/v1/users/${id}/sessions${query}`, { as });
const end = (id: string, as: Record<string, string>, query = '') =>
  world.service.request('DELETE', `/v1/users/${id}/sessions${query}`, { as });

describe('the sessions of a user', () => {
  it('are the open ones, newest first, and name the session of the caller', async () => {
    const team = await world.tenant();
    const { user, as } = await team.member('viewer');
    world.service.advance(1000);
    const second = await signIn(user.email);
    const { status, body } = await sessionsOf(user.id, second);
    expect(status).toBe(200);
    expect(body.items.map(({ current }) => current)).toEqual([true, false]);
    expect(body.items[0]).toMatchObject({ mfa: false, ip: '127.0.0.1' });
    expect((await sessionsOf(user.id, as)).body.items.map(({ current }) => current)).toEqual([false, true]);
    expect((await sessionsOf(user.id, team.owner.as)).body.items.map(({ current }) => current)).toEqual([false, false]);
    expect((await success(team.get(user.id))).body.activeSessions).toBe(2);
  });

  it('come in pages', async () => {
    const team = await world.tenant();
    const { user } = await team.member('viewer');
    for (let index = 0; index < 2; index++) await signIn(user.email);
    const first = await sessionsOf(user.id, team.owner.as, '?limit=2');
    const rest = await sessionsOf(user.id, team.owner.as, `?limit=2&cursor=${first.body.cursor}`);
    expect([first.body.items.length, first.body.hasMore, rest.body.items.length, rest.body.hasMore]).toEqual([
      2,
      true,
      1,
      false,
    ]);
    expect(new Set([...first.body.items, ...rest.body.items].map(({ id }) => id)).size).toBe(3);
    expect(refused(await sessionsOf(team.owner.id, team.owner.as, `?limit=2&cursor=${first.body.cursor}`))).toEqual([
      400,
      'cursor_filter_mismatch',
    ]);
  });

  it('are for the person themselves, owners, administrators and machines with the scope', async () => {
    const team = await world.tenant();
    const viewer = await team.person('viewer');
    for (const call of [sessionsOf, end]) {
      expect(refused(await call(team.owner.id, viewer.as))).toEqual([403, 'role_forbidden']);
      expect(refused(await call(viewer.id, await team.user('auditor')))).toEqual([403, 'role_forbidden']);
      expect(refused(await call(viewer.id, await team.key(['read', 'write'])))).toEqual([403, 'insufficient_scope']);
      expect(refused(await call(viewer.id, {}))).toEqual([401, 'authentication_required']);
    }
    for (const as of [viewer.as, await team.user('admin'), await team.key(['admin'])])
      expect((await sessionsOf(viewer.id, as)).status).toBe(200);
  });

  it('of strangers do not exist', async () => {
    const [team, other] = [await world.tenant(), await world.tenant()];
    expect(refused(await sessionsOf(other.owner.id, team.owner.as))).toEqual([404, 'not_found']);
    expect(refused(await end(other.owner.id, team.owner.as))).toEqual([404, 'not_found']);
    expect(refused(await end(team.owner.id, team.owner.as, `?sessionId=${other.owner.sessionId}`))).toEqual([
      404,
      'not_found',
    ]);
    expect((await me(other.owner.as)).status).toBe(200);
  });

  it('end at once, one or all of them', async () => {
    const team = await world.tenant();
    const { user, as } = await team.member('viewer');
    const second = await signIn(user.email);
    const third = await signIn(user.email);
    const secondId = (await sessionsOf(user.id, second)).body.items.find(({ current }) => current)?.id;
    expect((await end(user.id, as, `?sessionId=${secondId}`)).status).toBe(204);
    expect([(await me(as)).status, (await me(second)).status, (await me(third)).status]).toEqual([200, 401, 200]);
    expect((await end(user.id, team.owner.as, `?sessionId=${secondId}`)).status).toBe(204);
    expect((await end(user.id, team.owner.as)).status).toBe(204);
    expect([refused(await me(as)), refused(await me(third))]).toEqual([
      [401, 'token_revoked'],
      [401, 'token_revoked'],
    ]);
    expect((await end(user.id, team.owner.as)).status).toBe(204);
    expect(await team.eventsAbout(user.id)).toEqual(['user.invited', 'user.sessions_ended', 'user.sessions_ended']);
    expect((await sessionsOf(user.id, team.owner.as)).body.items).toEqual([]);
  });

  it('of one tenant end, and those of another tenant stay open', async () => {
    const [team, other] = [await world.tenant(), await world.tenant()];
    const email = newEmail();
    const here = await team.member('viewer', email);
    const elsewhere = await other.member('viewer', email);
    await end(here.user.id, team.owner.as);
    expect([(await me(here.as)).status, (await me(elsewhere.as)).status]).toEqual([401, 200]);
  });
});

describe('resetting a second factor', () => {
  const REASON = { reason: 'Telephone lost, identity confirmed by video call' };
  const reset = (
    id: string,
    as: Record<string, string>,
    body: object = REASON,
    headers = {},
  ): Promise<Answer<Schemas['User']>> =>
    world.service.request('POST', `/v1/users/${id}/reset-mfa`, { as, body, headers });

  it('removes it, ends every session and notifies the person', async () => {
    const team = await world.tenant();
    const owner = await team.user('owner', { secondFactor: true });
    const analyst = await team.person('analyst', { secondFactor: true });
    expect((await success(team.get(analyst.id))).body.mfaEnabled).toBe(true);
    const { status, body } = await reset(analyst.id, owner);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: analyst.id, mfaEnabled: false, activeSessions: 0 });
    expect(refused(await me(analyst.as))).toEqual([401, 'token_revoked']);
    expect((await me(await signIn(analyst.email))).status).toBe(200);
    expect(await latestMail(world.service.running.services, analyst.email)).toMatchObject({ template: 'mfaReset' });
    const [event] = await world.service.database.sql<{ changes: unknown }>(
      `SELECT changes FROM audit_event WHERE tenant_id = $1 AND action = 'user.mfa_reset'`,
      [team.id],
    );
    expect(event?.changes).toEqual([
      { op: 'add', path: '/reason', value: REASON.reason },
      { op: 'add', path: '/removed', value: true },
    ]);
  });

  it('needs the second factor of the caller, now or shortly before', async () => {
    const team = await world.tenant();
    const analyst = await team.person('analyst', { secondFactor: true });
    expect(refused(await reset(analyst.id, team.owner.as))).toEqual([403, 'step_up_required']);
    const admin = await team.person('admin', { secondFactor: true });
    world.service.advance(6 * 60_000);
    expect(refused(await reset(analyst.id, admin.as))).toEqual([403, 'step_up_required']);
    expect(refused(await reset(analyst.id, admin.as, REASON, { 'X-TOTP-Code': '000000' }))).toEqual([
      403,
      'step_up_required',
    ]);
    expect((await success(team.get(analyst.id, await team.key(['read'])))).body.mfaEnabled).toBe(true);
    const shown = code(admin.totpSecret as Buffer, world.service.running.services.clock());
    expect((await reset(analyst.id, admin.as, REASON, { 'X-TOTP-Code': shown })).status).toBe(200);
  });

  it('is refused for oneself, for owners by others, to machines and for strangers', async () => {
    const [team, other] = [await world.tenant(), await world.tenant()];
    const owner = await team.person('owner', { secondFactor: true });
    const admin = await team.person('admin', { secondFactor: true });
    expect(refused(await reset(admin.id, admin.as))).toEqual([403, 'cannot_reset_own_mfa']);
    expect(refused(await reset(owner.id, admin.as))).toEqual([403, 'role_above_own']);
    expect(refused(await reset(admin.id, await team.key(['admin'])))).toEqual([403, 'human_required']);
    expect(refused(await reset(admin.id, await team.user('compliance_officer', { secondFactor: true })))).toEqual([
      403,
      'role_forbidden',
    ]);
    expect(refused(await reset(other.owner.id, owner.as))).toEqual([404, 'not_found']);
    expect((await reset(admin.id, owner.as, { reason: 'too short' })).status).toBe(422);
    expect((await reset(admin.id, owner.as, {})).status).toBe(422);
  });

  it('is refused for users who are only invited, or have left', async () => {
    const [team, other] = [await world.tenant(), await world.tenant()];
    const owner = await team.person('owner', { secondFactor: true });
    const victim = await other.person('owner', { secondFactor: true });
    await success(team.invite({ email: victim.email, role: 'viewer' }, owner.as), 201);
    expect((await reset(victim.id, owner.as)).body).toMatchObject({ status: 'invited', mfaEnabled: false });
    expect((await success(other.get(victim.id))).body.mfaEnabled).toBe(true);
    expect((await me(victim.as)).status).toBe(200);
    expect((await findMail(world.service.running.services, victim.email))?.template).toBe('invitation');
    const analyst = await team.person('analyst', { secondFactor: true });
    await success(team.patch(analyst.id, { status: 'deactivated' }, owner.as));
    expect((await reset(analyst.id, owner.as)).body).toMatchObject({ status: 'deactivated', mfaEnabled: false });
    expect(await world.service.database.sql('SELECT FROM user_totp WHERE user_id = $1', [analyst.id])).toHaveLength(1);
  });

  it('does not apply to platform administrators: no tenant can end the sessions of platform staff', async () => {
    const team = await world.tenant();
    const owner = await team.person('owner', { secondFactor: true });
    const staff = await team.person('platform_admin');
    await world.service.database.sql(`INSERT INTO membership (tenant_id, user_id, role) VALUES ($1, $2, 'viewer')`, [
      team.id,
      staff.id,
    ]);
    expect(refused(await reset(staff.id, owner.as))).toEqual([403, 'role_above_own']);
    expect((await me(staff.as)).status).toBe(200);
    expect(await world.service.database.sql('SELECT FROM user_totp WHERE user_id = $1', [staff.id])).toHaveLength(1);
  });

  it('of a person with other tenants ends their sessions there too, and is recorded in the audit logs of those tenants', async () => {
    const [team, other] = [await world.tenant(), await world.tenant()];
    const owner = await team.person('owner', { secondFactor: true });
    const victim = await other.person('analyst', { secondFactor: true });
    await world.service.database.sql(`INSERT INTO membership (tenant_id, user_id, role) VALUES ($1, $2, 'viewer')`, [
      team.id,
      victim.id,
    ]);
    expect((await reset(victim.id, owner.as)).status).toBe(200);
    expect((await me(victim.as)).status).toBe(401);
    const [event] = await world.service.database.sql<{ actor: object; changes: unknown[] }>(
      `SELECT actor, changes FROM audit_event WHERE tenant_id = $1 AND action = 'user.mfa_reset'`,
      [other.id],
    );
    expect(event).toMatchObject({ actor: { type: 'system', display: 'Another tenant' }, changes: [] });
  });
});
