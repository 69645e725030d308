/** API tests that members who have long been absent are locked, but never the last owner. */
import { describe, expect, it } from 'vitest';
import { addMember } from '../../server/modules/accounts/membership-store.ts';
import { unlockAccount } from '../../server/modules/members/change-members.ts';
import { lockInactive } from '../../server/modules/sessions/member-sessions.ts';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { PASSWORD, startWorld } from './auth-world.ts';

const world = await shared(startWorld());

const login = (email: string, password: string, more: object = {}) =>
  world.api.POST('/v1/auth/login', { body: { email, password, ...more } });

describe('a member who has long been absent', () => {
  it('is locked, except the owner who signed in last, and admitted again by an unlock', async () => {
    const tenant = await world.database.tenant();
    const [owner, second, away] = [
      await world.user(tenant),
      await world.user(tenant),
      await world.user(tenant, 'analyst'),
    ];
    const pair = await world.signIn(away.email);
    for (const [{ id }, days] of [
      [owner, 100],
      [second, 120],
      [away, 91],
    ] as const) {
      await world.database.sql(
        `UPDATE membership
          SET last_login_at = now() - $2 * interval '1 day', updated_at = now() - $2 * interval '1 day'
          WHERE user_id = $1`,
        [id, days],
      );
    }
    const lock = () =>
      world.database.database.platform({ tenantId: tenant }, (tx) => lockInactive(tx, tenant, 90, new Date()));
    expect((await lock()).sort()).toEqual([second.id, away.id].sort());
    expect(await lock()).toEqual([]);
    expect((await login(away.email, PASSWORD)).response.status).toBe(401);
    expect(
      (await world.api.POST('/v1/auth/refresh', { body: { refreshToken: pair.refreshToken } })).response.status,
    ).toBe(401);
    await world.database.database.platform({ tenantId: tenant }, (tx) =>
      unlockAccount(tx, world.database.secrets, { tenantId: tenant, userId: away.id, now: new Date() }),
    );
    expect((await login(away.email, PASSWORD)).response.status).toBe(200);
    expect(await lock()).toEqual([]);
  });

  it('that is locked in one tenant still signs in to the other', async () => {
    const [tenant, other] = [await world.database.tenant(), await world.database.tenant()];
    const [, away] = [await world.user(tenant), await world.user(tenant, 'viewer')];
    await world.database.database.platform({ tenantId: other }, (tx) =>
      addMember(tx, { tenantId: other, userId: away.id }, 'viewer', new Date()),
    );
    await world.database.sql(`UPDATE membership SET updated_at = now() - interval '91 days' WHERE tenant_id = $1`, [
      tenant,
    ]);
    expect(
      await world.database.database.platform({ tenantId: tenant }, (tx) => lockInactive(tx, tenant, 90, new Date())),
    ).toContain(away.id);
    expect((await success(login(away.email, PASSWORD))).body.user.tenantId).toBe(other);
  });
});
