/** Browser tests of inviting, changing, unlocking and signing out team members. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { api, tokenOf } from './support/api.ts';
import { PHONE, useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { linkTo } from './support/outbox.ts';
import { person, protectedPerson } from './support/people.ts';
import { gone, shown } from './support/shown.ts';
import { signInWithCode } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';
import { act, find, openTeam, rowOf } from './support/team-page.ts';

const visit = useChromium();

describe('a colleague', () => {
  it('is invited, invited again with a new link, and the invitation is revoked', async () => {
    const { page } = await visit('/team', { as: demo });
    await openTeam(page);
    const email = `invited-${Date.now()}@example.com`;
    await invite(page, email, 'Auditor');
    const row = rowOf(page, email);
    await row.getByText('Invited', { exact: true }).first().waitFor();
    const first = await linkTo(email, '/invitation');
    await act(page, email, 'Send the invitation again…');
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
    await announced(page, 'has a new link');
    await expect.poll(() => linkTo(email, '/invitation')).not.toBe(first);
    await act(page, email, 'Revoke the invitation…');
    await page.getByRole('button', { name: 'Revoke the invitation' }).click();
    await announced(page, 'is not invited any more');
    await row.getByText('Deactivated').waitFor();
  });

  it('is not invited without an address, and the message beside the field says what to enter', async () => {
    const { page, expectedConsoleErrors } = await visit('/team', { as: demo });
    expectedConsoleErrors.add(422);
    await openTeam(page);
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send the invitation' }).click();
    await dialog.getByText('Enter their e-mail address.').waitFor();
    const email = dialog.getByLabel('E-mail');
    await email.fill('x');
    await dialog.getByRole('button', { name: 'Send the invitation' }).click();
    await dialog.getByText('This is not an e-mail address.').waitFor();
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await dialog.getByText(/the body|too short|at least/i).count()).toBe(0);
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  it('is found in the outbox of a demo, which the form links', async () => {
    const { page } = await visit('/team', { ...PHONE, as: demo });
    await openTeam(page);
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    expect(await page.getByRole('dialog').getByRole('link', { name: 'outbox' }).getAttribute('href')).toMatch(
      /\/outbox$/,
    );
  });

  it('gets another role, which takes effect at once', async () => {
    const who = await person('viewer', 'Role Changes');
    const { page } = await visit('/team', { as: demo });
    await openTeam(page, who.email);
    await act(page, who.name, 'Change the role…');
    await page.getByRole('radio', { name: 'Compliance officer' }).check();
    await page.getByRole('button', { name: 'Save the role' }).click();
    await rowOf(page, who.name).getByText('Compliance officer').waitFor();
    const { user } = await api<{ user: { role: string } }>('GET', '/v1/auth/me', { token: await tokenOf(who) });
    expect(user.role).toBe('compliance_officer');
  });

  it('is deactivated and reactivated', async () => {
    const who = await person('analyst', 'Goes And Returns');
    const { page } = await visit('/team', { as: demo });
    await openTeam(page, who.email);
    const row = rowOf(page, who.name);
    await act(page, who.name, 'Deactivate…');
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await row.getByText('Deactivated').waitFor();
    await expect(tokenOf(who)).rejects.toThrow('401');
    await act(page, who.name, 'Reactivate…');
    await page.getByRole('dialog').getByRole('button', { name: 'Reactivate' }).click();
    await row.getByText('Active', { exact: true }).waitFor();
    await tokenOf(who);
  });

  it('that is locked out is unlocked', async () => {
    const who = await person('analyst', 'Locked Out');
    for (let attempt = 0; attempt < 12; attempt++) if ((await refusal(who.email)) === 423) break;
    const { page } = await visit('/team', { as: demo });
    await openTeam(page, who.email);
    const row = rowOf(page, who.name);
    await shown(row.getByText('Locked', { exact: true }));
    await act(page, who.name, 'Unlock…');
    await page.getByRole('dialog').getByRole('button', { name: 'Unlock' }).click();
    await shown(row.getByText('Active', { exact: true }));
    await tokenOf(who);
  });

  it('is signed out of one session, or of all', async () => {
    const who = await person('analyst', 'Many Sessions');
    await tokenOf(who);
    await tokenOf(who);
    const { page } = await visit('/team', { as: demo });
    await openTeam(page, who.email);
    await act(page, who.name, 'Sessions…');
    const sessions = page.getByRole('dialog').getByRole('listitem');
    await sessions.nth(2).waitFor();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^End the session/ })
      .first()
      .click();
    await expect.poll(() => sessions.count()).toBe(2);
    await page.getByRole('button', { name: 'End all' }).click();
    await announced(page, 'have ended');
    await expect(api('GET', '/v1/auth/me', { token: who.token })).rejects.toThrow('401');
  });
});

describe('a lost second factor', () => {
  it('is reset by an owner with a fresh second factor', async () => {
    const lost = await protectedPerson('analyst', 'Lost Telephone');
    const owner = await protectedPerson('owner', 'Second Owner');
    const { page, expectedConsoleErrors } = await visit('/team');
    expectedConsoleErrors.add(401).add(403);
    await signInWithCode(page, owner);
    await find(page, lost.email);
    // Signing in with a code counts as a fresh factor, so the answer of the service is replaced: only it can say that
    // the factor is too old.
    await page.route(
      '**/reset-mfa',
      (route) =>
        route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          json: {
            type: '/problems/step_up_required',
            title: 'A fresh second factor is required',
            status: 403,
            code: 'step_up_required',
            requestId: '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00',
          },
        }),
      { times: 1 },
    );
    await act(page, lost.name, 'Reset the second factor…');
    await page.getByLabel('Reason').fill('Telephone lost, identity confirmed by video call');
    await page.getByRole('button', { name: 'Reset the second factor' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByLabel('Code of your authenticator').fill('12');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await question.getByText('Wrong, or used before').waitFor();
    const sent = page.waitForRequest('**/reset-mfa');
    const code = await owner.authenticator.next();
    await question.getByLabel('Code of your authenticator').fill(code);
    await question.getByRole('button', { name: 'Confirm' }).click();
    expect((await sent).headers()['x-totp-code']).toBe(code);
    await announced(page, 'is reset');
    await rowOf(page, lost.name).getByText('Off', { exact: true }).waitFor();
    await tokenOf(lost);
  });

  it('is not reset by an owner who cancels or has none', async () => {
    const lost = await protectedPerson('analyst', 'Still Protected');
    const { page, expectedConsoleErrors } = await visit('/team', { as: demo });
    expectedConsoleErrors.add(403);
    await openTeam(page, lost.email);
    await act(page, lost.name, 'Reset the second factor…');
    await page.getByLabel('Reason').fill('Telephone lost, identity confirmed by video call');
    await page.getByRole('button', { name: 'Reset the second factor' }).click();
    const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await gone(question);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await gone(page.getByRole('dialog'));
    await shown(rowOf(page, lost.name).getByText('On', { exact: true }));
  });
});

examineStates(visit, [
  {
    name: 'the team',
    path: '/team',
    as: () => demo,
    reach: (page) => openTeam(page),
  },
  {
    name: 'the form of an invitation',
    path: '/team',
    as: () => demo,
    reach: async (page) => {
      await openTeam(page);
      await page.getByRole('button', { name: 'Invite somebody' }).click();
    },
  },
  {
    name: 'the question for a fresh code',
    path: '/team',
    as: () => demo,
    refusals: [403],
    reach: async (page) => {
      const who = await protectedPerson('analyst', 'Asked About');
      await openTeam(page, who.email);
      await act(page, who.name, 'Reset the second factor…');
      await page.getByLabel('Reason').fill('Telephone lost, identity confirmed by video call');
      await page.getByRole('button', { name: 'Reset the second factor' }).click();
      await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    },
  },
]);

async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await page.getByRole('dialog').getByLabel('E-mail').fill(email);
  await page.getByRole('radio', { name: role }).check();
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await announced(page, `${email} is invited`);
  await find(page, email);
}

async function refusal(email: string): Promise<number> {
  return Number(
    /answered (\d+)/.exec(await tokenOf({ email, password: 'not the password' }).then(() => '', String))?.[1],
  );
}
