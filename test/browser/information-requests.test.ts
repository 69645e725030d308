/** Browser tests of requesting information from an applicant. */
import { beforeAll, describe, expect, it } from 'vitest';
import { jpeg } from '../support/specimens.ts';
import { api } from './support/api.ts';
import {
  type Application,
  application,
  complete,
  enter,
  newName,
  pathOf,
  read,
  upload,
} from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { person, type Person } from './support/people.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();

let analyst: Person;
beforeAll(async () => {
  analyst = await person('analyst', 'Bruno Lima');
});

const address = {
  line1: 'Rua das Flores',
  number: '12',
  city: 'Recife',
  state: 'PE',
  postalCode: '50030230',
  country: 'BR',
};

/** Creates an application in review at the standard level, with the picture of a passport. */
async function inReview(): Promise<Application> {
  const draft = await application({ level: 'standard' }, { ...complete(), address });
  await upload(draft, 'passport', { name: 'passaporte.jpg', mimeType: 'image/jpeg', bytes: jpeg({ text: newName() }) });
  return api<Application>('POST', `/v1/applications/${draft.id}/submit`, { token: analyst.token });
}

describe('a request for information', () => {
  it('is made during the review, shown until it is answered by another document and by the requested data, and listed in the history', async () => {
    const one = await inReview();
    const { page } = await visit(pathOf(one), { as: analyst });
    await enter(page, analyst);
    await page.getByRole('button', { name: 'Ask for information' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Ask', exact: true }).click();
    await dialog.getByText('Choose at least one.').waitFor();
    await dialog.getByText('Write what is to be done.').waitFor();
    await dialog.getByLabel('Identity document').check();
    await dialog.getByLabel('Address', { exact: true }).check();
    await dialog.getByLabel('Message to the applicant').fill('Please photograph the whole page.');
    await dialog.getByLabel('Note for colleagues').fill('The corner is covered.');
    await dialog.getByRole('button', { name: 'Ask', exact: true }).click();
    await announced(page, 'The application waits for the applicant.');
    const requestRegion = page.getByRole('region', { name: 'Asked of the applicant' });
    await requestRegion.getByText('Please photograph the whole page.').first().waitFor();
    await requestRegion.getByText('The corner is covered.').waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Information asked for').waitFor();

    await requestRegion.getByRole('link', { name: 'Enter it: Address' }).click();
    const form = page.getByRole('region', { name: 'Edit the application' });
    await form.getByLabel('City').fill('Olinda');
    expect(await form.getByRole('textbox').count(), 'only the parts of the address can be typed').toBe(7);
    await form.getByRole('button', { name: 'Save' }).click();
    await announced(page, 'The changes are saved.');
    await requestRegion.getByRole('link', { name: 'Upload: Passport' }).click();
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'inteiro.jpg', mimeType: 'image/jpeg', buffer: jpeg({ text: newName() }) });
    await page.getByRole('button', { name: 'Upload' }).click();
    await announced(page, 'The document is added, and answers: Identity document.');
    await page.getByText('Answers: Identity document', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
    await announced(page, 'The application is submitted.');
    await requestRegion.waitFor({ state: 'detached' });
    expect(await read(one)).toMatchObject({
      status: 'in_review',
      resubmissionCount: 1,
      informationRequests: [{ status: 'answered' }],
      applicant: { address: { city: 'Olinda', line1: address.line1 } },
    });
  });

  it('is not offered to users who may not make it', async () => {
    const { page } = await visit(pathOf(await inReview()));
    await enter(page, await person('viewer'));
    await page.getByRole('region', { name: 'What is needed' }).waitFor();
    expect(await page.getByRole('button', { name: 'Ask for information' }).count()).toBe(0);
  });
});

examineStates(visit, [
  {
    name: 'the form of a request for information',
    path: '/applications',
    as: () => analyst,
    reach: async (page) => {
      const one = await inReview();
      await enter(page, analyst);
      await page.goto(pathOf(one));
      await page.getByRole('button', { name: 'Ask for information' }).click();
      await page.getByRole('dialog').getByLabel('Message to the applicant').waitFor();
    },
  },
]);
