/** API tests of attacks on browser sessions: stolen or used cookies, and pages of other sites. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { bearer, startWorld } from './auth-world.ts';
import {
  Browser,
  cookieIn,
  openSession,
  thiefOf,
  type Fields,
  RENEW,
  SESSION,
  type Session,
  verdict,
} from './browser-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

const signedIn = (tenant = tenantId) => openSession(world, tenant);
const thief = (cookie: string, proof = '') => thiefOf(world, cookie, proof);

describe('a stolen cookie without the proof of the page', () => {
  const PROOFS: readonly [what: string, proof: (of: Session) => string | undefined][] = [
    ['none', () => undefined],
    ['an empty one', () => ''],
    ['something else', () => 'csrf_'],
    ['the access token', ({ accessToken }) => accessToken.slice(0, 128)],
    ['a part of the right one', ({ csrfToken }) => csrfToken.slice(0, -1)],
    ['the right one in capitals', ({ csrfToken }) => csrfToken.toUpperCase()],
  ];

  it.each(PROOFS)('neither renews nor closes the session: %s', async (_, proof) => {
    const { browser, session, cookie } = await signedIn();
    const shown = proof(session);
    const headers = { Cookie: `__Host-session=${cookie}`, ...(shown !== undefined && { 'X-CSRF-Token': shown }) };
    const answers = [
      await world.call('POST', RENEW, { headers }),
      await world.call('DELETE', SESSION, { headers }),
      await world.call('DELETE', `${SESSION}?everywhere=true`, { headers }),
    ];
    expect(answers.map(verdict)).toEqual(Array.from({ length: 3 }, () => [403, 'csrf_token_invalid']));
    expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([]);
    expect((await browser.renew()).status, 'the owner').toBe(200);
  });

  it('leaves a trace in the chain of the tenant that names the session', async () => {
    const tenant = await world.database.tenant();
    const { cookie, id } = await signedIn(tenant);
    await thief(cookie).renew();
    const [event] = await world.database.sql(
      `SELECT action, outcome, reason, actor_id, resource_type FROM audit_event WHERE tenant_id = $1
        ORDER BY sequence DESC LIMIT 1`,
      [tenant],
    );
    expect(event).toMatchObject({
      action: 'auth.session.proof_refused',
      outcome: 'denied',
      reason: 'csrf_token_invalid',
      actor_id: id,
      resource_type: 'session',
    });
  });

  it('has no effect with the proof of another session, of the same person or of another tenant', async () => {
    const { browser, email, cookie } = await signedIn();
    const again = new Browser(world);
    await again.signIn(email);
    const foreign = await signedIn(await world.database.tenant());
    const answers = await Promise.all(
      [again.proof, foreign.session.csrfToken].map((proof) => thief(cookie, proof).renew()),
    );
    expect(answers.map(verdict)).toEqual([
      [403, 'csrf_token_invalid'],
      [403, 'csrf_token_invalid'],
    ]);
    expect(
      (await Promise.all([browser, again, foreign.browser].map((each) => each.renew()))).map(({ status }) => status),
    ).toEqual([200, 200, 200]);
  });

  it('has no effect with a cookie of another person either: the owner of the cookie decides', async () => {
    const [ana, bruno] = [await signedIn(), await signedIn(await world.database.tenant())];
    ana.browser.cookies.set('__Host-session', bruno.cookie);
    expect(verdict(await ana.browser.renew())).toEqual([403, 'csrf_token_invalid']);
  });
});

describe('a cookie that was used before', () => {
  it('ends the session after the retry window, clears the cookie, and is reported by log and mail', async () => {
    const tenant = await world.database.tenant();
    const { browser, session, email, cookie } = await signedIn(tenant);
    await browser.renew();
    world.advance(10_001);
    const answer = await thief(cookie, session.csrfToken).renew();
    expect(verdict(answer)).toEqual([401, 'refresh_token_reused']);
    expect(cookieIn(answer)).toBe('');
    expect(verdict(await browser.renew())).toEqual([401, 'refresh_token_invalid']);
    expect(verdict(await world.call('GET', '/v1/auth/me', { headers: bearer(session.accessToken) }))).toEqual([
      401,
      'token_revoked',
    ]);
    expect(await world.events(tenant)).toContain('auth.refresh.reuse_detected');
    expect(await world.mail(email)).toMatchObject({ template: 'refreshTokenReused' });
  });

  it('ends it at once if another program presents it', async () => {
    const { browser, session, cookie } = await signedIn();
    await browser.renew();
    expect(verdict(await thief(cookie, session.csrfToken).renew({ 'User-Agent': 'somebody else' }))).toEqual([
      401,
      'refresh_token_reused',
    ]);
    expect(verdict(await browser.renew())).toEqual([401, 'refresh_token_invalid']);
  });

  it('ends it if the owner returns after a thief had both and was faster', async () => {
    const { browser, session, cookie } = await signedIn();
    expect((await thief(cookie, session.csrfToken).renew()).status).toBe(200);
    world.advance(600_000);
    expect(verdict(await browser.renew())).toEqual([401, 'refresh_token_reused']);
  });

  it('ends nothing without the proof', async () => {
    const { browser, cookie } = await signedIn();
    await browser.renew();
    world.advance(60_000);
    expect(verdict(await thief(cookie).renew())).toEqual([403, 'csrf_token_invalid']);
    expect((await browser.renew()).status).toBe(200);
  });
});

describe('a page of another site', () => {
  const FOREIGN: readonly Fields[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'sideways' },
    { Origin: 'https://attacker.example' },
    { Origin: 'null' },
    { Origin: '' },
    { Origin: 'http://127.0.0.1:1' },
    { Origin: 'http://127.0.0.1.attacker.example' },
    { Origin: 'file://' },
    { 'Origin': 'https://attacker.example', 'Sec-Fetch-Site': 'same-origin' },
  ];

  it.each(FOREIGN)('is refused, even with cookie and proof: %j', async (headers) => {
    const { browser, email } = await signedIn();
    const answers = [
      await browser.renew(headers),
      await browser.close('', headers),
      await new Browser(world).signIn(email, {}, headers),
    ];
    expect(answers.map(verdict)).toEqual(Array.from({ length: 3 }, () => [403, 'cross_site_request']));
    expect(answers.flatMap((answer) => answer.headers.getSetCookie())).toEqual([]);
    expect((await browser.renew()).status).toBe(200);
  });

  it('is told from our own by the address of the service', async () => {
    const { browser } = await signedIn();
    const own: Fields[] = [
      { Origin: world.service.url },
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
      { 'Origin': world.service.url, 'Sec-Fetch-Site': 'same-origin' },
    ];
    for (const headers of own) expect((await browser.renew(headers)).status, JSON.stringify(headers)).toBe(200);
    expect(verdict(await browser.renew({ Origin: world.service.url.replace('http:', 'https:') }))).toEqual([
      403,
      'cross_site_request',
    ]);
  });

  it('is told from our own by the public address, if a proxy changes the other', async () => {
    const behind = await startWorld({ PUBLIC_URL: 'https://compliance.example/' });
    const { email } = await behind.user(await behind.database.tenant());
    const browser = new Browser(behind);
    expect(
      (await browser.signIn(email, {}, { 'Origin': 'https://compliance.example', 'Sec-Fetch-Site': 'same-origin' }))
        .status,
    ).toBe(200);
    for (const origin of [
      'http://compliance.example',
      'https://compliance.example:444',
      'https://www.compliance.example',
    ]) {
      expect(verdict(await browser.renew({ Origin: origin })), origin).toEqual([403, 'cross_site_request']);
    }
    expect((await browser.renew({ Origin: behind.service.url })).status).toBe(200);
    expect((await browser.renew({ Origin: 'https://compliance.example' })).status).toBe(200);
    await behind.stop();
  });

  it('gets no answer that its browser would let it read', async () => {
    const { browser } = await signedIn();
    const answers = [
      await browser.renew(),
      await world.call('OPTIONS', RENEW, {
        headers: { Origin: 'https://attacker.example', 'Access-Control-Request-Method': 'POST' },
      }),
    ];
    for (const { headers } of answers)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});
