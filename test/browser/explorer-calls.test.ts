/** Browser tests of calls in the API explorer. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findingsInBothColours, scrollsSideways } from './support/axe.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { baseUrl, demo } from './support/service.ts';
import { LIST, openCall, send, sendButton } from './support/explorer-page.ts';

const visit = useChromium();
/** Default options of `visit`. */
const DESKTOP = {} as const;
const NARROW = { ...PHONE, viewport: { width: 390, height: 844 } } as const;
let applicationId: string;

beforeAll(async () => {
  const created = await fetch(`${baseUrl}/v1/applications`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': demo.apiKey },
    body: JSON.stringify({ purpose: 'account_opening', applicant: { fullName: 'Rosa Prado' } }),
  });
  ({ id: applicationId } = (await created.json()) as { id: string });
});

describe('a call in the explorer', () => {
  it.each([
    ['a desktop', DESKTOP],
    ['a phone', NARROW],
  ] as const)(
    'fits the screen of %s with everything that it needs, in light and in dark colours, and says what to do',
    async (_, options) => {
      const { page, expectedConsoleErrors } = await visit.kept(`/explorer#tag/applications/${LIST}`, options);
      expectedConsoleErrors.add(401);
      await openCall(page, LIST);
      await page.getByText('No answer yet').waitFor();
      const box = await sendButton(page).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
      expect(
        await sendButton(page).evaluate((button) => {
          const { x, y, width, height } = button.getBoundingClientRect();
          return [x + 4, x + width - 4].every((at) => button.contains(document.elementFromPoint(at, y + height / 2)));
        }),
      ).toBe(true);
      expect(await scrollsSideways(page)).toBe(false);
      expect(await findingsInBothColours(page)).toEqual([]);
      await send(page, LIST);
      await refused(page);
      await closeCall(page);
    },
  );

  it.each([
    ['List applications', 'applications', LIST],
    ['Search the audit log', 'audit', 'GET/v1/audit/events'],
    ['List users', 'users', 'GET/v1/users'],
  ])('starts with no optional parameter: %s', async (_, tag, operation) => {
    const { page, expectedConsoleErrors } = await visit.kept(`/explorer#tag/${tag}/${operation}`);
    expectedConsoleErrors.add(401);
    await openCall(page, operation);
    const request = await send(page, operation);
    expect(new URL(request.url()).search).toBe('');
    const ticked = await page
      .locator('input[aria-label^="Include "]:checked')
      .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')));
    expect(ticked).toEqual(['Include accept in request']);
    await refused(page);
    await closeCall(page);
  });

  it('includes a parameter as soon as it has a value', async () => {
    const { page, expectedConsoleErrors } = await visit(`/explorer#tag/applications/${LIST}`);
    expectedConsoleErrors.add(401);
    await openCall(page, LIST);
    await row(page, 'level').getByRole('button', { name: 'Select a value' }).click();
    await page.getByRole('menuitem', { name: 'standard' }).click();
    await row(page, 'externalId').getByLabel('Value').last().fill('cust-1');
    const { searchParams } = new URL((await send(page, LIST)).url());
    expect(Object.fromEntries(searchParams)).toEqual({ level: 'standard', externalId: 'cust-1' });
  });

  it('sends every field of a form that looks filled, and the chosen file', async () => {
    const operation = 'POST/v1/applications/{applicationId}/documents';
    const { page } = await visit(`/explorer#tag/applications/${operation}`);
    await openCall(page, operation);
    await page.getByLabel('Value').first().fill(demo.apiKey);
    await row(page, 'applicationId').getByLabel('Value').last().fill(applicationId);
    const picture = await page.screenshot();
    const choosing = page.waitForEvent('filechooser');
    await row(page, 'file').getByRole('button', { name: 'Select File' }).click();
    await (await choosing).setFiles({ name: 'passport.png', mimeType: 'image/png', buffer: picture });
    await page.getByText('passport.png').first().waitFor();
    const request = await send(page, 'POST/v1/applications');
    const answer = await request.response();
    expect(answer?.status()).toBe(201);
    expect(await answer?.json()).toMatchObject({
      type: 'passport',
      side: 'single',
      country: 'BR',
      expiresOn: '2031-05-01',
      fileName: 'passport.png',
    });
  });
});

/** Resolves when the answer is shown, because until then the console may still report it. */
async function refused(page: Page): Promise<void> {
  await page.getByText('api_key_invalid').filter({ visible: true }).first().waitFor();
}

async function closeCall(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await sendButton(page).waitFor({ state: 'hidden' });
}

function row(page: Page, name: string) {
  return page.locator(`tr:has(> td > input[aria-label="Include ${name} in request"])`);
}
