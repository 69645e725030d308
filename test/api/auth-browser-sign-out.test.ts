/** API tests of signing out with a browser, here and everywhere. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { bearer, PASSWORD, startWorld } from './auth-world.ts';
import { Browser, openSession, verdict } from './browser-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

const CLEARED = ['__Host-session=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0'];

const signedIn = (tenant = tenantId) => openSession(world, tenant);

async function me(accessToken: string): Promise<[number, string | undefined]> {
  return verdict(await world.call('GET', '/v1/auth/me', { headers: bearer(accessToken) }));
}

describe('signing out a browser', () => {
  it('clears the cookie, leaves the device known and other sessions alone, and is recorded', async () => {
    const tenant = await world.database.tenant();
    const { browser, email } = await signedIn(tenant);
    const elsewhere = new Browser(world);
    await elsewhere.signIn(email);
    const answer = await browser.close();
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers.getSetCookie()).toEqual(CLEARED);
    expect([...browser.cookies.keys()]).toEqual(['__Host-device']);
    expect((await elsewhere.renew()).status).toBe(200);
    expect((await world.events(tenant)).at(-1)).toBe('auth.logout');
  });

  it('needs no valid access token', async () => {
    const { browser } = await signedIn();
    world.advance(3_600_000);
    expect((await browser.close()).status).toBe(204);
    expect(verdict(await browser.renew())).toEqual([401, 'refresh_token_invalid']);
  });

  it('everywhere ends every session of the user, those of programs too', async () => {
    const { browser, email } = await signedIn();
    const elsewhere = new Browser(world);
    await elsewhere.signIn(email);
    const program = await world.signIn(email);
    expect((await browser.close('?everywhere=true')).status).toBe(204);
    expect(verdict(await elsewhere.renew())).toEqual([401, 'refresh_token_invalid']);
    expect(await me(program.accessToken)).toEqual([401, 'token_revoked']);
  });

  it('can be repeated, and has the same answer without a session', async () => {
    const { browser } = await signedIn();
    const cookie = browser.cookies.get('__Host-session') ?? '';
    await browser.close();
    browser.cookies.set('__Host-session', cookie);
    for (const each of [browser, new Browser(world)]) {
      const answer = await each.close();
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([204, CLEARED]);
    }
  });

  it('everywhere says so if the session has ended and the others continue', async () => {
    const { browser, email } = await signedIn();
    world.advance(10 * 86_400_000);
    const elsewhere = new Browser(world);
    await elsewhere.signIn(email);
    world.advance(5 * 86_400_000);
    const answer = await browser.close('?everywhere=true');
    expect(verdict(answer)).toEqual([401, 'refresh_token_invalid']);
    expect(answer.headers.getSetCookie()).toEqual(CLEARED);
    expect((await elsewhere.renew()).status).toBe(200);
  });

  it('works while the tenant is suspended', async () => {
    const tenant = await world.database.tenant();
    const { browser } = await signedIn(tenant);
    await world.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [tenant]);
    expect((await browser.close()).status).toBe(204);
  });

  it('ends the session of a cookie that another tab has just replaced', async () => {
    const { browser, session } = await signedIn();
    const cookie = browser.cookies.get('__Host-session') ?? '';
    await browser.renew();
    browser.cookies.set('__Host-session', cookie);
    expect((await browser.close()).status).toBe(204);
    expect(await me(session.accessToken)).toEqual([401, 'token_revoked']);
  });
});

it('a sign-out of a program ends a browser session as well, and a changed password ends the others', async () => {
  const { browser, session, email } = await signedIn();
  const elsewhere = new Browser(world);
  const { body } = await elsewhere.signIn(email);
  const closed = await world.call('POST', '/v1/auth/password/change', {
    headers: bearer(body.accessToken),
    json: { currentPassword: PASSWORD, newPassword: 'seven quiet rivers at dawn' },
  });
  expect(closed.status).toBe(204);
  expect(verdict(await browser.renew())).toEqual([401, 'refresh_token_invalid']);
  expect(await me(session.accessToken)).toEqual([401, 'token_revoked']);
  const {
    body: { accessToken },
  } = await elsewhere.renew();
  expect((await world.call('POST', '/v1/auth/logout', { headers: bearer(accessToken) })).status).toBe(204);
  expect(verdict(await elsewhere.renew())).toEqual([401, 'refresh_token_invalid']);
});
