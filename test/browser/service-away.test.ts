/** Tests of the dashboard while its requests fail: it waits for the service and needs no reload. */
import { describe, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { shown } from './support/shown.ts';
import { signedIn, signIn } from './support/sign-in.ts';

const visit = useChromium();

describe('while the service does not answer', () => {
  it('a reloaded page says so, and shows the session when the service answers again', async () => {
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add('ERR_FAILED');
    await signIn(page);
    await signedIn(page);
    const renewals = /\/v1\/auth\/browser-session\/renew|\/readyz/;
    await page.route(renewals, (route) => route.abort());
    await page.reload();
    await shown(page.getByText('The service is not responding.'));
    await page.unroute(renewals);
    await signedIn(page);
  });

  it('a page whose code was not loaded yet says so, and appears when the service answers again', async () => {
    const { page, expectedConsoleErrors } = await visit('/account');
    expectedConsoleErrors.add('ERR_FAILED');
    await signIn(page);
    await signedIn(page);
    const everything = /\/(?:dashboard|v1)\/|\/readyz/;
    await page.route(everything, (route) => route.abort());
    await page.getByRole('link', { name: 'Applications' }).click();
    await shown(page.getByText('The service is not responding.'));
    await page.unroute(everything);
    await shown(page.getByRole('heading', { name: 'Applications', level: 1 }));
  });
});
