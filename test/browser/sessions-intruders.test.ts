/** Browser tests of attempts to use another person's session. */
import { describe, expect, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { baseUrl } from './support/service.ts';
import { signedIn, signIn } from './support/sign-in.ts';

const visit = useChromium();

describe('an intruder', () => {
  it('with the cookie but not the proof has to sign in', async () => {
    const { page } = await visit('/account');
    await signIn(page);
    await signedIn(page);
    const { page: thief, expectedConsoleErrors } = await visit('/sign-in');
    expectedConsoleErrors.add(403);
    await thief.context().addCookies(await page.context().cookies());
    await thief.goto('/account');
    await thief.getByRole('button', { name: 'Sign in' }).waitFor();
    const statuses = await thief.evaluate(() =>
      Promise.all(
        ['', 'csrf_', 'x'].map(
          async (proof) =>
            (await fetch('/v1/auth/browser-session/renew', { method: 'POST', headers: { 'X-CSRF-Token': proof } }))
              .status,
        ),
      ),
    );
    expect(statuses).toEqual([403, 403, 403]);
    await page.reload();
    await signedIn(page);
  });

  it('on a page of another site sends no cookie and has no effect', async () => {
    const { page } = await visit('/account');
    await signIn(page);
    await signedIn(page);
    const attack = await page.context().newPage();
    // The same machine under another name is another site.
    const foreign = new URL(baseUrl);
    foreign.hostname = foreign.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
    await attack.route(`${foreign.origin}/attack`, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<form method="post"></form>' }),
    );
    await attack.goto(`${foreign.origin}/attack`);
    const cookies: Promise<string | undefined>[] = [];
    attack.on('request', (request) => {
      if (request.url().startsWith(baseUrl)) cookies.push(request.allHeaders().then((headers) => headers['cookie']));
    });
    const target = new URL('/v1/auth/browser-session/renew', baseUrl).href;
    const read = await attack.evaluate(
      (url) =>
        Promise.all(
          (['cors', 'no-cors'] as const).map((mode) =>
            fetch(url, { method: 'POST', credentials: 'include', mode }).then(
              () => 'an answer',
              () => 'nothing',
            ),
          ),
        ),
      target,
    );
    expect(read).toEqual(['nothing', 'nothing']);
    const answered = attack.waitForResponse(target);
    await attack.evaluate((action) => {
      const form = document.forms[0]!;
      form.action = action;
      form.submit();
    }, target);
    expect((await answered).status()).toBe(403);
    expect(await Promise.all(cookies)).toEqual([undefined, undefined, undefined]);
    await page.reload();
    await signedIn(page);
  });
});
