/** API tests of signing in with a browser, reloading the page, and two tabs. */
import { describe, expect, it } from 'vitest';
import { addMember } from '../../server/modules/accounts/membership-store.ts';
import { shared } from '../support/service.ts';
import { bearer, startWorld } from './auth-world.ts';
import { Browser, cookieIn, openSession, verdict } from './browser-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

const CLEARED = ['__Host-session=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0'];

const signedIn = (tenant = tenantId) => openSession(world, tenant);

async function me(accessToken: string): Promise<[number, string | undefined]> {
  return verdict(await world.call('GET', '/v1/auth/me', { headers: bearer(accessToken) }));
}

describe('signing in a browser', () => {
  it('gives the page everything except the two tokens that its cookies hold', async () => {
    const { id, email } = await world.user(tenantId, 'analyst');
    const answer = await new Browser(world).signIn(email);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      accessToken: expect.stringMatching(/^eyJ/) as string,
      tokenType: 'Bearer',
      expiresIn: 900,
      refreshExpiresIn: 1_209_600,
      passwordChangeRequired: false,
      csrfToken: expect.stringMatching(/^csrf_[\w-]{43}$/) as string,
      user: {
        id,
        email,
        name: 'Ana Souza',
        role: 'analyst',
        tenantId,
        mfaEnabled: false,
      },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await me(answer.body.accessToken)).toEqual([200, undefined]);
  });

  it('sets cookies that no script reads, no other host gets and no page of another site sends', async () => {
    const answer = await new Browser(world).signIn((await world.user(tenantId)).email);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-session=rtb_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=1209600$/,
      ),
      expect.stringMatching(
        /^__Host-device=dt_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=7776000$/,
      ),
    ]);
  });

  it('requires what every sign-in requires, and sets no cookie before', async () => {
    const member = await world.userWithFactor(tenantId);
    const { id, email } = await world.user(tenantId);
    const second = await world.database.tenant();
    await world.database.database.platform({ tenantId: second }, (tx) =>
      addMember(tx, { tenantId: second, userId: id }, 'viewer', new Date()),
    );
    const browser = new Browser(world);
    const refused = [
      await browser.signIn(email, { password: 'wrong' }),
      await browser.signIn(member.email),
      await browser.signIn(member.email, { totpCode: '000000' }),
      await browser.signIn(email),
    ];
    expect(refused.map(verdict)).toEqual([
      [401, 'invalid_credentials'],
      [401, 'mfa_required'],
      [401, 'invalid_mfa_code'],
      [409, 'tenant_selection_required'],
    ]);
    expect(refused.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
    expect((await browser.signIn(member.email, { totpCode: world.code(member.secret, 1) })).status).toBe(200);
  });

  it('makes the browser a known device, which strangers cannot lock out', async () => {
    const far = await startWorld({ TRUST_PROXY: '1' });
    const { email } = await far.user(await far.database.tenant());
    const from = (ip: string) => ({ 'X-Forwarded-For': ip });
    const browser = new Browser(far);
    await browser.signIn(email, {}, from('198.51.100.1'));
    const device = browser.cookies.get('__Host-device');
    for (let i = 0; i < 5; i++) await new Browser(far).signIn(email, { password: 'wrong' }, from(`203.0.113.${i}`));
    expect(verdict(await new Browser(far).signIn(email, {}, from('203.0.113.9')))).toEqual([423, 'account_locked']);
    expect((await browser.signIn(email, {}, from('203.0.113.10'))).status).toBe(200);
    expect(browser.cookies.get('__Host-device')).toBe(device);
    await far.stop();
  });

  it('prefers a device that is named in the body to the cookie', async () => {
    const { email } = await world.user(tenantId);
    const [one, other] = [new Browser(world), new Browser(world)];
    await one.signIn(email);
    await other.signIn(email);
    const deviceToken = one.cookies.get('__Host-device') ?? '';
    expect(cookieIn(await other.signIn(email, { deviceToken }), '__Host-device')).toBe(deviceToken);
  });
});

describe('a reload of the page', () => {
  it('continues with the same session, person and proof, and another cookie', async () => {
    const { browser, session } = await signedIn();
    const cookie = browser.cookies.get('__Host-session');
    const renewed = await browser.renew();
    expect(renewed.body).toEqual({ ...session, accessToken: expect.any(String) as string });
    expect(renewed.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-session=rtb_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=1209600$/,
      ),
    ]);
    expect(browser.cookies.get('__Host-session')).not.toBe(cookie);
    expect(renewed.headers.get('cache-control')).toBe('no-store');
    const sessions = await Promise.all(
      [session, renewed.body].map(({ accessToken }) => world.api.GET('/v1/auth/me', { headers: bearer(accessToken) })),
    );
    expect(new Set(sessions.map(({ data }) => data?.session.id)).size).toBe(1);
  });

  it('works long after the access token has expired', async () => {
    const { browser, session } = await signedIn();
    world.advance(13 * 86_400_000);
    expect(await me(session.accessToken)).toEqual([401, 'token_expired']);
    expect(await me((await browser.renew()).body.accessToken)).toEqual([200, undefined]);
  });

  it('requires a sign-in after fourteen days without use, and clears the cookie', async () => {
    const { browser } = await signedIn();
    world.advance(14 * 86_400_000);
    const answer = await browser.renew();
    expect(verdict(answer)).toEqual([401, 'refresh_token_expired']);
    expect(answer.headers.getSetCookie()).toEqual(CLEARED);
    expect(browser.cookies.has('__Host-session')).toBe(false);
  });

  it('never extends the session beyond thirty days', async () => {
    const { browser } = await signedIn();
    const ages: string[] = [];
    for (let i = 0; i < 3; i++) {
      world.advance(9 * 86_400_000);
      ages.push((await browser.renew()).headers.getSetCookie()[0]?.split('Max-Age=')[1] ?? '');
    }
    expect(ages.map((age) => Math.round(Number(age) / 86_400))).toEqual([14, 12, 3]);
  });

  it('is refused while the tenant is suspended, and works again afterwards', async () => {
    const tenant = await world.database.tenant();
    const { browser, email } = await signedIn(tenant);
    await world.database.sql(`UPDATE tenant SET status = 'suspended' WHERE id = $1`, [tenant]);
    expect(verdict(await browser.renew())).toEqual([403, 'tenant_suspended']);
    expect(verdict(await new Browser(world).signIn(email))).toEqual([403, 'tenant_suspended']);
    await world.database.sql(`UPDATE tenant SET status = 'active' WHERE id = $1`, [tenant]);
    expect((await browser.renew()).status).toBe(200);
  });

  it('is refused if the person may not act any more', async () => {
    const { browser, id } = await signedIn();
    await world.database.sql(`UPDATE membership SET status = 'deactivated' WHERE user_id = $1`, [id]);
    const answer = await browser.renew();
    expect(verdict(answer)).toEqual([401, 'refresh_token_invalid']);
    expect(answer.headers.getSetCookie()).toEqual(CLEARED);
  });
});

describe('two tabs', () => {
  /** Sends `count` requests with the cookie that the browser has now. */
  const renewAtOnce = (browser: Browser, count: number) =>
    Promise.all(Array.from({ length: count }, () => browser.renew()));

  it('may renew at once: both continue, with one session and one cookie', async () => {
    const { browser } = await signedIn();
    const answers = await renewAtOnce(browser, 2);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map((answer) => cookieIn(answer))).size).toBe(1);
    expect((await browser.renew()).status).toBe(200);
  });

  it('may be twenty', async () => {
    const { browser } = await signedIn();
    const answers = await renewAtOnce(browser, 20);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map((answer) => cookieIn(answer))).size).toBe(1);
  });

  it('may overtake each other: a late request gets the newest cookie, and nobody is signed out', async () => {
    const { browser, session } = await signedIn();
    const late = new Browser(world);
    late.proof = session.csrfToken;
    late.cookies.set('__Host-session', browser.cookies.get('__Host-session') ?? '');
    for (let i = 0; i < 3; i++) await browser.renew();
    world.advance(9_000);
    expect((await late.renew()).status).toBe(200);
    expect(late.cookies.get('__Host-session')).toBe(browser.cookies.get('__Host-session'));
    world.advance(60_000);
    expect((await browser.renew()).status).toBe(200);
  });

  it('share the sign-out', async () => {
    const { browser, session } = await signedIn();
    const other = (await browser.renew()).body;
    expect((await browser.close()).status).toBe(204);
    expect(await Promise.all([me(session.accessToken), me(other.accessToken)])).toEqual([
      [401, 'token_revoked'],
      [401, 'token_revoked'],
    ]);
    expect(verdict(await browser.renew())).toEqual([401, 'refresh_token_invalid']);
  });
});
