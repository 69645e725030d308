/** API tests of inviting members, once or again, and of the number of seats. */
import { describe, expect, it } from 'vitest';
import { outcome, refusal, refused, success } from '../support/api.ts';
import { findMail, latestMail } from '../support/mail.ts';
import { PASSWORD, shared } from '../support/service.ts';
import { newEmail, startUsersWorld } from './users-world.ts';

const world = await shared(startUsersWorld());
const DAY = 86_400_000;

const seats = (tenantId: string, users: number) =>
  world.service.database.sql(`UPDATE tenant SET quotas = jsonb_build_object('users', $2::int) WHERE id = $1`, [
    tenantId,
    users,
  ]);

const domains = (tenantId: string, allowedEmailDomains: string[]) =>
  world.service.database.sql(`INSERT INTO tenant_settings (tenant_id, document) VALUES ($1, $2)`, [
    tenantId,
    { security: { allowedEmailDomains } },
  ]);

describe('inviting', () => {
  it('answers 201 with the future user, and sends a mail whose link completes the account', async () => {
    const team = await world.tenant();
    const email = newEmail();
    const answer = await success(team.invite({ email, role: 'compliance_officer', name: 'Bruno Lima' }), 201);
    const { body: user } = answer;
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/v1/users/${user.id}`]);
    expect(user).toMatchObject({
      email,
      name: 'Bruno Lima',
      role: 'compliance_officer',
      status: 'invited',
      mfaEnabled: false,
      lastLoginAt: null,
      activeSessions: 0,
      version: 1,
      invitation: { invitedBy: { type: 'user', id: team.owner.id, display: 'Ana Souza' } },
    });
    expect(Date.parse(user.invitation?.expiresAt ?? '') - Date.parse(user.invitation?.sentAt ?? '')).toBe(7 * DAY);
    const letter = await latestMail(world.service.running.services, email);
    expect(letter).toMatchObject({
      template: 'invitation',
      to: { address: email, name: 'Bruno Lima' },
      subject: 'Ana Souza invites you to Test tenant',
    });
    expect(letter.text).toContain('Ana Souza invites you');
    expect((await success(world.accept(await world.linkTo(email)))).body.user).toMatchObject({
      id: user.id,
      role: 'compliance_officer',
    });
    expect((await success(team.get(user.id))).body).toMatchObject({ status: 'active', invitation: null });
    expect(await team.eventsAbout(user.id)).toEqual(['user.invited']);
  });

  it('is allowed to administrators and machines, for everybody but owners', async () => {
    const team = await world.tenant();
    for (const as of [await team.user('admin'), await team.key(['admin']), await team.client(['admin'])]) {
      await success(team.invite({ email: newEmail(), role: 'admin' }, as), 201);
      const email = newEmail();
      expect(refused(await refusal(team.invite({ email, role: 'owner' }, as)))).toEqual([403, 'role_above_own']);
      expect(await findMail(world.service.running.services, email)).toBeNull();
    }
    for (const role of ['compliance_officer', 'analyst', 'developer', 'auditor', 'viewer'] as const) {
      expect(refused(await refusal(team.invite({ email: newEmail(), role: 'viewer' }, await team.user(role))))).toEqual(
        [403, 'role_forbidden'],
      );
    }
    expect(
      refused(await refusal(team.invite({ email: newEmail(), role: 'viewer' }, await team.key(['read', 'write'])))),
    ).toEqual([403, 'insufficient_scope']);
    await success(team.invite({ email: newEmail(), role: 'owner' }), 201);
  });

  it('again sends a new link, and invalidates the old one', async () => {
    const team = await world.tenant();
    const email = newEmail();
    const first = await success(team.invite({ email, role: 'analyst', name: 'Bruno' }), 201);
    const oldLink = await world.linkTo(email);
    world.service.advance(DAY);
    const second = await success(
      team.invite({ email: email.toUpperCase(), role: 'auditor' }, await team.user('owner')),
      200,
    );
    expect(second.body).toMatchObject({
      id: first.body.id,
      name: 'Bruno',
      role: 'auditor',
      status: 'invited',
      invitation: { id: first.body.invitation!.id },
    });
    expect(Date.parse(second.body.invitation?.expiresAt ?? '')).toBeGreaterThan(
      Date.parse(first.body.invitation?.expiresAt ?? ''),
    );
    expect(refused(await refusal(world.accept(oldLink)))).toEqual([400, 'invitation_invalid']);
    await success(world.accept(await world.linkTo(email)));
    expect(await team.eventsAbout(first.body.id)).toEqual(['user.invited', 'user.invited']);
  });

  it('again after it has expired opens it anew', async () => {
    const team = await world.tenant();
    const email = newEmail();
    const { body: user } = await success(team.invite({ email, role: 'analyst' }), 201);
    const oldLink = await world.linkTo(email);
    world.service.advance(8 * DAY);
    expect(refused(await refusal(world.accept(oldLink)))).toEqual([400, 'invitation_invalid']);
    const owner = await team.user('owner');
    expect((await success(team.invite({ email, role: 'analyst' }, owner), 200)).body.id).toBe(user.id);
    await success(world.accept(await world.linkTo(email)));
  });

  it('repeated with one idempotency key sends one mail', async () => {
    const team = await world.tenant();
    const email = newEmail();
    const key = { 'Idempotency-Key': 'invite-once' };
    const first = await success(team.invite({ email, role: 'analyst' }, team.owner.as, key), 201);
    const link = await world.linkTo(email);
    const again = await success(team.invite({ email, role: 'analyst' }, team.owner.as, key), 201);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
    expect(await world.linkTo(email)).toBe(link);
    expect(refused(await refusal(team.invite({ email, role: 'viewer' }, team.owner.as, key)))).toEqual([
      422,
      'idempotency_key_reused',
    ]);
  });

  it('names an existing member, whatever the case of the address', async () => {
    const team = await world.tenant();
    const { user } = await team.member('analyst');
    const answer = await refusal(team.invite({ email: user.email.toUpperCase(), role: 'viewer' }));
    expect([...refused(answer), answer.body.existingId]).toEqual([409, 'user_exists', user.id]);
    expect(refused(await refusal(team.invite({ email: team.owner.email, role: 'owner' })))).toEqual([
      409,
      'user_exists',
    ]);
  });

  it('restores a deactivated user under the same id', async () => {
    const team = await world.tenant();
    const { user } = await team.member('analyst');
    await success(team.patch(user.id, { status: 'deactivated' }));
    const answer = await success(team.invite({ email: user.email, role: 'auditor' }), 201);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      id: user.id,
      role: 'auditor',
      status: 'invited',
      name: 'Bruno Lima',
    });
    expect((await success(world.accept(await world.linkTo(user.email)))).body.user).toMatchObject({
      id: user.id,
      role: 'auditor',
    });
    expect(await team.eventsAbout(user.id)).toEqual([
      'user.invited',
      'user.deactivated',
      'user.reactivated',
      'user.invited',
    ]);
  });

  it('requires the existing password of a person known elsewhere', async () => {
    const [team, other] = [await world.tenant(), await world.tenant()];
    const email = newEmail();
    const { user } = await team.member('analyst', email);
    const { body: invited } = await success(other.invite({ email, role: 'owner', name: 'Our Bruno' }), 201);
    expect(invited).toMatchObject({ id: user.id, name: 'Our Bruno' });
    const link = await world.linkTo(email);
    expect(refused(await refusal(world.accept(link, { password: 'another fine password' })))).toEqual([
      401,
      'invalid_credentials',
    ]);
    await success(world.accept(link, { password: PASSWORD }));
    expect((await success(other.get(user.id))).body).toMatchObject({ status: 'active', role: 'owner' });
    expect((await success(team.get(user.id))).body).toMatchObject({ status: 'active', role: 'analyst' });
  });

  it('does not reveal whether a person is known elsewhere, neither by the form of the address nor by an id with a date', async () => {
    const [team, other] = [await world.tenant(), await world.tenant()];
    const [known, unknown] = [newEmail(), newEmail()];
    await team.member('analyst', known);
    const seen = await Promise.all(
      [known, unknown].map(async (email) => {
        const { status, body } = await success(other.invite({ email: email.toUpperCase(), role: 'viewer' }), 201);
        const { id, email: shown, createdAt, updatedAt, invitation, ...rest } = body;
        expect(shown).toBe(email);
        // RFC 9562: only versions 1, 6 and 7 carry the time of their creation.
        expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/);
        return { answer: status, ...rest };
      }),
    );
    expect(seen[0]).toEqual(seen[1]);
  });

  it('is limited to the domains that the settings allow', async () => {
    const team = await world.tenant();
    await domains(team.id, ['bank.example', 'example.com']);
    const answer = await refusal(team.invite({ email: 'mallory@evil.example', role: 'viewer' }));
    expect(refused(answer)).toEqual([422, 'email_domain_not_allowed']);
    expect(answer.body.errors).toMatchObject([{ pointer: '/email' }]);
    for (const email of ['mallory@sub.bank.example', 'mallory@notbank.example'])
      expect((await refusal(team.invite({ email, role: 'viewer' }))).status).toBe(422);
    await success(
      team.invite({ email: `Bruno-${newEmail().replace('@example.com', '')}@BANK.example`, role: 'viewer' }),
      201,
    );
  });

  it.each<[string, object]>([
    ['no e-mail', { role: 'viewer' }],
    ['no role', { email: 'a@example.com' }],
    ['no address', { email: 'example.com', role: 'viewer' }],
    ['two addresses', { email: 'a@example.com,b@example.com', role: 'viewer' }],
    ['a line end in the address', { email: 'a@example.com\r\nBcc: b@example.com', role: 'viewer' }],
    ['the role of the platform', { email: 'a@example.com', role: 'platform_admin' }],
    ['an unknown member', { email: 'a@example.com', role: 'viewer', admin: true }],
    ['a line end in the name', { email: 'a@example.com', role: 'viewer', name: 'A\nB' }],
  ])('refuses %s', async (_, body) => {
    const team = await world.tenant();
    expect((await world.service.request('POST', '/v1/users/invitations', { as: team.owner.as, body })).status).toBe(
      422,
    );
  });

  it('is refused to a suspended tenant', async () => {
    const team = await world.tenant();
    await world.service.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [team.id]);
    expect(refused(await refusal(team.invite({ email: newEmail(), role: 'viewer' })))).toEqual([
      403,
      'tenant_suspended',
    ]);
  });
});

describe('seats', () => {
  it('are taken by members and open invitations, and freed by revoking', async () => {
    const team = await world.tenant();
    await seats(team.id, 3);
    const email = newEmail();
    const { body: user } = await success(team.invite({ email, role: 'viewer' }), 201);
    await success(team.invite({ email: newEmail(), role: 'viewer' }), 201);
    expect(refused(await refusal(team.invite({ email: newEmail(), role: 'viewer' })))).toEqual([409, 'seat_limit']);
    await success(team.invite({ email, role: 'viewer' }), 200);
    await success(
      world.service.api.DELETE('/v1/users/invitations/{invitationId}', {
        params: { path: { invitationId: user.invitation!.id } },
        headers: team.owner.as,
      }),
    );
    await success(team.invite({ email: newEmail(), role: 'viewer' }), 201);
  });

  it('are not overbooked by many invitations at once', async () => {
    const team = await world.tenant();
    await seats(team.id, 4);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => outcome(team.invite({ email: newEmail(), role: 'viewer' }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(answers.filter(({ status }) => status !== 201).map(refused)).toEqual(Array(7).fill([409, 'seat_limit']));
  });
});
