import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { api } from './support/api.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { person, protectedPerson } from './support/people.ts';
import type { Person, Protected } from './support/people.ts';
import { baseUrl } from './support/service.ts';
import { signIn, signInWithRecoveryCode } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

describe('a section', () => {
  it('is saved by itself, while the others keep what was entered in them', async () => {
    const { page } = await visit('/settings');
    await openSettings(page);
    await section(page, 'Screening').getByLabel('Least score').fill('0.9');
    const branding = section(page, 'Branding');
    await branding.getByLabel('Name that applicants see').fill('Banco de Exemplo');
    await save(branding);
    await saved(page, 'Branding');
    await page.getByText('Last changed').waitFor();
    expect(await branding.getByLabel('Name that applicants see').inputValue()).toBe('Banco de Exemplo');
    expect(await section(page, 'Screening').getByLabel('Least score').inputValue()).toBe('0.9');
  });

  it('sends only what was changed, and names itself when nothing was: it was looked at', async () => {
    const { page } = await visit('/settings');
    await openSettings(page);
    const sent: unknown[] = [];
    page.on('request', (request) => { if (request.method() === 'PATCH') sent.push([request.headers()['if-match'], request.postDataJSON()]); });
    const branding = section(page, 'Branding');
    await branding.getByLabel('Where applicants write').fill(`help-${Date.now()}@example.com`);
    const address = await branding.getByLabel('Where applicants write').inputValue();
    await save(branding);
    await saved(page, 'Branding');
    await save(section(page, 'Retention'));
    await saved(page, 'Retention');
    const version = expect.stringMatching(/^"\d+"$/) as string;
    expect(sent).toEqual([[version, { branding: { supportEmail: address } }], [version, { retention: {} }]]);
  });

  it('keeps lists of records, checks and amounts', async () => {
    const { page } = await visit('/settings');
    await openSettings(page);
    const queues = section(page, 'Queues');
    await queues.getByRole('button', { name: 'Add a queue' }).click();
    const row = queues.getByRole('group', { name: 'queue 5' });
    await row.getByLabel('Key').fill('later');
    await row.getByLabel('Name').fill('Later');
    await row.getByLabel('Resolved within').fill('500');
    await save(queues);
    await saved(page, 'Queues');
    const policy = section(page, 'Decision policy');
    await policy.getByText('Checks that each level of diligence asks for').click();
    await policy.getByLabel('Basic: Proof of address').check();
    await policy.getByLabel('Amount', { exact: true }).fill('1500.50');
    await save(policy);
    await saved(page, 'Decision policy');

    const owner = await person('owner', 'Reading Rosa');
    const { queues: now, decisionPolicy } = await api<{ queues: object[]; decisionPolicy: { requiredChecks: { basic: string[] }; fourEyes: { amountAbove: object } } }>('GET', '/v1/settings', { token: owner.token });
    expect(now.at(-1)).toEqual({ key: 'later', name: 'Later', slaHours: 500 });
    expect(decisionPolicy.requiredChecks.basic).toContain('proof_of_address');
    expect(decisionPolicy.fourEyes.amountAbove).toEqual({ amount: 150_050, currency: 'BRL' });

    await queues.getByRole('button', { name: 'Remove queue 5' }).click();
    await save(queues);
    await saved(page, 'Queues');
    expect(await queues.getByRole('group', { name: /^queue \d/ }).count()).toBe(4);
  });
});

describe('what is refused', () => {
  it('says beside the field what the law demands, and the norm', async () => {
    const { page, expected } = await visit('/settings');
    expected.add(422);
    await openSettings(page);
    const retention = section(page, 'Retention');
    await retention.getByLabel('Customers, years').fill('1');
    await save(retention);
    await complaint(retention, 'Customers, years', 'Must be at least 10 (Circular BCB 3.978/2020, art. 67)');
    const screening = section(page, 'Screening');
    await screening.getByLabel('Lists that').fill('ofac-sdn');
    await save(screening);
    await complaint(screening, 'Lists that', 'Must include un-csnu (Lei 13.810/2019, art. 6º)');
  });

  it('names the line of a list that the platform does not know, and a colour on which no text could be read', async () => {
    const { page, expected } = await visit('/settings');
    expected.add(422);
    await openSettings(page);
    const screening = section(page, 'Screening');
    await screening.getByLabel('Lists that').fill('un-csnu\nnobody-knows');
    await save(screening);
    await complaint(screening, 'Lists that', /Line 2: must be one of un-csnu/i);
    const branding = section(page, 'Branding');
    await branding.getByLabel('Main colour', { exact: true }).fill('#ffee00');
    await save(branding);
    await complaint(branding, 'Main colour', /contrast of 4.5 to 1 against white \(WCAG 2.2, 1.4.3\)/);
  });

  it('is shown in the row of the record that it is about', async () => {
    const { page, expected } = await visit('/settings');
    expected.add(422);
    await openSettings(page);
    const acts = section(page, 'Legal acts');
    for (const row of [1, 2]) {
      await acts.getByRole('button', { name: 'Add a kind' }).click();
      await acts.getByRole('group', { name: `kind ${row}` }).getByLabel('Key').fill('waiver');
      await acts.getByRole('group', { name: `kind ${row}` }).getByLabel('Name').fill('Waiver');
    }
    await save(acts);
    await complaint(acts.getByRole('group', { name: 'kind 2' }), 'Key', 'Must be in the list once');
  });
});

describe('less protection', () => {
  it('is said before it is saved, and needs a fresh code', async () => {
    const owner = await protectedPerson('owner', 'Careful Cora');
    const { page, expected } = await visit('/settings');
    expected.add(401).add(403);
    // A code of the authenticator at the sign-in would count for five minutes; one for its loss does not.
    await signInWithRecoveryCode(page, owner, owner.recoveryCodes[0] ?? '');
    const policy = section(page, 'Decision policy');
    const override = policy.getByLabel('Two people when a result is overridden');
    await override.uncheck();
    const warning = policy.getByRole('status');
    await warning.getByText('This protects less than before.').waitFor();
    await warning.getByText('Two people when a result is overridden: Yes → No').waitFor();
    await save(policy);
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByLabel('Code of your authenticator').fill(await owner.authenticator.next());
    await question.getByRole('button', { name: 'Confirm' }).click();
    await saved(page, 'Decision policy');
    expect(await override.isChecked()).toBe(false);
    await override.check();
    expect(await warning.textContent()).toBe('');
    await save(policy);
    await page.getByRole('status').getByText('Decision policy saved').waitFor();
  });

  it('is not saved without a code, and what was entered stays', async () => {
    const { page, expected } = await visit('/settings');
    expected.add(403);
    await openSettings(page);
    const security = section(page, 'Security');
    await security.getByLabel('The platform may act for your users').check();
    await save(security);
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('button', { name: 'Cancel' }).click();
    await security.getByRole('alert').getByText('Not done').waitFor();
    expect(await security.getByLabel('The platform may act for your users').isChecked()).toBe(true);
  });
});

it('leads an owner who now asks everybody for a second factor to enrol one', async () => {
  const guard = await protectedPerson('owner', 'Guarding Gil');
  const { page } = await visit('/settings');
  await openSettings(page, await person('owner', 'Bare Bia'));
  const security = section(page, 'Security');
  await security.getByLabel('Everybody needs a second factor').check();
  try {
    await save(security);
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.getByText('asks for a second factor').first().waitFor();
  } finally {
    await withoutFactor(guard);
  }
});

describe('a change that another person saved first', () => {
  it('is not overwritten: the page shows what they did, keeps what was entered, and saves it when asked again', async () => {
    const { page, expected } = await visit('/settings');
    expected.add(412);
    await openSettings(page);
    const { page: other } = await visit('/settings');
    await openSettings(other, await person('admin', 'Faster Fabi'));
    const [mine, theirs] = [section(page, 'Beneficial owners'), section(other, 'Beneficial owners')];
    await theirs.getByLabel('Share, in percent').first().fill('20');
    await save(theirs);
    await saved(other, 'Beneficial owners');

    await mine.getByLabel('Share, in percent').first().fill('15');
    await mine.getByLabel('Counted').selectOption('gt');
    await save(mine);
    const notice = mine.getByRole('alert').filter({ hasText: 'Not saved yet' });
    await notice.getByText('Faster Fabi changed the settings').waitFor();
    expect(await notice.textContent()).toContain('Share, in percent: 25 → 20. You entered: 15');
    expect(await mine.getByLabel('Counted').inputValue()).toBe('gt');
    await save(mine);
    await saved(page, 'Beneficial owners');
    expect(await notice.count()).toBe(0);

    await mine.getByLabel('Share, in percent').first().fill('25');
    await mine.getByLabel('Counted').selectOption('gte');
    await save(mine);
    await saved(page, 'Beneficial owners');
  });

  it('is shown where they were, when it was another section', async () => {
    const { page, expected } = await visit('/settings');
    expected.add(412);
    await openSettings(page);
    const { page: other } = await visit('/settings');
    await openSettings(other, await person('admin', 'Elsewhere Elsa'));
    await section(other, 'Branding').getByLabel('Name that applicants see').fill(`Banco ${Date.now()}`);
    await save(section(other, 'Branding'));
    await saved(other, 'Branding');
    await section(page, 'Screening').getByLabel('Least score').fill('0.85');
    await save(section(page, 'Screening'));
    await section(page, 'Screening').getByText('Changed: Branding.').waitFor();
    await section(page, 'Branding').getByText('Elsewhere Elsa changed the settings').waitFor();
    expect(await section(page, 'Branding').getByLabel('Name that applicants see').inputValue()).toMatch(/^Banco \d+$/);
    expect(await section(page, 'Screening').getByLabel('Least score').inputValue()).toBe('0.85');
  });
});

describe('roles', () => {
  it('lets a compliance officer change the policies, but not how people sign in or what applicants see', async () => {
    const { page } = await visit('/settings');
    await openSettings(page, await person('compliance_officer', 'Officer Olga'));
    const editable = [];
    for (const name of ['Branding', 'Decision policy', 'Beneficial owners', 'Screening', 'Retention', 'Security', 'Queues', 'Legal acts']) {
      if (await section(page, name).getByRole('button', { name: 'Save' }).count() > 0) editable.push(name);
    }
    expect(editable).toEqual(['Decision policy', 'Beneficial owners', 'Screening', 'Retention', 'Queues', 'Legal acts']);
    await save(section(page, 'Retention'));
    await saved(page, 'Retention');
  });

  it('shows everybody else what holds, without a form', async () => {
    const { page } = await visit('/settings');
    await openSettings(page, await person('auditor', 'Reading Rui'));
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await page.locator('#app :is(input, select, textarea)').count()).toBe(0);
    await section(page, 'Retention').getByText('Customers, years').waitFor();
    await section(page, 'Queues').getByText('Critical (critical), 4 hours').waitFor();
  });
});

examineStates(visit, [
  { name: 'the settings', path: '/settings', reach: openSettings },
  { name: 'what a reader sees of them', path: '/settings', reach: async (page) => openSettings(page, await person('viewer', 'Vera Nunes')) },
  { name: 'a warning, a refusal and all checks', path: '/settings', refusals: [422], reach: async (page) => {
    await openSettings(page);
    await section(page, 'Decision policy').getByText('Checks that each level of diligence asks for').click();
    const retention = section(page, 'Retention');
    await retention.getByLabel('Audit log, years').fill('2');
    await save(retention);
    await complaint(retention, 'Audit log, years', /at least 10/);
  } },
]);

it('fits a phone from the start', async () => {
  const { page } = await visit('/settings', PHONE);
  await openSettings(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

async function openSettings(page: Page, who?: Person): Promise<void> {
  await signIn(page, who);
  await section(page, 'Legal acts').waitFor();
}

function section(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

async function save(part: Locator): Promise<void> {
  await part.getByRole('button', { name: 'Save' }).click();
}

async function saved(page: Page, name: string): Promise<void> {
  await page.locator('#announcer').getByText(`${name} saved`).waitFor();
  // The next one that is saved is announced anew.
  await page.evaluate(() => { const announcer = document.getElementById('announcer'); if (announcer !== null) announcer.textContent = ''; });
}

async function complaint(part: Locator, label: string, words: string | RegExp): Promise<void> {
  await part.locator('.field', { hasText: label }).locator('.field-error').getByText(words).first().waitFor();
}

/** For the tests after this one. */
async function withoutFactor({ token, authenticator }: Protected): Promise<void> {
  const { version } = await api<{ version: number }>('GET', '/v1/settings', { token });
  const response = await fetch(`${baseUrl}/v1/settings`, {
    method: 'PATCH', body: JSON.stringify({ security: { mfaRequired: false } }),
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'If-Match': `"${version}"`, 'X-TOTP-Code': await authenticator.next() },
  });
  expect(response.status).toBe(200);
}
