import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { shared } from '../support/service.ts';
import { PASSWORD, startWorld } from './auth-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

describe('a browser session', () => {
  it('goes on after a reload', async () => {
    const { email } = await world.user(tenantId);
    const opened = await success(world.api.POST('/v1/auth/browser-session', { body: { email, password: PASSWORD } }));
    const Cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const renewed = await success(world.api.POST('/v1/auth/browser-session/renew', { headers: { Cookie, 'X-CSRF-Token': opened.body.csrfToken } }));
    expect(renewed.body).toEqual({ ...opened.body, accessToken: expect.any(String) as string });
  });
});
