/** Browser tests of searching, counting and exporting funds recoveries. */
import { readFile } from 'node:fs/promises';
import { beforeEach, expect, it } from 'vitest';
import { callWith } from './support/call.ts';
import { useChromium } from './support/chromium.ts';
import { opened, play, status } from './support/recoveries.ts';
import { baseUrl, demo } from './support/service.ts';
import { shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

beforeEach(async () => {
  expect(await callWith(demo.apiKey, '/v1/sandbox/data', { method: 'DELETE' })).toBe(200);
  expect(await callWith(demo.apiKey, '/v1/sandbox/enable', { method: 'POST' })).toBe(200);
});

it('finds a recovery by a payment and by its counterparty, and rejects what cannot be one', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'At once');
  await status(page.getByRole('article'), 'Completed');
  const [{ rootTransactionId }] = await recoveries();
  await page.getByLabel('Payment').fill('E4051');
  await page.getByText('An end-to-end id is E or D and 31 letters and digits.').waitFor();
  expect(await page.getByLabel('Payment').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Payment').fill(rootTransactionId);
  await expect.poll(() => new URL(page.url()).searchParams.get('payment')).toBe(rootTransactionId);
  await page.getByRole('article').waitFor();
  expect(await page.getByText('An end-to-end id is').count()).toBe(0);
  await page.getByLabel('Counterparty').fill('11111111');
  await page.getByText('Nothing fits').waitFor();
  await page.reload();
  await page.getByText('Nothing fits').waitFor();
  expect(await page.getByLabel('Counterparty').inputValue()).toBe('11111111');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('article').waitFor();
});

it('finds a recovery by the tax number of the refunded account, for users who see such numbers', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'At once');
  await status(page.getByRole('article'), 'Completed');
  const [{ id }] = await recoveries();
  const { items } = await bodyOf<{ items: { refundAccount: { taxId: string } }[] }>(`/${id}/refunds`);
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Tax number of the account refunded').fill('52998224725');
  await shown(page.getByText('Nothing fits'));
  await page.getByLabel('Tax number of the account refunded').fill(items[0]!.refundAccount.taxId);
  await shown(page.getByRole('article'));
});

it('counts and adds up the filtered recoveries, in both languages', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'At once');
  await status(page.getByRole('article'), 'Completed');
  const numbers = page.getByRole('region', { name: 'In numbers' });
  await expect.poll(() => numbers.locator('dd').allTextContents()).toEqual(['1', 'R$0.00', 'R$812.40', 'R$812.40']);
  await numbers.locator('summary').getByText('By month, part and status').click();
  expect(await numbers.getByRole('table').getByRole('row').count()).toBe(2);
  await numbers.getByRole('table').getByText('Completed').waitFor();
  await page.getByLabel('Status').selectOption('Under way');
  await expect.poll(() => numbers.locator('dd').first().textContent()).toBe('0');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('button', { name: /^Your menu/ }).click();
  await page.getByRole('menuitemradio', { name: 'Português' }).click();
  await page
    .getByRole('region', { name: 'Em números' })
    .locator('summary')
    .getByText('Por mês, parte e situação')
    .waitFor();
  await page.getByRole('button', { name: 'Exportar em CSV' }).waitFor();
  await page.getByLabel('Contraparte').waitFor();
});

it('exports the filtered recoveries as a file', async () => {
  const { page } = await visit('/funds-recovery');
  await opened(page);
  await play(page, 'At once');
  await status(page.getByRole('article'), 'Completed');
  const [{ id }] = await recoveries();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^funds-recoveries-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(
    text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[0]),
  ).toEqual([id]);
});

examineStates(visit, [
  {
    name: 'counts and sums, with all filters',
    path: '/funds-recovery',
    reach: async (page) => {
      await opened(page);
      await play(page, 'At once');
      await status(page.getByRole('article'), 'Completed');
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.locator('summary').getByText('By month, part and status').click();
      await page.getByLabel('Payment').fill('E4051');
      await page.getByText('An end-to-end id is').waitFor();
    },
  },
]);

/** Returns a body as the tenant's own client reads it. */
async function bodyOf<T>(path = ''): Promise<T> {
  const authorization = `Basic ${Buffer.from(`${demo.clientId}:${demo.clientSecret}`).toString('base64')}`;
  const granted = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  return (
    await fetch(`${baseUrl}/api/v1/funds-recovery${path}`, { headers: { authorization: `Bearer ${token}` } })
  ).json() as Promise<T>;
}

/** Returns the recovery that was played. */
async function recoveries(): Promise<[{ id: string; rootTransactionId: string }]> {
  return (await bodyOf<{ items: [{ id: string; rootTransactionId: string }] }>()).items;
}
