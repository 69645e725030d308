/** API tests of revoking an invitation. */
import { describe, expect, it } from 'vitest';
import { refusal, refused, success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { newEmail, startUsersWorld } from './users-world.ts';

const world = await shared(startUsersWorld());

describe('revoking an invitation', () => {
  const revoke = (id: string | undefined, as: Record<string, string>) =>
    world.service.request('DELETE', `/v1/users/invitations/${id}`, { as });

  it('invalidates the link and removes the person from the list of invited members', async () => {
    const team = await world.tenant();
    const email = newEmail();
    const { body: user } = await success(team.invite({ email, role: 'viewer' }), 201);
    expect((await revoke(user.invitation?.id, team.owner.as)).status).toBe(204);
    expect(refused(await refusal(world.accept(await world.linkTo(email))))).toEqual([400, 'invitation_invalid']);
    expect((await success(team.get(user.id))).body).toMatchObject({ status: 'deactivated', invitation: null });
    expect((await revoke(user.invitation?.id, team.owner.as)).status).toBe(204);
    expect(await team.eventsAbout(user.id)).toEqual(['user.invited', 'user.invitation_revoked']);
    expect((await success(team.invite({ email, role: 'viewer' }), 201)).body).toMatchObject({
      id: user.id,
      status: 'invited',
    });
    expect(await team.eventsAbout(user.id)).toEqual(['user.invited', 'user.invitation_revoked', 'user.invited']);
  });

  it('is refused once the invitation was used, to strangers, and for owners to callers who are none', async () => {
    const [team, other] = [await world.tenant(), await world.tenant()];
    const email = newEmail();
    const { body: user } = await success(team.invite({ email, role: 'viewer' }), 201);
    expect(refused(await revoke(user.invitation?.id, other.owner.as))).toEqual([404, 'not_found']);
    await success(world.accept(await world.linkTo(email)));
    expect(refused(await revoke(user.invitation?.id, team.owner.as))).toEqual([409, 'invitation_already_used']);
    const { body: owner } = await success(team.invite({ email: newEmail(), role: 'owner' }), 201);
    for (const as of [await team.user('admin'), await team.key(['admin'])])
      expect(refused(await revoke(owner.invitation?.id, as))).toEqual([403, 'role_above_own']);
    expect(refused(await revoke(owner.invitation?.id, await team.user('analyst')))).toEqual([403, 'role_forbidden']);
    expect(refused(await revoke('nothing', team.owner.as))).toEqual([400, 'invalid_parameter']);
    expect((await revoke(owner.invitation?.id, await team.user('owner'))).status).toBe(204);
  });

  it('prevents an administrator from replacing an owner by inviting anew', async () => {
    const team = await world.tenant();
    const email = newEmail();
    await success(team.invite({ email, role: 'owner' }), 201);
    expect(refused(await refusal(team.invite({ email, role: 'viewer' }, await team.user('admin'))))).toEqual([
      403,
      'role_above_own',
    ]);
  });
});
