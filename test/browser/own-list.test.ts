/** Browser tests of a tenant's own screening list. */
import { describe, expect, it } from 'vitest';
import { enter } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { person, protectedPerson } from './support/people.ts';
import { signInWithCode } from './support/sign-in.ts';
import { answerIfPrompted } from './support/step-up.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();
const HEADER = 'key,type,name,aliases,date_of_birth,countries,tax_id,category,remarks';
const file = (...rows: string[]) => ({
  name: 'refused-customers.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from([HEADER, ...rows].join('\n')),
});

describe('the own list', () => {
  it('is sent, replaced and removed by a compliance officer, and refused in words if it is damaged', async () => {
    const officer = await protectedPerson('compliance_officer', 'Carla Dias');
    const { page, expectedConsoleErrors } = await visit('/screenings');
    expectedConsoleErrors.add(401).add(403).add(422);
    await signInWithCode(page, officer);
    await page.getByRole('button', { name: 'Send own list' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send own list' });
    const send = dialog.getByRole('button', { name: 'Send own list' });
    await send.click();
    await dialog.getByText('Choose a file.').waitFor();
    await dialog
      .locator('input[type="file"]')
      .setInputFiles(file('1,person,Otávio Recusado Prado,,,,,,', '2,ship,Barco de Papel,,,,,,'));
    await send.click();
    const refusal = dialog.getByText(/line 3, type: must be one of person, organisation/i);
    await answerIfPrompted(page, officer.authenticator, refusal);
    await refusal.waitFor();
    await dialog
      .locator('input[type="file"]')
      .setInputFiles(file('1,person,Otávio Recusado Prado,,,,,,', '2,organisation,Obras de Papel Ltda,,,,,,'));
    await send.click();
    await announced(page, 'The own list has 2 entries. Everybody who is monitored is screened again.');
    const row = page.getByRole('row').filter({ hasText: 'Own list' });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/\b2\b/);
    await page.getByRole('button', { name: 'Replace own list' }).waitFor();
    await page.getByRole('button', { name: 'Remove own list' }).click();
    await page
      .getByRole('dialog', { name: 'Remove own list' })
      .getByRole('button', { name: 'Remove own list' })
      .click();
    await announced(page, 'The own list is removed.');
    await row.waitFor({ state: 'detached' });
  });

  it('is offered to nobody else', async () => {
    const analyst = await person('analyst', 'Bruno Lima');
    const { page } = await visit('/screenings', { as: analyst });
    await enter(page, analyst);
    await page.getByRole('row').first().waitFor();
    expect(await page.getByRole('button', { name: /own list/ }).count()).toBe(0);
  });
});
