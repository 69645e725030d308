import { describe, it } from 'vitest';
import { useChromium } from './support/chromium.ts';
import { shown } from './support/shown.ts';
import { signedIn, signIn } from './support/sign-in.ts';

const visit = useChromium();

describe('while the service is away', () => {
  it('a session waits after a reload, and continues by itself', async () => {
    const { page, expected } = await visit('/account');
    expected.add('ERR_FAILED');
    await signIn(page);
    await signedIn(page);
    const renewals = /\/v1\/auth\/browser-session\/renew|\/readyz/;
    await page.route(renewals, (route) => route.abort());
    await page.reload();
    await shown(page.getByText('The service does not answer.'));
    await page.unroute(renewals);
    await signedIn(page);
  });

  it('a page that is opened for the first time waits, and appears by itself', async () => {
    const { page, expected } = await visit('/account');
    expected.add('ERR_FAILED');
    await signIn(page);
    await signedIn(page);
    const everything = /\/(?:dashboard|v1)\/|\/readyz/;
    await page.route(everything, (route) => route.abort());
    await page.getByRole('link', { name: 'Applications' }).click();
    await shown(page.getByText('The service does not answer.'));
    await page.unroute(everything);
    await shown(page.getByRole('heading', { name: 'Applications', level: 1 }));
  });
});
