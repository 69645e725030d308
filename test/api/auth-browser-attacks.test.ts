import { describe, expect, it } from 'vitest';
import { everyOperation } from '../support/contract.ts';
import { each } from '../support/each.ts';
import { rawRequest } from '../support/raw.ts';
import { shared, startTestService } from '../support/service.ts';
import { bearer, PASSWORD, startWorld } from './auth-world.ts';
import { Browser, cookieIn, type Fields, RENEW, SESSION, type Session, verdict } from './browser-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

async function signedIn(tenant = tenantId): Promise<{
  browser: Browser;
  session: Session;
  email: string;
  id: string;
  cookie: string;
}> {
  const { email, id } = await world.user(tenant);
  const browser = new Browser(world);
  const answer = await browser.signIn(email);
  return {
    browser,
    session: answer.body,
    email,
    id,
    cookie: cookieIn(answer) ?? '',
  };
}

/** Returns a browser of a thief who has obtained a cookie. */
function thief(cookie: string, proof = ''): Browser {
  const browser = new Browser(world);
  browser.cookies.set('__Host-session', cookie);
  browser.proof = proof;
  return browser;
}

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

describe('the two kinds of refresh token', () => {
  it('do not stand in for each other', async () => {
    const { browser, session, email, cookie } = await signedIn();
    const program = await world.signIn(email);
    expect(verdict(await world.call('POST', '/v1/auth/refresh', { json: { refreshToken: cookie } }))).toEqual([
      401,
      'refresh_token_invalid',
    ]);
    expect(verdict(await thief(program.refreshToken, session.csrfToken).renew())).toEqual([
      401,
      'refresh_token_invalid',
    ]);
    const [asProgram, asBrowser] = [cookie.replace(/^rtb_/, 'rt_'), program.refreshToken.replace(/^rt_/, 'rtb_')];
    expect(verdict(await world.call('POST', '/v1/auth/refresh', { json: { refreshToken: asProgram } }))).toEqual([
      401,
      'refresh_token_invalid',
    ]);
    expect(verdict(await thief(asBrowser, session.csrfToken).renew())).toEqual([401, 'refresh_token_invalid']);
    expect((await browser.renew()).status).toBe(200);
    expect(
      (await world.call('POST', '/v1/auth/refresh', { json: { refreshToken: program.refreshToken } })).status,
    ).toBe(200);
  });

  it('are stored in no readable form', async () => {
    const { browser, session, cookie } = await signedIn();
    const second = cookieIn(await browser.renew()) ?? '';
    const [row] = await world.database.sql<{ text: string }>(
      `SELECT coalesce(string_agg(r::text, ' '), '') || (SELECT coalesce(string_agg(s::text, ' '), '')
        FROM session s) AS text FROM refresh_token r`,
    );
    for (const secret of [cookie, second, session.csrfToken]) {
      const body = secret.slice(secret.indexOf('_') + 1);
      for (const form of [body, Buffer.from(secret).toString('hex'), Buffer.from(body, 'base64url').toString('hex')])
        expect(row?.text).not.toContain(form);
    }
  });
});

describe('a cookie that is no good', () => {
  it.each([
    ['none', []],
    ['an empty one', ['__Host-session=']],
    ['no value', ['__Host-session']],
    ['a short one', ['__Host-session=rtb_']],
    ['an unknown one', [`__Host-session=rtb_${'A'.repeat(43)}`]],
    ['a long one', [`__Host-session=rtb_${'A'.repeat(8000)}`]],
    ['bytes', ['__Host-session=rtb_\xff\xfe\x80']],
    ['percent signs', [`__Host-session=rtb_${'%41'.repeat(43)}`]],
    ['quotation marks', [`__Host-session="rtb_${'A'.repeat(43)}"`]],
    ['another name', [`__host-session=rtb_${'A'.repeat(43)}`]],
    ['separators', [`${';'.repeat(4000)}=;=`]],
    ['hundreds of others', [Array.from({ length: 700 }, (_, i) => `c${i}=v`).join('; ')]],
  ] as const)('is answered like a missing one, and cleared: %s', async (_, cookies) => {
    const lines = [...cookies.map((cookie) => `Cookie: ${cookie}`), 'X-CSRF-Token: csrf_x'];
    const renewed = await rawRequest(world.service.url, 'POST', RENEW, { headers: [...lines, 'Content-Length: 0'] });
    expect([renewed.status, renewed.body['code'], cookieIn(renewed)]).toEqual([401, 'refresh_token_invalid', '']);
    const closed = await rawRequest(world.service.url, 'DELETE', SESSION, { headers: lines });
    expect([closed.status, cookieIn(closed)]).toEqual([204, '']);
  });

  it('is refused if it occurs twice, in one field or in two: a browser has one of this name', async () => {
    const { browser, session, cookie } = await signedIn();
    const other = await signedIn();
    const proof = `X-CSRF-Token: ${session.csrfToken}`;
    const [mine, theirs] = [`__Host-session=${cookie}`, `__Host-session=${other.cookie}`];
    for (const lines of [
      [`Cookie: ${mine}; ${theirs}`],
      [`Cookie: ${theirs}; ${mine}`],
      [`Cookie: ${mine}`, `Cookie: ${theirs}`],
      [`Cookie: ${mine}; ${mine}`],
    ]) {
      expect(
        await rawRequest(world.service.url, 'POST', RENEW, { headers: [...lines, proof, 'Content-Length: 0'] }),
      ).toMatchObject({
        status: 401,
        body: { code: 'refresh_token_invalid' },
      });
    }
    expect((await browser.renew()).status).toBe(200);
  });

  it('is found among others', async () => {
    const { browser, cookie } = await signedIn();
    expect((await browser.renew({ Cookie: `theme=dark;__Host-session=${cookie}; x__Host-session=1; a` })).status).toBe(
      200,
    );
  });

  it('is ignored if it names an unknown device, and the sign-in continues without', async () => {
    const { email } = await world.user(tenantId);
    for (const device of ['', 'garbage', 'dt_', '%00', 'x'.repeat(4000)]) {
      const answer = await new Browser(world).signIn(email, {}, { Cookie: `__Host-device=${device}` });
      expect([answer.status, cookieIn(answer, '__Host-device')]).toEqual([
        200,
        expect.stringMatching(/^dt_[\w-]{43}$/),
      ]);
    }
  });
});

it('a proof that no session can have is named as a wrong header', async () => {
  const { browser } = await signedIn();
  expect(verdict(await browser.renew({ 'X-CSRF-Token': 'x'.repeat(129) }))).toEqual([400, 'invalid_parameter']);
  expect((await browser.renew()).status).toBe(200);
});

describe('the cookies', () => {
  it('authorize no other operation, and no other operation sets or clears one', async () => {
    const { browser, session } = await signedIn();
    const others = everyOperation.filter(
      ({ browser: isForBrowsers, security }) => !isForBrowsers && security.length > 0,
    );
    for (const { method, path, operationId } of each(others)) {
      const answer = await browser.send(
        method.toUpperCase(),
        path.replaceAll(/\{\w+\}/g, '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01'),
        { 'X-CSRF-Token': session.csrfToken },
      );
      expect([operationId, ...verdict(answer), answer.headers.getSetCookie()]).toEqual([
        operationId,
        401,
        'authentication_required',
        [],
      ]);
    }
  });

  it('are ignored by the sign-in of programs', async () => {
    const { browser, email } = await signedIn();
    const answer = await browser.send<{ deviceToken: string }>(
      'POST',
      '/v1/auth/login',
      {},
      { email, password: PASSWORD },
    );
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.body.deviceToken).not.toBe(browser.cookies.get('__Host-device'));
  });
});

it('nothing of a browser session gets into the log, whatever happens to it', async () => {
  const lines: string[] = [];
  const service = await startTestService({ env: { LOG_LEVEL: 'trace' }, log: (line) => lines.push(line) });
  const { email } = await service.acme.person('owner');
  const opened = await service.request<Session>('POST', SESSION, { body: { email, password: PASSWORD } });
  const [cookie, device] = [cookieIn(opened) ?? '', cookieIn(opened, '__Host-device') ?? ''];
  const headers = {
    'Cookie': `__Host-session=${cookie}; __Host-device=${device}`,
    'X-CSRF-Token': opened.body.csrfToken,
  };
  const renewed = await service.request<Session>('POST', RENEW, { headers });
  await service.request('POST', RENEW, { headers: { ...headers, 'X-CSRF-Token': 'csrf_wrong' } });
  await service.request('POST', RENEW, { headers: { ...headers, Origin: 'https://attacker.example' } });
  service.advance(20_000);
  await service.request('POST', RENEW, { headers });
  await service.request('DELETE', SESSION, { headers });
  await service.stop();
  expect(lines.length).toBeGreaterThanOrEqual(6);
  for (const secret of [cookie, device, opened.body.csrfToken, cookieIn(renewed) ?? '', opened.body.accessToken])
    expect(lines.join('')).not.toContain(secret);
});
