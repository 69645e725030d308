/** Browser tests of the page of an application: missing items, data, consents and history. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { jpeg } from '../support/specimens.ts';
import { api } from './support/api.ts';
import { application, complete, enter, newName, ownerToken, pathOf, read } from './support/applications.ts';
import { newCpf } from '../support/cpf.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { person } from './support/people.ts';
import { shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();
/** Time limit for a busy machine. */

function requirement(page: Page, name: string) {
  return page.getByRole('region', { name: 'What is needed' }).getByRole('listitem').filter({ hasText: name });
}

it.each([
  ['that is not there', '01a20769-acd6-74b3-9800-2b709f9b6cdb', 404],
  ['whose address is cut off', '01a20769', 400],
])('an application %s leads back to the list', async (_, id, status) => {
  const { page, expectedConsoleErrors } = await visit(`/applications/${id}`);
  expectedConsoleErrors.add(status);
  await enter(page);
  await shown(page.getByRole('heading', { level: 1, name: 'There is no such application' }));
  await page.getByRole('link', { name: 'To the applications' }).click();
  await shown(page.getByRole('heading', { level: 1, name: 'Applications' }));
});

describe('what is missing', () => {
  it('leads to the field where it is entered, and is met afterwards', async () => {
    const draft = await application();
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    await page.getByText('2 things are missing.').waitFor();
    await page.getByRole('link', { name: 'Enter it: Date of birth' }).click();
    await expect
      .poll(() => page.getByLabel(/^Date of birth/).evaluate((field) => field === document.activeElement))
      .toBe(true);
    await page.getByLabel(/^Date of birth/).fill('1990-04-12');
    await page.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'The changes are saved.');
    await requirement(page, 'Date of birth').getByText('Provided').waitFor();
    await page.getByText('One thing is missing.').waitFor();
    expect((await read(draft)).applicant.dateOfBirth).toBe('1990-04-12');
  });

  it('leads to the upload of a document that would meet it, with the type chosen', async () => {
    const draft = await application({ level: 'standard' });
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    await requirement(page, 'Identity document').getByRole('link', { name: 'Upload: Identity card' }).click();
    await expect.poll(() => page.getByLabel('What it is').inputValue()).toBe('id_card');
    expect(await page.getByLabel('Side').inputValue()).toBe('front');
    await page.goBack();
    await page.getByRole('link', { name: 'Upload: Passport' }).click();
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'passaporte.jpg', mimeType: 'image/jpeg', buffer: jpeg({ text: newName() }) });
    await page.getByRole('button', { name: 'Upload' }).click();
    await announced(page, 'The document is added.');
    await requirement(page, 'Identity document').getByText('Provided').waitFor();
  });

  it('is where "Submit" leads while something is missing', async () => {
    const { page } = await visit(pathOf(await application()), { as: demo });
    await enter(page);
    await page.getByRole('button', { name: 'Submit' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('What is needed');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('the data', () => {
  it('is edited in part: emptied members are cleared, untouched ones stay, and the loaded version is named', async () => {
    const draft = await application({}, { email: 'maria@example.com', phone: '+5541999990000' });
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('E-mail').fill('');
    await page.getByLabel(/^Monthly income/).fill('8.500,50');
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === 'PATCH'),
      page.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(request.headers()).toMatchObject({ 'if-match': '"1"', 'content-type': 'application/merge-patch+json' });
    await page.getByText('R$').waitFor();
    expect((await read(draft)).applicant).toMatchObject({
      email: null,
      phone: '+5541999990000',
      monthlyIncome: { amount: 850_050, currency: 'BRL' },
    });
  });

  it('has the message about wrong check digits beside the field, and nothing above the form', async () => {
    const { page, expectedConsoleErrors } = await visit(pathOf(await application()), { as: demo });
    expectedConsoleErrors.add(422);
    await enter(page);
    await page.getByRole('link', { name: 'Enter it: Valid tax number' }).click();
    await page.getByLabel('Tax number (needed at this level)').fill('52998224726');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The check digits do not fit').waitFor();
    expect(await page.getByText('The check digits do not fit').count()).toBe(1);
    expect(await page.getByLabel('Tax number (needed at this level)').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel(/^Monthly income/).fill('a lot');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter an amount, such as 8500.00.').waitFor();
  });

  it('preserves the input if another person was faster, and loads their changes', async () => {
    const draft = await application();
    const { page, expectedConsoleErrors } = await visit(pathOf(draft), { as: demo });
    expectedConsoleErrors.add(412);
    await enter(page);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Occupation').fill('Designer');
    await api('PATCH', `/v1${pathOf(draft)}`, {
      token: await ownerToken(),
      body: { applicant: { email: 'other@example.com' } },
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else changed this application').waitFor();
    await page.getByRole('button', { name: 'Take in the other changes and keep mine' }).click();
    await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe('other@example.com');
    expect(await page.getByLabel('Occupation').inputValue()).toBe('Designer');
    await page.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'The changes are saved.');
    expect((await read(draft)).applicant).toMatchObject({ email: 'other@example.com', occupation: 'Designer' });
  });
});

describe('consents', () => {
  it('are recorded and withdrawn, and a withdrawal of nothing is reported beside its purpose', async () => {
    const draft = await application();
    const { page, expectedConsoleErrors } = await visit(pathOf(draft), { as: demo });
    expectedConsoleErrors.add(422);
    await enter(page);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Record a consent' }).click();
    await dialog.getByRole('button', { name: 'Record' }).click();
    await dialog.getByText('Enter the version of the text.').waitFor();
    await dialog.getByLabel('What happened').selectOption('Withdrawn');
    await dialog.getByLabel('Purpose').selectOption('Advertising');
    await dialog.getByLabel('Version of the text').fill('marketing-1');
    await dialog.getByLabel('SHA-256 of the text').fill('AB'.repeat(32));
    await dialog.getByRole('button', { name: 'Record' }).click();
    await dialog.getByText('No consent to this purpose stood then').waitFor();
    await dialog.getByLabel('What happened').selectOption('Granted');
    await dialog.getByRole('button', { name: 'Record' }).click();
    await announced(page, 'The consent is recorded.');
    const section = page.getByRole('region', { name: 'Consents' });
    await section.getByText('Granted').waitFor();
    await page.getByRole('button', { name: 'Record a consent' }).click();
    await dialog.getByLabel('What happened').selectOption('Withdrawn');
    await dialog.getByLabel('Purpose').selectOption('Advertising');
    expect(await dialog.getByLabel('Version of the text').inputValue()).toBe('marketing-1');
    await dialog.getByRole('button', { name: 'Record' }).click();
    await section.getByText('Withdrawn').waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Consent withdrawn: Advertising').waitFor();
    expect((await read(draft)).consents?.map(({ action, textSha256 }) => [action, textSha256])).toEqual([
      ['withdrawn', 'ab'.repeat(32)],
      ['granted', 'ab'.repeat(32)],
    ]);
  });

  it('are read by a viewer, who records none', async () => {
    const { page } = await visit(pathOf(await application()));
    await enter(page, await person('viewer'));
    await page.getByText('No consent has been recorded yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Record a consent' }).count()).toBe(0);
  });
});

describe('the course of an application', () => {
  it('is submitted after a question, and cannot be edited afterwards', async () => {
    const draft = await application({}, complete());
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
    await announced(page, 'The application is submitted.');
    await page.getByText('Submitted and being reviewed.').waitFor();
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Add a document' }).waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Submitted').waitFor();
  });

  it('ends when it is withdrawn, with the reason', async () => {
    const draft = await application();
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByLabel('Why').selectOption('It is a duplicate');
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await announced(page, 'The application is withdrawn.');
    await page.getByText('Withdrawn; it cannot be opened again.').waitFor();
    expect(await read(draft)).toMatchObject({ status: 'withdrawn', statusReason: 'duplicate' });
    expect(await page.getByRole('button', { name: 'Withdraw' }).count()).toBe(0);
  });

  it('is shown with names, and leads to the audit log those who may read it', async () => {
    const draft = await application();
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Created').waitFor();
    await history.getByText(/· \S/).waitFor();
    await history.getByRole('link', { name: 'Open in the audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    expect(new URL(page.url()).searchParams.get('resourceId')).toBe(draft.id);
  });
});

examineStates(visit, [
  {
    name: 'the form of a consent',
    path: '/applications',
    as: () => demo,
    reach: async (page) => {
      const draft = await application();
      await enter(page);
      await page.goto(pathOf(draft));
      await page.getByRole('button', { name: 'Record a consent' }).click();
      await page.getByRole('dialog').getByLabel('SHA-256 of the text').waitFor();
    },
  },
  {
    name: 'an application that is edited',
    path: '/applications',
    as: () => demo,
    reach: async (page) => {
      const draft = await application({ level: 'enhanced' });
      await enter(page);
      await page.goto(`${pathOf(draft)}?edit=address`);
      await page.getByLabel('Street').waitFor();
    },
  },
]);

describe('on a phone', () => {
  it('an application is read and submitted', async () => {
    const { page } = await visit(
      pathOf(await application({}, { ...complete(), taxId: { type: 'cpf', value: newCpf() } })),
      { ...PHONE, as: demo },
    );
    await enter(page);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
    await shown(page.getByText('Submitted and being reviewed.'));
  });
});
