/** Browser tests of the settings page: changes, refusals and confirmations. */
import { describe, expect, it } from 'vitest';
import { api } from './support/api.ts';
import { useChromium } from './support/chromium.ts';
import { person, protectedPerson } from './support/people.ts';
import type { Protected } from './support/people.ts';
import { baseUrl, demo } from './support/service.ts';
import { complaint, openSettings, save, saved, section } from './support/settings-page.ts';
import { signInWithRecoveryCode } from './support/sign-in.ts';

const visit = useChromium();

describe('a section', () => {
  it('has an address of its own, which survives a reload', async () => {
    const { page } = await visit('/settings?section=retention', { as: demo });
    await openSettings(page);
    await page.getByRole('region', { name: 'Retention' }).waitFor();
    expect(await page.getByRole('region').filter({ visible: true }).count()).toBe(1);
    await section(page, 'Beneficial owners');
    expect(new URL(page.url()).search).toBe('?section=ownership');
    await page.reload();
    await page.getByRole('region', { name: 'Beneficial owners' }).waitFor();
  });

  it('is saved by itself, while the others preserve their input and are marked', async () => {
    const { page } = await visit('/settings', { as: demo });
    await openSettings(page);
    await (await section(page, 'Screening')).getByLabel('Sanctions: people, Strong from').fill('0.95');
    await page.getByRole('link', { name: 'Screening (not saved)' }).waitFor();
    const branding = await section(page, 'Branding');
    await branding.getByLabel('Name that applicants see').fill('Banco de Exemplo');
    await save(branding);
    await saved(page, 'Branding');
    await page.getByText('Last changed').waitFor();
    expect(await branding.getByLabel('Name that applicants see').inputValue()).toBe('Banco de Exemplo');
    expect(await (await section(page, 'Screening')).getByLabel('Sanctions: people, Strong from').inputValue()).toBe(
      '0.95',
    );
  });

  it('is left with unsaved changes only after a confirmation', async () => {
    const { page } = await visit('/settings', { as: demo });
    await openSettings(page);
    await (await section(page, 'Branding')).getByLabel('Name that applicants see').fill('Not to be kept');
    await page.getByRole('link', { name: 'API keys' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await (await section(page, 'Branding')).getByLabel('Name that applicants see').inputValue()).toBe(
      'Not to be kept',
    );
    await page.getByRole('link', { name: 'API keys' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  });

  it('shows the changes before they are saved, sends only them, and sends its own name if there are none, as a review', async () => {
    const { page } = await visit('/settings', { as: demo });
    await openSettings(page);
    const sent: unknown[] = [];
    await page.exposeFunction('keepSent', (change: unknown) => {
      sent.push(change);
    });
    await page.evaluate(keepChanges);
    const branding = await section(page, 'Branding');
    const address = `help-${Date.now()}@example.com`;
    await branding.getByLabel('Where applicants write').fill(address);
    await branding.getByRole('status').getByText(`→ ${address}`).waitFor();
    await save(branding);
    await saved(page, 'Branding');
    expect(await branding.getByRole('status').textContent()).toBe('');
    const retention = await section(page, 'Retention');
    await retention.getByRole('button', { name: 'Save as it is' }).click();
    await saved(page, 'Retention');
    const version = expect.stringMatching(/^"\d+"$/) as string;
    expect(sent).toEqual([
      [version, { branding: { supportEmail: address } }],
      [version, { retention: {} }],
    ]);
  });

  it('preserves lists of records, checks and amounts', async () => {
    const { page } = await visit('/settings', { as: demo });
    await openSettings(page);
    const queues = await section(page, 'Queues');
    await queues.getByRole('button', { name: 'Add a queue' }).click();
    const row = queues.getByRole('group', { name: 'queue 5' });
    await row.getByLabel('Key').fill('later');
    await row.getByLabel('Name').fill('Later');
    await row.getByLabel('Resolved within').fill('500');
    await save(queues);
    await saved(page, 'Queues');
    const policy = await section(page, 'Decision policy');
    await policy.getByText('Checks that each level of diligence asks for').click();
    // Other tests of this service depend on the policy, and decide nothing at this level.
    await policy.getByLabel('Enhanced: Approval by a senior').check();
    await policy.getByLabel('Amount', { exact: true }).fill('1500.50');
    await save(policy);
    await saved(page, 'Decision policy');

    const owner = await person('owner', 'Reading Rosa');
    const { queues: now, decisionPolicy } = await api<{
      queues: object[];
      decisionPolicy: { requiredChecks: { enhanced: string[] }; fourEyes: { amountAbove: object } };
    }>('GET', '/v1/settings', { token: owner.token });
    expect(now.at(-1)).toEqual({ key: 'later', name: 'Later', slaHours: 500 });
    expect(decisionPolicy.requiredChecks.enhanced).toContain('senior_approval');
    expect(decisionPolicy.fourEyes.amountAbove).toEqual({ amount: 150_050, currency: 'BRL' });

    await section(page, 'Queues');
    await queues.getByRole('button', { name: 'Remove queue 5' }).click();
    await save(queues);
    await saved(page, 'Queues');
    expect(await queues.getByRole('group', { name: /^queue \d/ }).count()).toBe(4);
  });
});

describe('what is refused', () => {
  it('says beside an empty field what to enter, without asking the service', async () => {
    const { page } = await visit('/settings?section=retention', { as: demo });
    await openSettings(page);
    const retention = await section(page, 'Retention');
    await retention.getByLabel('Audit log, years').fill('');
    await save(retention);
    await complaint(retention, 'Audit log, years', 'Enter a number.');
    const queues = await section(page, 'Queues');
    await queues.getByRole('button', { name: 'Add a queue' }).click();
    await save(queues);
    await complaint(queues.getByRole('group', { name: 'queue 5' }), 'Key', 'Enter a value.');
    await complaint(queues.getByRole('group', { name: 'queue 5' }), 'Resolved within', 'Enter a value.');
  });

  it('says beside the field what the law demands, and the norm', async () => {
    const { page, expectedConsoleErrors } = await visit('/settings', { as: demo });
    expectedConsoleErrors.add(422);
    await openSettings(page);
    const retention = await section(page, 'Retention');
    await retention.getByLabel('Customers, years').fill('1');
    await save(retention);
    await complaint(retention, 'Customers, years', 'Must be at least 10 (Circular BCB 3.978/2020, art. 67)');
    const screening = await section(page, 'Screening');
    await screening.getByLabel('Lists that').fill('ofac-sdn');
    await save(screening);
    await complaint(screening, 'Lists that', 'Must include un-csnu (Lei 13.810/2019, art. 6º)');
  });

  it('names the line of a list that the platform does not know, and a colour on which no text could be read', async () => {
    const { page, expectedConsoleErrors } = await visit('/settings', { as: demo });
    expectedConsoleErrors.add(422);
    await openSettings(page);
    const screening = await section(page, 'Screening');
    await screening.getByLabel('Lists that').fill('un-csnu\nnobody-knows');
    await save(screening);
    await complaint(screening, 'Lists that', /Line 2: must be one of un-csnu/i);
    await screening.getByRole('button', { name: 'Cancel' }).click();
    await screening.getByLabel('Other lists: organisations, Strong from').fill('0.6');
    await save(screening);
    await complaint(screening, 'Scores of hits', /must not be below review, which is 0.8/i);
    const branding = await section(page, 'Branding');
    await branding.getByLabel('Main colour', { exact: true }).fill('#ffee00');
    await save(branding);
    await complaint(branding, 'Main colour', /contrast of 4.5 to 1 against white \(WCAG 2.2, 1.4.3\)/);
  });

  it('is shown in the row of the record that it is about', async () => {
    const { page, expectedConsoleErrors } = await visit('/settings', { as: demo });
    expectedConsoleErrors.add(422);
    await openSettings(page);
    const acts = await section(page, 'Legal acts');
    for (const row of [1, 2]) {
      await acts.getByRole('button', { name: 'Add a kind' }).click();
      await acts
        .getByRole('group', { name: `kind ${row}` })
        .getByLabel('Key')
        .fill('waiver');
      await acts
        .getByRole('group', { name: `kind ${row}` })
        .getByLabel('Name')
        .fill('Waiver');
    }
    await save(acts);
    await complaint(acts.getByRole('group', { name: 'kind 2' }), 'Key', 'Must be in the list once');
  });
});

describe('less protection', () => {
  it('is announced before it is saved, and needs a fresh code', async () => {
    const owner = await protectedPerson('owner', 'Careful Cora');
    const { page, expectedConsoleErrors } = await visit('/settings');
    expectedConsoleErrors.add(401).add(403);
    // A code of the authenticator at the sign-in would be valid for five minutes; a recovery code is not.
    await signInWithRecoveryCode(page, owner, owner.recoveryCodes[0] ?? '');
    const policy = await section(page, 'Decision policy');
    const override = policy.getByLabel('Two people when a result was overridden');
    await override.uncheck();
    const warning = policy.getByRole('status');
    await warning.getByText('This protects less than before.').waitFor();
    await warning.getByText('Two people when a result was overridden: Yes → No').waitFor();
    await save(policy);
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByLabel('Code of your authenticator').fill(await owner.authenticator.next());
    await question.getByRole('button', { name: 'Confirm' }).click();
    await saved(page, 'Decision policy');
    expect(await override.isChecked()).toBe(false);
    await override.check();
    expect(await warning.textContent()).not.toContain('protects less');
    await save(policy);
    await saved(page, 'Decision policy');
  });

  it('is not saved without a code, and the input stays', async () => {
    const { page, expectedConsoleErrors } = await visit('/settings', { as: demo });
    expectedConsoleErrors.add(403);
    await openSettings(page);
    const security = await section(page, 'Sign-in');
    await security.getByLabel('Users are locked after, in days without a sign-in').fill('120');
    await save(security);
    await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await security.getByLabel('Users are locked after, in days without a sign-in').inputValue()).toBe('120');
  });
});

it('leads an owner who now requires a second factor of everybody to enrol one', async () => {
  const guard = await protectedPerson('owner', 'Guarding Gil');
  const { page } = await visit('/settings');
  await openSettings(page, await person('owner', 'Bare Bia'));
  const security = await section(page, 'Sign-in');
  await security.getByLabel('Everybody needs a second factor').check();
  try {
    await save(security);
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.getByText('asks for a second factor').first().waitFor();
  } finally {
    await withoutFactor(guard);
  }
});

/**
 * Records changes inside the page, because the browser's protocol omits the body of a request that was created from a
 * copy.
 */
function keepChanges(): void {
  const send = window.fetch;
  window.fetch = async (...[request, ...rest]: Parameters<typeof fetch>) => {
    const keep: unknown = Reflect.get(window, 'keepSent');
    if (request instanceof Request && request.method === 'PATCH' && typeof keep === 'function')
      keep([request.headers.get('if-match'), await request.clone().json()]);
    return send(request, ...rest);
  };
}

/** Removes the factor requirement for the tests after this one. */
async function withoutFactor({ token, authenticator }: Protected): Promise<void> {
  const { version } = await api<{ version: number }>('GET', '/v1/settings', { token });
  const response = await fetch(`${baseUrl}/v1/settings`, {
    method: 'PATCH',
    body: JSON.stringify({ security: { mfaRequired: false } }),
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'If-Match': `"${version}"`,
      'X-TOTP-Code': await authenticator.next(),
    },
  });
  expect(response.status).toBe(200);
}
