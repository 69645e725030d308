/** Browser tests of the list of applications, also on a phone. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { application, enter, newName } from './support/applications.ts';
import { newCpf } from '../support/cpf.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { person } from './support/people.ts';
import { shown } from './support/shown.ts';
import { signInInPortuguese } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();

function rows(page: Page) {
  return page.getByRole('table', { name: 'Applications' }).locator('tbody tr');
}

function searchOf(page: Page): Record<string, string> {
  return Object.fromEntries(new URL(page.url()).searchParams);
}

describe('the list of applications', () => {
  it('is the first page after the sign-in, and each row leads to its application', async () => {
    const {
      applicant: { fullName },
    } = await application();
    const { page } = await visit('/sign-in');
    await enter(page);
    await shown(page.getByRole('heading', { name: 'Applications', level: 1 }));
    await page.getByRole('link', { name: fullName }).click();
    await shown(page.getByRole('heading', { name: fullName, level: 1 }));
    await page.goBack();
    await shown(page.getByRole('link', { name: fullName }));
  });

  it('is narrowed by filters that are in the address and survive a reload', async () => {
    const externalId = `cust-${randomUUID().slice(0, 8)}`;
    const {
      applicant: { fullName },
    } = await application({ externalId, level: 'standard' });
    const { page } = await visit('/applications', { as: demo });
    await enter(page);
    await page.getByLabel('External ID').fill(externalId);
    await page.getByRole('button', { name: 'Draft', exact: true }).click();
    await page.getByLabel('Level').selectOption('Standard');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByText('1 in all').waitFor();
    await expect.poll(() => searchOf(page)).toEqual({ externalId, status: '["draft"]', level: 'standard' });
    await page.reload();
    await page.getByRole('link', { name: fullName }).waitFor();
    expect(await page.getByLabel('External ID').inputValue()).toBe(externalId);
    expect(await page.getByRole('button', { name: 'Draft', exact: true }).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Approved', exact: true }).click();
    await page.getByRole('button', { name: 'Draft', exact: true }).click();
    await page.getByText('No application matches the filters').waitFor();
    await page.getByRole('search').getByRole('button', { name: 'Clear the filters' }).click();
    await expect.poll(() => searchOf(page)).toEqual({});
    await page.getByRole('link', { name: fullName }).waitFor();
  });

  it('is narrowed by days of creation, the last day included, and by the environment', async () => {
    const {
      applicant: { fullName },
      createdAt,
    } = await application();
    const { page } = await visit(
      `/applications?from=${createdAt.slice(0, 10)}&to=${createdAt.slice(0, 10)}&environment=live`,
      { timezoneId: 'UTC', as: demo },
    );
    await enter(page);
    await shown(page.getByRole('link', { name: fullName }));
    await page.getByLabel('Created until').fill('2001-01-01');
    await shown(page.getByText('No application matches the filters'));
    await page.getByRole('button', { name: 'Clear the filters' }).last().click();
    await shown(page.getByRole('link', { name: fullName }));
  });

  it('accepts from an address only valid filters', async () => {
    const { page } = await visit('/applications?status=%5B%22draft%22%2C%22nonsense%22%5D&level=9&from=soon&sort=up', {
      as: demo,
    });
    await enter(page);
    await expect
      .poll(() => page.getByRole('button', { name: 'Draft', exact: true }).getAttribute('aria-pressed'))
      .toBe('true');
    expect(await page.getByLabel('Level').inputValue()).toBe('');
  });

  it('is shown at an address with an unknown member, which leaves the address', async () => {
    const {
      applicant: { fullName },
    } = await application();
    const { page } = await visit('/applications?source=mail&level=basic', { as: demo });
    await enter(page);
    await page.getByRole('link', { name: fullName }).waitFor();
    expect(searchOf(page)).toEqual({ level: 'basic' });
  });

  it('breaks no word of a column in two', async () => {
    const {
      applicant: { fullName },
    } = await application({ level: 'enhanced' });
    const { page } = await visit('/applications', { as: demo });
    await enter(page);
    await page.getByRole('link', { name: fullName }).waitFor();
    const lines = await page
      .getByRole('cell', { name: 'Enhanced' })
      .first()
      .evaluate((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        return text.getClientRects().length;
      });
    expect(lines).toBe(1);
  });

  it('finds a person by the tax number, typed with punctuation', async () => {
    const cpf = newCpf();
    const {
      applicant: { fullName },
    } = await application({}, { taxId: { type: 'cpf', value: cpf } });
    const { page } = await visit('/applications', { as: demo });
    await enter(page);
    await page.getByLabel('Tax number').fill(cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4'));
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('link', { name: fullName }).waitFor();
  });

  it('shows masked names to a viewer, says so, and offers neither the tax number nor a new application', async () => {
    const {
      applicant: { fullName },
    } = await application();
    const { page } = await visit('/applications');
    await enter(page, await person('viewer'));
    await page.getByText('Your role sees personal data masked.').waitFor();
    expect(await page.getByText(fullName).count()).toBe(0);
    expect(await page.getByLabel('Tax number').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'New application' }).count()).toBe(0);
  });

  it('stores filters by name on this machine, without a tax number, and restores them', async () => {
    await application({ level: 'enhanced' });
    const { page } = await visit('/applications');
    await enter(page, await person('analyst'));
    await page.getByLabel('Level').selectOption('Enhanced');
    await page.getByRole('button', { name: 'Save these filters' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a name.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Big ones');
    await page.keyboard.press('Enter');
    await announced(page, 'The filter is saved.');
    await page.getByLabel('Tax number').fill('52998224725');
    await expect.poll(() => searchOf(page)['taxId']).toBeDefined();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('52998224725');
    await page.goto('/applications');
    await page.getByRole('link', { name: 'Big ones' }).click();
    await expect.poll(() => searchOf(page)).toEqual({ level: 'enhanced' });
    await page.getByRole('button', { name: 'Forget Big ones' }).click();
    await page.getByRole('link', { name: 'Big ones' }).waitFor({ state: 'detached' });
  });

  it('leads a person without applications to a first one, or to the guide', async () => {
    const { page } = await visit('/sign-in');
    await page.route('**/v1/applications?*', (route) =>
      route.fulfill({ json: { items: [], cursor: null, hasMore: false } }),
    );
    await enter(page);
    await page.getByText('No application yet').waitFor();
    expect(await page.getByRole('link', { name: 'Read the guide' }).getAttribute('href')).toBe(
      '/guides/onboarding-a-person',
    );
    await page.locator('.empty').getByRole('link', { name: 'New application' }).click();
    await page.getByRole('heading', { name: 'New application' }).waitFor();
  });

  it('says why it could not be loaded, and retries', async () => {
    const { page, expectedConsoleErrors } = await visit('/sign-in');
    expectedConsoleErrors.add(500);
    await page.route('**/v1/applications?*', (route) =>
      route.fulfill({
        status: 500,
        json: {
          type: 'about:blank',
          title: 'Something went wrong',
          status: 500,
          code: 'internal_error',
          requestId: randomUUID(),
        },
      }),
    );
    await enter(page);
    await shown(page.getByText('Something went wrong.'));
    await page.unroute('**/v1/applications?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await shown(page.getByRole('table', { name: 'Applications' }).or(page.getByText('No application yet')));
  });

  it('is reloaded on request', async () => {
    await application();
    const { page } = await visit('/applications', { as: demo });
    await enter(page);
    await shown(rows(page).first());
    const {
      applicant: { fullName },
    } = await application();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await shown(page.getByRole('link', { name: fullName }));
  });

  it('speaks Portuguese', async () => {
    await application();
    const { page } = await visit('/applications', { locale: 'pt-BR' });
    await signInInPortuguese(page, await person('analyst'));
    await shown(page.getByRole('heading', { name: 'Solicitações', level: 1 }));
    await shown(page.getByRole('button', { name: 'Rascunho' }));
  });
});

examineStates(visit, [
  {
    name: 'the list',
    path: '/applications',
    as: () => demo,
    reach: async (page) => {
      await application({ externalId: `cust-${randomUUID()}` }, { fullName: newName('José') });
      await enter(page);
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'More filters' }).click();
      await page.getByLabel('Level').selectOption('Basic');
      await page.getByRole('button', { name: 'Save these filters' }).waitFor();
    },
  },
  {
    name: 'a list without a match',
    path: '/applications?externalId=nobody-has-this',
    as: () => demo,
    reach: async (page) => {
      await enter(page);
      await page.getByText('No application matches the filters').waitFor();
    },
  },
]);

describe('on a phone', () => {
  it('the list is a list of cards, and the filters are available', async () => {
    const {
      applicant: { fullName },
    } = await application();
    const { page } = await visit('/applications', { ...PHONE, as: demo });
    await enter(page);
    await page.getByRole('link', { name: fullName }).click();
    await shown(page.getByRole('heading', { name: fullName }));
  });

  it('no choice of a filter is cut off', async () => {
    const { page } = await visit('/applications', { ...PHONE, locale: 'pt-BR' });
    await signInInPortuguese(page);
    await page.getByRole('button', { name: 'Mais filtros' }).click();
    const cutOff = await page.locator('.filters select').evaluateAll(
      (selects) =>
        selects.filter((select) => {
          const room = select.clientWidth;
          select.style.width = 'max-content';
          const wanted = select.clientWidth;
          select.style.width = '';
          return wanted > room;
        }).length,
    );
    expect(cutOff).toBe(0);
  });
});
