/** Browser test of withholding and carrying out the erasure of an application. */
import { beforeAll, describe, it } from 'vitest';
import { api } from './support/api.ts';
import { application, inReview, ownerToken, pathOf } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { person, type Person, protectedPerson } from './support/people.ts';
import { signInWithCode } from './support/sign-in.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();

let analyst: Person;
beforeAll(async () => {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  analyst = await person('analyst', 'Bruno Lima');
});

describe('a record', () => {
  it('of a customer is protected by law until long after the relationship has ended, and a draft is erased for good', async () => {
    const eraser = await protectedPerson('compliance_officer', 'Carla Dias');
    const one = await inReview(false);
    await api('POST', `/v1/applications/${one.id}/decisions`, {
      token: analyst.token,
      body: {
        outcome: 'approve',
        reasonCodes: ['identity_confirmed'],
        note: 'Passport and address agree.',
        evidenceDigest: one.evidenceDigest,
      },
    });
    const draft = await application();
    const { page, expectedConsoleErrors } = await visit(pathOf(one));
    expectedConsoleErrors.add(401).add(409).add(410);
    await signInWithCode(page, eraser);
    const tryToErase = async () => {
      await page.getByRole('button', { name: 'Erase', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Erase for good' }).click();
    };
    await tryToErase();
    await page.getByRole('dialog').getByText('as long as the person is a customer').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'End the relationship' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the relationship' }).click();
    await announced(page, 'The end of the relationship is noted.');
    await page.getByText('Customer until').waitFor();
    await tryToErase();
    await page
      .getByRole('dialog')
      .getByText(/kept to the end of 31 Dec 20\d\d \(Circular BCB 3\.978/)
      .waitFor();
    await page.goto(pathOf(draft));
    await tryToErase();
    await announced(page, 'The application is erased.');
    await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor();
    await page.goto(pathOf(draft));
    await page.getByRole('heading', { level: 1, name: 'The application was erased' }).waitFor();
  });
});
