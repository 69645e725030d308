/** API tests of invitations: their preview, their acceptance, and that each is valid once and for a week. */
import { describe, expect, it } from 'vitest';
import type { Role } from '../../server/contract/operation.ts';
import { type InvitationResult, invite, revokeInvitation } from '../../server/modules/invitations/invite.ts';
import { refusal, refused, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { bearer, PASSWORD, startWorld, type Schemas } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant('Banco Demonstração');

const CHOSEN = 'seven quiet rivers at dawn';
type Sent = Extract<InvitationResult, { token: string }>;

let people = 0;
const newEmail = (): string => `colleague-${people++}@example.com`;
const send = (email: string, tenant = tenantId, role: Role = 'analyst'): Promise<InvitationResult> =>
  world.database.database.platform({ tenantId: tenant }, (tx) =>
    invite(tx, {
      tenantId: tenant,
      email,
      name: 'Bruno Lima',
      role,
      invitedBy: { type: 'user', id: 'owner', display: 'Ana Souza' },
      now: world.now(),
    }),
  );
const sent = async (email: string, tenant = tenantId, role: Role = 'analyst'): Promise<Sent> =>
  (await send(email, tenant, role)) as Sent;
const accept = (token: string, more: Partial<Schemas['InvitationAccept']> = {}) =>
  world.api.POST('/v1/auth/invitations/accept', {
    body: {
      token,
      name: 'Bruno de Lima',
      password: CHOSEN,
      ...more,
    },
  });
const login = (email: string, password: string, more: object = {}) =>
  world.api.POST('/v1/auth/login', { body: { email, password, ...more } });

describe('an invitation', () => {
  it('lets a new person choose name and password, and signs in', async () => {
    const tenant = await world.database.tenant();
    const email = newEmail();
    const { token, outcome, invitation } = await sent(email, tenant);
    expect([outcome, invitation.expiresAt.getTime() - invitation.sentAt.getTime()]).toEqual([
      'created',
      7 * 86_400_000,
    ]);
    expect((await login(email, CHOSEN)).response.status).toBe(401);
    const answer = await success(accept(token));
    expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('location')]).toEqual([
      201,
      'no-store',
      '/v1/auth/me',
    ]);
    expect(answer.body.user).toMatchObject({
      email,
      name: 'Bruno de Lima',
      role: 'analyst',
      tenantId: tenant,
      mfaEnabled: false,
    });
    expect((await world.api.GET('/v1/auth/me', { headers: bearer(answer.body.accessToken) })).response.status).toBe(
      200,
    );
    expect((await login(email, CHOSEN)).response.status).toBe(200);
    expect(await world.events(tenant)).toContain('auth.invitation.accepted');
  });

  it('is valid once, also if it is accepted ten times at once', async () => {
    const { token } = await sent(newEmail());
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(token)));
    expect(answers.filter(({ response }) => response.status === 201)).toHaveLength(1);
    expect(refused(await refusal(accept(token)))).toEqual([409, 'invitation_already_used']);
  });

  it('is valid for a week', async () => {
    const { token } = await sent(newEmail());
    world.advance(7 * 86_400_000);
    expect(refused(await refusal(accept(token)))).toEqual([400, 'invitation_invalid']);
  });

  it.each(['iv_', `iv_${'A'.repeat(43)}`, 'x'])('cannot be %s', async (token) => {
    expect(refused(await refusal(accept(token)))).toEqual([400, 'invitation_invalid']);
  });

  it('that is sent again has a new token, and the old one becomes invalid', async () => {
    const email = newEmail();
    const [first, second] = [await sent(email), await sent(email, tenantId, 'viewer')];
    expect([second.outcome, second.invitation.id === first.invitation.id]).toEqual(['resent', true]);
    expect(refused(await refusal(accept(first.token)))).toEqual([400, 'invitation_invalid']);
    expect((await success(accept(second.token))).body.user.role).toBe('viewer');
  });

  it('that was revoked is refused; the next invitation belongs to the same account', async () => {
    const email = newEmail();
    const first = await sent(email);
    const revoke = () =>
      world.database.database.platform({ tenantId }, (tx) =>
        revokeInvitation(tx, tenantId, first.invitation.id, world.now()),
      );
    expect([await revoke(), await revoke()]).toEqual(['revoked', 'not_found']);
    expect(refused(await refusal(accept(first.token)))).toEqual([400, 'invitation_invalid']);
    const second = await sent(email);
    expect([second.outcome, second.user.id]).toEqual(['reactivated', first.user.id]);
    await success(accept(second.token));
    expect(
      await world.database.database.platform({ tenantId }, (tx) =>
        revokeInvitation(tx, tenantId, second.invitation.id, world.now()),
      ),
    ).toBe('already_used');
  });

  it('of another tenant is not found there', async () => {
    const other = await world.database.tenant();
    const { invitation } = await sent(newEmail());
    expect(
      await world.database.database.platform({ tenantId: other }, (tx) =>
        revokeInvitation(tx, other, invitation.id, world.now()),
      ),
    ).toBe('not_found');
  });

  it('is not sent to a member', async () => {
    const { id, email } = await world.user(tenantId);
    expect(await send(email.toUpperCase())).toMatchObject({ outcome: 'member', user: { id } });
  });

  it('of a former member makes them a member again, as the same person', async () => {
    const { id, email } = await world.user(tenantId);
    await world.database.sql(`UPDATE membership SET status = 'deactivated' WHERE user_id = $1`, [id]);
    const { outcome, token, user } = await sent(email);
    expect([outcome, user.id]).toEqual(['reactivated', id]);
    await success(accept(token, { password: PASSWORD }));
  });

  it('reaches one person however often it is sent at once', async () => {
    const email = newEmail();
    const results = await Promise.all(Array.from({ length: 8 }, () => sent(email)));
    expect(new Set(results.map(({ user }) => user.id)).size).toBe(1);
    expect(new Set(results.map(({ invitation }) => invitation.id)).size).toBe(1);
    const accepted = await Promise.all(results.map(({ token }) => accept(token)));
    expect(accepted.filter(({ response }) => response.status === 201)).toHaveLength(1);
  });

  it('of a suspended tenant is refused', async () => {
    const tenant = await world.database.tenant();
    const { token } = await sent(newEmail(), tenant);
    await world.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [tenant]);
    expect(refused(await refusal(accept(token)))).toEqual([403, 'tenant_suspended']);
  });

  it('says why a password will not do', async () => {
    const { token } = await sent('bruno.carvalho@example.com');
    const weak = await refusal(accept(token, { password: 'carvalho no banco demonstracao' }));
    expect([weak.status, weak.body.code, weak.body.reasons]).toEqual([
      422,
      'weak_password',
      ['contains_email', 'contains_tenant_name'],
    ]);
    await success(accept(token));
  });

  it('accepts twelve characters only if a second factor will be required, and allows no other call before it is set up', async () => {
    const tenant = await world.database.tenant();
    await world.database.sql(
      `INSERT INTO tenant_settings (tenant_id, document) VALUES ($1, '{"security":{"mfaRequired":true}}')`,
      [tenant],
    );
    const { token } = await sent(newEmail(), tenant, 'owner');
    const {
      body: { accessToken },
    } = await success(accept(token, { password: 'twelve chars' }));
    const headers = bearer(accessToken);
    expect((await success(world.api.GET('/v1/auth/me', { headers }))).body.mfaEnrolmentRequired).toBe(true);
    expect(refused(await refusal(world.api.GET('/v1/settings/api-keys', { headers })))).toEqual([
      403,
      'mfa_enrolment_required',
    ]);
    const {
      body: { secret },
    } = await success(world.api.POST('/v1/auth/totp/enroll', { headers, body: { password: 'twelve chars' } }));
    await world.api.POST('/v1/auth/totp/confirm', { headers, body: { code: world.code(secret) } });
    expect((await world.api.GET('/v1/settings/api-keys', { headers })).response.status).toBe(200);
    const disable = { headers, body: { password: 'twelve chars', code: world.code(secret, 1) } };
    expect(refused(await refusal(world.api.POST('/v1/auth/totp/disable', disable)))).toEqual([
      409,
      'mfa_required_by_policy',
    ]);
  });

  it('keeps no token readable', async () => {
    const { token } = await sent(newEmail());
    const [row] = await world.database.sql<{ text: string }>(
      `SELECT string_agg(i::text, ' ') AS text FROM invitation i`,
    );
    for (const readable of [token, token.slice(3), Buffer.from(token).toString('hex')])
      expect(row?.text).not.toContain(readable);
  });
});

describe('the preview of an invitation', () => {
  const preview = (token: string) => world.api.POST('/v1/auth/invitations/preview', { body: { token } });

  it('shows tenant, inviter, address, role and end, and does not use the token', async () => {
    const tenant = await world.database.tenant('Banco Aurora');
    const email = newEmail();
    const { token, invitation } = await sent(email, tenant, 'auditor');
    for (let i = 0; i < 2; i++) {
      const answer = await success(preview(token));
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
      expect(answer.body).toEqual({
        tenantName: 'Banco Aurora',
        inviterName: 'Ana Souza',
        email,
        role: 'auditor',
        expiresAt: invitation.expiresAt.toISOString(),
      });
    }
    await success(accept(token));
    expect(await world.events(tenant)).toEqual([
      'auth.invitation.viewed',
      'auth.invitation.viewed',
      'auth.invitation.accepted',
    ]);
  });

  it('is the same for a person who has an account elsewhere', async () => {
    const { email } = await world.user(tenantId);
    const stranger = await success(preview((await sent(newEmail())).token));
    const { body } = await success(preview((await sent(email, await world.database.tenant())).token));
    expect([Object.keys(body), body.email]).toEqual([Object.keys(stranger.body), email]);
  });

  it('is refused like an acceptance: unknown, replaced, expired, used, and of a suspended tenant', async () => {
    const [used, replaced, tenant] = [await sent(newEmail()), newEmail(), await world.database.tenant()];
    const { token: old } = await sent(replaced);
    await sent(replaced);
    await success(accept(used.token));
    const suspended = await sent(newEmail(), tenant);
    await world.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [tenant]);
    const { token: expired } = await sent(newEmail());
    for (const token of [`iv_${'A'.repeat(43)}`, old])
      expect(refused(await refusal(preview(token)))).toEqual([400, 'invitation_invalid']);
    expect(refused(await refusal(preview(used.token)))).toEqual([409, 'invitation_already_used']);
    expect(refused(await refusal(preview(suspended.token)))).toEqual([403, 'tenant_suspended']);
    world.advance(7 * 86_400_000);
    expect(refused(await refusal(preview(expired)))).toEqual([400, 'invitation_invalid']);
  });
});

describe('an invitation of a person who has an account', () => {
  it('requires the password of that account, and preserves name and password', async () => {
    const other = await world.database.tenant();
    const { id, email } = await world.user(tenantId);
    const { token, outcome, user } = await sent(email, other);
    expect([outcome, user.id]).toEqual(['created', id]);
    expect(refused(await refusal(accept(token)))).toEqual([401, 'invalid_credentials']);
    expect(await world.events(other)).toEqual(['auth.login.failed']);
    const { status, body } = await success(accept(token, { password: PASSWORD }));
    expect([status, body.user.name, body.user.tenantId]).toEqual([201, 'Ana Souza', other]);
    expect((await login(email, PASSWORD)).response.status).toBe(409);
  });

  it('requires the second factor too', async () => {
    const other = await world.database.tenant();
    const ana = await world.userWithFactor(tenantId);
    const { token } = await sent(ana.email, other);
    expect(refused(await refusal(accept(token, { password: PASSWORD })))).toEqual([401, 'mfa_required']);
    expect(refused(await refusal(accept(token, { password: PASSWORD, totpCode: world.code(ana.secret, 4) })))).toEqual([
      401,
      'invalid_mfa_code',
    ]);
    const { status, body } = await success(accept(token, { password: PASSWORD, totpCode: world.code(ana.secret) }));
    expect([status, body.user.mfaEnabled]).toEqual([201, true]);
  });

  it('does not bypass the lock after wrong passwords', async () => {
    const other = await world.database.tenant();
    const { email } = await world.user(tenantId);
    const { token } = await sent(email, other);
    for (let i = 0; i < 5; i++) expect((await refusal(accept(token, { password: `guess ${i}` }))).status).toBe(401);
    expect(refused(await refusal(accept(token, { password: PASSWORD })))).toEqual([423, 'account_locked']);
    expect((await login(email, PASSWORD)).response.status).toBe(423);
  });
});
