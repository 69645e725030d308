/**
 * API tests of reading and changing members. Also of what only owners may change, and of changes that are refused
 * because somebody else was faster.
 */
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { outcome, refusal, refused, success } from '../support/api.ts';
import { whileChangesOfTenantWait } from '../support/locks.ts';
import { PASSWORD, shared } from '../support/service.ts';
import { newEmail, startUsersWorld } from './users-world.ts';

const world = await shared(startUsersWorld());

describe('getting a user', () => {
  it('shows the user, with the version as the entity tag', async () => {
    const team = await world.tenant();
    const { user, tokens } = await team.member('auditor');
    const answer = await success(team.get(user.id));
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, `"${answer.body.version}"`]);
    expect(answer.body).toMatchObject({
      id: user.id,
      email: user.email,
      name: 'Bruno Lima',
      role: 'auditor',
      status: 'active',
      mfaEnabled: false,
      invitation: null,
      activeSessions: 1,
      openCases: 0,
    });
    expect(answer.body.lastLoginAt).not.toBeNull();
    expect(tokens.user.id).toBe(user.id);
  });

  it('is allowed to everybody for themselves, and to the roles that see their colleagues', async () => {
    const team = await world.tenant();
    const viewer = await team.person('viewer');
    const developer = await team.person('developer');
    await success(team.get(viewer.id, viewer.as));
    expect(refused(await refusal(team.get(viewer.id, developer.as)))).toEqual([403, 'role_forbidden']);
    for (const role of ['admin', 'compliance_officer', 'auditor'] as const)
      await success(team.get(viewer.id, await team.user(role)));
    await success(team.get(viewer.id, await team.key(['read'])));
    expect(refused(await refusal(team.get(viewer.id, await team.key(['write']))))).toEqual([403, 'insufficient_scope']);
  });

  it('shows a lock after wrong passwords until it ends', async () => {
    const team = await world.tenant();
    const { id, email } = await team.person('analyst');
    for (let attempt = 0; attempt < 5; attempt++)
      await world.service.api.POST('/v1/auth/login', { body: { email, password: 'wrong password' } });
    expect((await success(team.get(id))).body.status).toBe('locked');
    expect((await success(team.list({ status: ['locked'] }))).body.items.map((user) => user.id)).toEqual([id]);
    expect((await success(team.list({ status: ['active'] }))).body.items.map((user) => user.id)).not.toContain(id);
    expect((await success(team.patch(id, { name: 'Locked Person' }))).body).toMatchObject({
      status: 'locked',
      name: 'Locked Person',
    });
    expect((await success(team.patch(id, { unlock: true }))).body.status).toBe('active');
    expect(
      (await world.service.api.POST('/v1/auth/login', { body: { email, password: PASSWORD } })).response.status,
    ).toBe(200);
    expect(await team.eventsAbout(id)).toEqual(['user.updated', 'user.unlocked']);
  });
});

describe('changing a user', () => {
  it('merges name and role, raises the version and records both', async () => {
    const team = await world.tenant();
    const { id } = await team.person('analyst');
    const answer = await success(team.patch(id, { name: 'Carla Dias', role: 'compliance_officer' }));
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"2"']);
    expect(answer.body).toMatchObject({ name: 'Carla Dias', role: 'compliance_officer', version: 2 });
    expect(await team.eventsAbout(id)).toEqual(['user.updated', 'user.role_changed']);
    const unchanged = await success(team.patch(id, { name: 'Carla Dias', role: 'compliance_officer' }));
    expect(unchanged.body.version).toBe(2);
    expect(await team.eventsAbout(id)).toHaveLength(2);
  });

  it('omits names from the audit log', async () => {
    const team = await world.tenant();
    const { id } = await team.person('analyst');
    await success(team.patch(id, { name: 'Very Secret Name' }));
    const events = await world.service.database.sql<{ text: string }>(
      'SELECT to_jsonb(audit_event)::text AS text FROM audit_event WHERE tenant_id = $1',
      [team.id],
    );
    expect(events.some(({ text }) => text.includes('Very Secret'))).toBe(false);
  });

  it('applies at once to open sessions', async () => {
    const team = await world.tenant();
    const analyst = await team.person('analyst');
    expect(refused(await refusal(team.list({}, analyst.as)))).toEqual([403, 'role_forbidden']);
    await success(team.patch(analyst.id, { role: 'auditor' }));
    await success(team.list({}, analyst.as));
  });

  it('names a person here and nowhere else', async () => {
    const [team, other] = [await world.tenant(), await world.tenant()];
    const email = newEmail();
    const { user } = await team.member('analyst', email);
    expect((await success(other.invite({ email, role: 'viewer' }), 201)).body).toMatchObject({
      id: user.id,
      name: '',
      mfaEnabled: false,
      status: 'invited',
    });
    await success(world.accept(await world.linkTo(email)));
    expect((await success(other.get(user.id))).body.name).toBe('Bruno Lima');
    await success(team.patch(user.id, { name: 'Renamed' }));
    expect((await success(team.get(user.id))).body.name).toBe('Renamed');
    expect((await success(other.get(user.id))).body.name).toBe('Bruno Lima');
  });

  it('is refused if the user has changed since', async () => {
    const team = await world.tenant();
    const { id } = await team.person('analyst');
    await success(team.patch(id, { role: 'viewer' }, team.owner.as, { 'If-Match': '"1"' }));
    const stale = await refusal(team.patch(id, { role: 'auditor' }, team.owner.as, { 'If-Match': '"1"' }));
    expect([...refused(stale), stale.body.currentVersion]).toEqual([412, 'version_conflict', 2]);
    await success(team.patch(id, { role: 'auditor' }, team.owner.as, { 'If-Match': '*' }));
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['an unknown role', { role: 'root' }],
    ['the role of the platform', { role: 'platform_admin' }],
    ['an unknown status', { status: 'locked' }],
    ['null for a name', { name: null }],
    ['an e-mail', { email: 'a@example.com' }],
    ['unlock: false', { unlock: false }],
  ])('refuses %s', async (_, body) => {
    const team = await world.tenant();
    const { id } = await team.person('analyst');
    expect((await refusal(team.patch(id, body))).status).toBe(422);
  });
});

describe('a test key', () => {
  it('may see people and changes nothing about them, whatever its scopes', async () => {
    const team = await world.tenant();
    const { id } = await team.person('analyst');
    const { body: invited } = await success(team.invite({ email: newEmail(), role: 'viewer' }), 201);
    await world.service.api.POST('/v1/sandbox/enable', { headers: team.owner.as });
    for (const as of [
      await team.key(['admin'], { environment: 'test' }),
      await team.client(['admin'], { environment: 'test' }),
    ]) {
      await success(team.get(id, as));
      const answers = [
        await refusal(team.patch(id, { role: 'admin' }, as)),
        await refusal(team.invite({ email: newEmail(), role: 'admin' }, as)),
        await refusal(
          world.service.api.DELETE('/v1/users/{userId}/sessions', { params: { path: { userId: id } }, headers: as }),
        ),
        await refusal(
          world.service.api.DELETE('/v1/users/invitations/{invitationId}', {
            params: { path: { invitationId: invited.invitation!.id } },
            headers: as,
          }),
        ),
      ];
      expect(answers.map(refused)).toEqual(Array(4).fill([403, 'scope_escalation']));
    }
  });
});

describe('owners', () => {
  it('are made and changed by owners only, never by machines', async () => {
    const team = await world.tenant();
    const second = await team.person('owner');
    const { id } = await team.person('analyst');
    for (const as of [(await team.person('admin')).as, await team.key(['admin']), await team.client(['admin'])]) {
      expect(refused(await refusal(team.patch(id, { role: 'owner' }, as)))).toEqual([403, 'role_above_own']);
      expect(refused(await refusal(team.patch(second.id, { role: 'viewer' }, as)))).toEqual([403, 'role_above_own']);
      expect(refused(await refusal(team.patch(second.id, { status: 'deactivated' }, as)))).toEqual([
        403,
        'role_above_own',
      ]);
      expect(refused(await refusal(team.patch(second.id, { name: 'Mallory' }, as)))).toEqual([403, 'role_above_own']);
    }
    await success(team.patch(id, { role: 'admin' }, (await team.person('admin')).as));
    expect((await success(team.patch(id, { role: 'owner' }))).body.role).toBe('owner');
  });

  it('cannot change their own role or status, and neither can anybody else', async () => {
    const team = await world.tenant();
    await team.person('owner');
    const admin = await team.person('admin');
    for (const [id, as] of [
      [team.owner.id, team.owner.as],
      [admin.id, admin.as],
    ] as const) {
      for (const body of [{ role: 'viewer' }, { status: 'deactivated' }, { unlock: true }] as const) {
        expect(refused(await refusal(team.patch(id, body, as)))).toEqual([403, 'cannot_change_own_role']);
      }
      expect((await success(team.patch(id, { name: 'Myself' }, as))).body.name).toBe('Myself');
    }
    expect(refused(await refusal(team.patch(admin.id, { role: 'owner' }, admin.as)))).toEqual([
      403,
      'cannot_change_own_role',
    ]);
  });

  it('never leave a tenant without one, also when two demote each other at once', async () => {
    for (const body of [{ role: 'viewer' }, { status: 'deactivated' }] as const) {
      const team = await world.tenant();
      const second = await team.person('owner');
      // Invited, locked and deactivated owners do not count, because they cannot act.
      await success(team.invite({ email: newEmail(), role: 'owner' }), 201);
      for (const status of ['locked', 'deactivated']) {
        await world.service.database.sql('UPDATE membership SET status = $1 WHERE user_id = $2', [
          status,
          (await team.person('owner')).id,
        ]);
      }
      const waiting = async (count: number): Promise<void> => {
        const query = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        while ((await world.service.database.sql(query)).length < count) await setTimeout(10);
      };
      const { attempts } = await whileChangesOfTenantWait(world.service.database, team.id, async () => {
        const first = team.patch(second.id, body, team.owner.as);
        await waiting(1);
        const other = team.patch(team.owner.id, body, second.as);
        await waiting(2);
        return { attempts: [first, other] };
      });
      const answers = await Promise.all(attempts.map(outcome));
      expect(answers.map(refused)).toEqual([
        [200, undefined],
        [409, 'last_owner'],
      ]);
      const owners = await world.service.database.sql(
        `SELECT FROM membership WHERE tenant_id = $1 AND role = 'owner' AND status = 'active'`,
        [team.id],
      );
      expect(owners).toHaveLength(1);
    }
  });
});
