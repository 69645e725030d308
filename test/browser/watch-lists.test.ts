/** Browser tests of uploading watch lists, also by two administrators. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { OFAC_ALT, ofacCsv } from '../support/watch-lists.ts';
import { administrator } from './support/administrator.ts';
import { useChromium } from './support/chromium.ts';
import type { Protected } from './support/people.ts';
import { listAdministrators } from './support/service.ts';
import { gone, shown } from './support/shown.ts';
import { signInWithRecoveryCode, signOut } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';
import { answerIfPrompted } from './support/step-up.ts';

const visit = useChromium();
const LIST = 'Consolidated Sanctions List (not SDN)';
let proposes: Protected;
let confirms: Protected;
const used = new Map<string, number>();

beforeAll(async () => {
  proposes = await administrator(listAdministrators[0], 'Marta Nunes');
  confirms = await administrator(listAdministrators[1], 'Davi Prado');
});

describe('the watch lists', () => {
  it('get a version by an upload, which is refused in words if it is doubtful', async () => {
    const { page, expectedConsoleErrors } = await visit('/watch-lists');
    expectedConsoleErrors.add(401).add(403).add(422);
    await open(page, proposes);
    await shown(rowOf(page).getByText('never imported'));
    await begin(page, 'Upload a version…');
    const dialog = page.getByRole('dialog', { name: `Upload a version of ${LIST}` });
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await shown(dialog.getByText('Choose a file.'));
    await choose(dialog, 'damaged.csv', Buffer.from('1,"SILVA, Maria",individual'));
    await dialog.getByRole('button', { name: 'Upload' }).click();
    const refusal = dialog.getByText('Line 1 has 3 columns instead of 12.');
    await answerIfPrompted(page, proposes.authenticator, refusal);
    await shown(refusal);
    await choose(dialog, 'cons_prim.csv', ofacCsv(150));
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await shown(page.locator('.toast').getByText('has a new version: 150 new, 0 changed, 0 gone'));
    await shown(rowOf(page).getByText('150', { exact: true }));
  });

  it('lose many entries only when two administrators send the same file', async () => {
    const { page, expectedConsoleErrors } = await visit('/watch-lists');
    expectedConsoleErrors.add(401).add(403).add(422);
    await open(page, proposes);
    await propose(page, ofacCsv(120), proposes);
    await rowOf(page)
      .getByText(
        'Marta Nunes proposes a file of 120 entries, which lacks 30 of the active ones and changes 0 in what ' +
          'names are compared with.',
      )
      .waitFor();
    await rowOf(page)
      .getByRole('button', { name: `Actions for ${LIST}` })
      .click();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Upload a version…', 'Withdraw the proposal…']);
    await page.keyboard.press('Escape');

    await signOut(page);
    await open(page, confirms);
    await begin(page, 'Confirm the proposal…');
    const dialog = page.getByRole('dialog', { name: /^Confirm version/ });
    await dialog
      .getByText(
        'Marta Nunes has proposed a file that lacks 30 of the active entries and changes 0 in what ' +
          'names are compared with.',
      )
      .waitFor();
    await choose(dialog, 'cons_prim.csv', ofacCsv(120));
    await dialog.getByRole('button', { name: 'Confirm and activate' }).click();
    const done = page.locator('.toast').getByText('has a new version: 0 new, 0 changed, 30 gone');
    await answerIfPrompted(page, confirms.authenticator, done);
    await done.waitFor();
    await rowOf(page).getByText('120', { exact: true }).waitFor();
  });

  it('stay as they are when a proposal is returned', async () => {
    const { page, expectedConsoleErrors } = await visit('/watch-lists');
    expectedConsoleErrors.add(401).add(403).add(422);
    await open(page, proposes);
    await propose(page, ofacCsv(100), proposes);
    await signOut(page);
    await open(page, confirms);
    await begin(page, 'Return the proposal…');
    const dialog = page.getByRole('dialog', { name: 'Return the proposed version?' });
    await dialog.getByLabel('Why').fill('The publisher has replaced this file.');
    await dialog.getByRole('button', { name: 'Return it' }).click();
    const done = page.locator('.toast').getByText('The proposal is returned.');
    await answerIfPrompted(page, confirms.authenticator, done);
    await shown(done);
    await gone(rowOf(page).getByText('proposes'));
    await shown(rowOf(page).getByText('120', { exact: true }));
  });

  it('notify a second administrator who sends another file than the proposed one', async () => {
    const { page, expectedConsoleErrors } = await visit('/watch-lists');
    expectedConsoleErrors.add(401).add(403).add(422);
    await open(page, proposes);
    await propose(page, ofacCsv(105), proposes);
    await signOut(page);
    await open(page, confirms);
    await begin(page, 'Confirm the proposal…');
    const dialog = page.getByRole('dialog');
    await choose(dialog, 'cons_prim.csv', ofacCsv(105, '"Tall."'));
    await dialog.getByRole('button', { name: 'Confirm and activate' }).click();
    const message = dialog.getByText('This is not the file that Marta Nunes proposed. Nothing was confirmed');
    await answerIfPrompted(page, confirms.authenticator, message);
    await shown(message);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await shown(rowOf(page).getByText('Davi Prado proposes a file of 105 entries'));
    await shown(rowOf(page).getByText('120', { exact: true }));
  });
});

examineStates(visit, [
  {
    name: 'the watch lists',
    path: '/watch-lists',
    refusals: [401],
    reach: (page) => open(page, confirms),
  },
  {
    name: 'the upload of a list',
    path: '/watch-lists',
    refusals: [401],
    reach: async (page) => {
      await open(page, confirms);
      await begin(page, 'Upload a version…');
      await page.getByRole('dialog').getByLabel('Format').selectOption('ofac-csv');
      await page
        .getByRole('dialog')
        .getByRole('group', { name: /^Aliases/ })
        .waitFor();
    },
  },
]);

/**
 * Opens the page; the authenticator shows a new code only every thirty seconds, so each sign-in uses a recovery code.
 */
async function open(page: Page, who: Protected): Promise<void> {
  const count = used.get(who.email) ?? 0;
  used.set(who.email, count + 1);
  await signInWithRecoveryCode(page, who, who.recoveryCodes[count]!);
  await rowOf(page).waitFor();
}

function rowOf(page: Page): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('rowheader').getByText(LIST, { exact: true }) });
}

async function begin(page: Page, action: string): Promise<void> {
  await rowOf(page)
    .getByRole('button', { name: `Actions for ${LIST}` })
    .click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function choose(dialog: Locator, name: string, buffer: Buffer): Promise<void> {
  await dialog.getByLabel('Format').selectOption('ofac-csv');
  await dialog.locator('input[type="file"]').first().setInputFiles({ name, mimeType: 'text/csv', buffer });
  await dialog
    .getByRole('group', { name: /^Aliases/ })
    .locator('input[type="file"]')
    .setInputFiles({ name: 'alt.csv', mimeType: 'text/csv', buffer: OFAC_ALT });
}

/** Sends a file that lacks many entries, and confirms after the refusal that it is right. */
async function propose(page: Page, file: Buffer, who: Protected): Promise<void> {
  await begin(page, 'Upload a version…');
  const dialog = page.getByRole('dialog', { name: `Upload a version of ${LIST}` });
  await choose(dialog, 'cons_prim.csv', file);
  await dialog.getByRole('button', { name: 'Upload' }).click();
  const refusal = dialog.getByText('The file lacks more than 5 % of the active entries, or changes more than 10 %.');
  await answerIfPrompted(page, who.authenticator, refusal);
  await dialog.getByRole('checkbox', { name: /^The publisher really changed so much/ }).check();
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await page.locator('.toast').getByText('the file waits for a second administrator').waitFor();
}
