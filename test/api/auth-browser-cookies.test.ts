/**
 * API tests of the cookies of browser sessions: which are accepted, and that tokens of programs do not stand in for
 * them.
 */
import { describe, expect, it } from 'vitest';
import { everyOperation } from '../support/contract.ts';
import { each } from '../support/each.ts';
import { rawRequest } from '../support/raw.ts';
import { shared, startTestService } from '../support/service.ts';
import { PASSWORD, startWorld } from './auth-world.ts';
import { Browser, cookieIn, openSession, thiefOf, RENEW, SESSION, type Session, verdict } from './browser-world.ts';

const world = await shared(startWorld());
const tenantId = await world.database.tenant();

const signedIn = (tenant = tenantId) => openSession(world, tenant);
const thief = (cookie: string, proof = '') => thiefOf(world, cookie, proof);

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
    for (const { method, path, operationId, sealed } of each(others)) {
      const answer = await browser.send(
        method.toUpperCase(),
        path.replaceAll(/\{\w+\}/g, '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01'),
        { 'X-CSRF-Token': session.csrfToken },
      );
      // A sealed operation does not exist for who presents no valid credential.
      const refusal = sealed.length > 0 ? [404, 'not_found'] : [401, 'authentication_required'];
      expect([operationId, ...verdict(answer), answer.headers.getSetCookie()]).toEqual([operationId, ...refusal, []]);
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
