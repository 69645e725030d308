/** API tests of deactivating, reactivating and unlocking members. */
import { describe, expect, it } from 'vitest';
import { outcome, refusal, refused, success } from '../support/api.ts';
import { PASSWORD, shared } from '../support/service.ts';
import { newEmail, startUsersWorld } from './users-world.ts';

const world = await shared(startUsersWorld());

const seats = (tenantId: string, users: number) =>
  world.service.database.sql(`UPDATE tenant SET quotas = jsonb_build_object('users', $2::int) WHERE id = $1`, [
    tenantId,
    users,
  ]);
const me = (as: Record<string, string>) => world.service.request('GET', '/v1/auth/me', { as });

describe('deactivating', () => {
  it('ends every session at once, whatever the validity of its tokens', async () => {
    const team = await world.tenant();
    const { user, as, tokens } = await team.member('analyst');
    expect((await me(as)).status).toBe(200);
    const answer = await success(team.patch(user.id, { status: 'deactivated' }));
    expect(answer.body).toMatchObject({ status: 'deactivated', activeSessions: 0 });
    expect(refused(await me(as))).toEqual([401, 'token_revoked']);
    expect(
      (await world.service.api.POST('/v1/auth/refresh', { body: { refreshToken: tokens.refreshToken } })).response
        .status,
    ).toBe(401);
    expect(
      refused(
        await refusal(world.service.api.POST('/v1/auth/login', { body: { email: user.email, password: PASSWORD } })),
      ),
    ).toEqual([401, 'invalid_credentials']);
    expect(await team.eventsAbout(user.id)).toEqual(['user.invited', 'user.deactivated']);
    expect((await success(team.patch(user.id, { status: 'deactivated' }))).body.version).toBe(answer.body.version);
    expect(await team.eventsAbout(user.id)).toHaveLength(2);
  });

  it('preserves the name, and what the person did under it', async () => {
    const team = await world.tenant();
    const { user } = await team.member('analyst');
    await success(team.patch(user.id, { status: 'deactivated' }));
    expect((await success(team.get(user.id))).body).toMatchObject({
      name: 'Bruno Lima',
      email: user.email,
      role: 'analyst',
    });
  });

  it('ends nothing in other tenants', async () => {
    const [team, other] = [await world.tenant(), await world.tenant()];
    const email = newEmail();
    const here = await team.member('analyst', email);
    const elsewhere = await other.member('analyst', email);
    await success(team.patch(here.user.id, { status: 'deactivated' }));
    expect((await me(elsewhere.as)).status).toBe(200);
    expect((await success(other.get(elsewhere.user.id))).body.status).toBe('active');
  });

  it('revokes the invitation of a user who has not accepted yet', async () => {
    const team = await world.tenant();
    const email = newEmail();
    const { body: user } = await success(team.invite({ email, role: 'analyst' }), 201);
    expect((await success(team.patch(user.id, { status: 'deactivated' }))).body).toMatchObject({
      status: 'deactivated',
      invitation: null,
    });
    expect(refused(await refusal(world.accept(await world.linkTo(email))))).toEqual([400, 'invitation_invalid']);
  });
});

describe('reactivating', () => {
  it('lets the person sign in again, with the same password', async () => {
    const team = await world.tenant();
    const { user } = await team.member('analyst');
    await success(team.patch(user.id, { status: 'deactivated' }));
    expect((await success(team.patch(user.id, { status: 'active' }))).body.status).toBe('active');
    expect(
      (await world.service.api.POST('/v1/auth/login', { body: { email: user.email, password: PASSWORD } })).response
        .status,
    ).toBe(200);
    expect(await team.eventsAbout(user.id)).toEqual(['user.invited', 'user.deactivated', 'user.reactivated']);
  });

  it('takes a free seat, which deactivating releases', async () => {
    const team = await world.tenant();
    const [{ user }, { user: second }] = [await team.member(), await team.member()];
    await success(team.patch(user.id, { status: 'deactivated' }));
    await seats(team.id, 2);
    expect(refused(await refusal(team.patch(user.id, { status: 'active' })))).toEqual([409, 'seat_limit']);
    await success(team.patch(second.id, { status: 'deactivated' }));
    await success(team.patch(user.id, { status: 'active' }));
  });

  it('of two at once for the last seat succeeds for one', async () => {
    const team = await world.tenant();
    const people = [await team.member(), await team.member()];
    for (const { user } of people) await success(team.patch(user.id, { status: 'deactivated' }));
    await seats(team.id, 2);
    const answers = await Promise.all(people.map(({ user }) => outcome(team.patch(user.id, { status: 'active' }))));
    expect(answers.map(refused).sort()).toEqual([
      [200, undefined],
      [409, 'seat_limit'],
    ]);
  });

  it.each<[string, 'invited' | 'revoked', object, { currentStatus: string; allowedTransitions: string[] }]>([
    [
      'activating who has not accepted yet',
      'invited',
      { status: 'active' },
      { currentStatus: 'invited', allowedTransitions: ['deactivated'] },
    ],
    [
      'activating who never accepted',
      'revoked',
      { status: 'active' },
      { currentStatus: 'deactivated', allowedTransitions: ['invited'] },
    ],
    [
      'unlocking who was invited',
      'invited',
      { unlock: true },
      { currentStatus: 'invited', allowedTransitions: ['deactivated'] },
    ],
    [
      'unlocking who was deactivated',
      'revoked',
      { unlock: true },
      { currentStatus: 'deactivated', allowedTransitions: ['invited'] },
    ],
  ])('is not %s', async (_, state, body, refusedWith) => {
    const team = await world.tenant();
    const { body: user } = await success(team.invite({ email: newEmail(), role: 'analyst' }), 201);
    if (state === 'revoked') await success(team.patch(user.id, { status: 'deactivated' }));
    const answer = await refusal(team.patch(user.id, body));
    expect(refused(answer)).toEqual([409, 'invalid_state_transition']);
    expect(answer.body).toMatchObject(refusedWith);
  });
});

describe('unlocking', () => {
  it('ends the lock after long absence', async () => {
    const team = await world.tenant();
    const { user } = await team.member('analyst');
    for (const body of [{ unlock: true }, { status: 'active' }] as const) {
      await world.service.database.sql(`UPDATE membership SET status = 'locked' WHERE user_id = $1`, [user.id]);
      expect((await success(team.get(user.id))).body.status).toBe('locked');
      expect((await success(team.patch(user.id, body))).body.status).toBe('active');
    }
    expect(await team.eventsAbout(user.id)).toEqual(['user.invited', 'user.unlocked', 'user.unlocked']);
  });

  it('is allowed to machines, but not of owners', async () => {
    const team = await world.tenant();
    const owner = await team.person('owner');
    const analyst = await team.person('analyst');
    const key = await team.key(['admin']);
    await success(team.patch(analyst.id, { unlock: true }, key));
    expect(refused(await refusal(team.patch(owner.id, { unlock: true }, key)))).toEqual([403, 'role_above_own']);
  });

  it('cannot be requested together with deactivating', async () => {
    const team = await world.tenant();
    const { id } = await team.person('analyst');
    expect(refused(await refusal(team.patch(id, { unlock: true, status: 'deactivated' })))).toEqual([
      409,
      'invalid_state_transition',
    ]);
  });
});
