/** Browser tests of the form of a new application. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { application, enter, newName } from './support/applications.ts';
import { newCpf } from '../support/cpf.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();
/** Time limit for a busy machine. */

/** Presses the Tab key until the control with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const focused = document.activeElement;
      const label =
        focused instanceof HTMLInputElement || focused instanceof HTMLSelectElement
          ? focused.labels?.[0]?.textContent
          : focused?.textContent;
      return label ?? '';
    });
    if (name.test(at)) return;
  }
  throw new Error(`the Tab key never came to ${name.source}`);
}

describe('a new application', () => {
  it('is created and submitted with the keyboard alone, and the message leads to it', async () => {
    const name = newName();
    const { page } = await visit('/applications', { as: demo });
    await enter(page);
    await tabTo(page, /^New application$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New application' }).waitFor();
    await tabTo(page, /^Purpose/);
    await page.keyboard.type('Account opening');
    await tabTo(page, /^Full name/);
    await page.keyboard.type(name);
    await tabTo(page, /^Date of birth/);
    await page.keyboard.type('12041990');
    await tabTo(page, /^Tax number/);
    await page.keyboard.type(newCpf());
    await tabTo(page, /^Create and submit$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('Submitted and being reviewed.').waitFor();
    const toast = page.locator('.toast').filter({ hasText: 'The application is submitted.' });
    expect(await toast.getByRole('link', { name: 'Open it' }).getAttribute('href')).toBe(new URL(page.url()).pathname);
  });

  it('needs a name and a purpose, and says so beside the fields', async () => {
    const { page } = await visit('/applications/new', { as: demo });
    await enter(page);
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByText('Enter the full name.').waitFor();
    await page.getByText('Choose a purpose.').waitFor();
    expect(await page.getByText(/too short|the body/i).count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('has its buttons in sight on a phone, none of them cut off', async () => {
    const { page } = await visit('/applications/new', { ...PHONE, as: demo });
    await enter(page);
    const box = await page.getByRole('button', { name: 'Create and submit' }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(PHONE.viewport.height);
  });

  it('is saved as a draft with a name and a purpose', async () => {
    const name = newName();
    const { page } = await visit('/applications/new', { as: demo });
    await enter(page);
    await page.getByLabel('Purpose').selectOption('Periodic review');
    await page.getByLabel('Full name').fill(name);
    await page.keyboard.press('Enter');
    await shown(page.getByRole('heading', { name, level: 1 }));
    await shown(page.getByText('Not submitted yet.'));
    await shown(page.locator('.toast').getByText('The draft is saved.'));
  });

  it('that is submitted too early names the requirements of its level beside each field, and of documents in their section', async () => {
    const { page, expectedConsoleErrors } = await visit('/applications/new', { as: demo });
    expectedConsoleErrors.add(422);
    await enter(page);
    await page.getByLabel('Purpose').selectOption('Account opening');
    await page.getByRole('radio', { name: /^Standard/ }).check();
    await page.getByLabel('Full name').fill(newName());
    await page.getByRole('button', { name: 'Create and submit' }).click();
    await expect.poll(() => page.getByText('This level needs it.').count()).toBe(3);
    for (const label of [/^Date of birth/, /^Tax number/, /^Street/])
      expect(await page.getByLabel(label).getAttribute('aria-invalid')).toBe('true');
    await page.getByText('This level needs a document: Identity card').waitFor();
  });

  it('with a reference in use leads to the application that has it', async () => {
    const externalId = `cust-${newCpf()}`;
    const other = await application({ externalId });
    const { page, expectedConsoleErrors } = await visit('/applications/new', { as: demo });
    expectedConsoleErrors.add(409);
    await enter(page);
    await page.getByLabel('Purpose').selectOption('Other');
    await page.getByLabel('External ID').fill(externalId);
    await page.getByLabel('Full name').fill(newName());
    await page.getByRole('button', { name: 'Save as draft' }).click();
    await page.getByRole('link', { name: 'Open the other application' }).click();
    await shown(page.getByRole('heading', { name: other.applicant.fullName, level: 1 }));
  });
});

examineStates(visit, [
  {
    name: 'the form of a new application',
    path: '/applications/new',
    as: () => demo,
    refusals: [422],
    reach: async (page) => {
      await enter(page);
      await page.getByLabel('Purpose').selectOption('Account opening');
      await page.getByRole('radio', { name: /^Enhanced/ }).check();
      await page.getByLabel('Full name').fill(newName());
      await page.getByLabel('Politically exposed person').selectOption('Yes');
      await page.getByRole('button', { name: 'Create and submit' }).click();
      await page.getByText('This level needs it.').first().waitFor();
    },
  },
]);
