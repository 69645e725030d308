import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../server/base/canonical-json.ts';
import { callWith } from './support/call.ts';
import { useChromium } from './support/chromium.ts';
import { person } from './support/people.ts';
import { baseUrl, demo } from './support/service.ts';
import { signedIn, signIn } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

describe('the search', () => {
  it('finds events by action, outcome and actor, newest first', async () => {
    const who = await person('auditor', 'Searching Sonia');
    const { page } = await visit('/audit');
    await openAudit(page);
    await page.getByLabel('Action', { exact: true }).fill('auth.invitation');
    await row(page, 'auth.invitation.accepted').getByText(who.name).waitFor();
    await page.getByLabel('Outcome').selectOption('Denied');
    await page.getByText('Nothing fits').waitFor();
    await page.getByLabel('Outcome').selectOption('Any outcome');
    await page.getByText('More filters').click();
    await page.getByLabel('Actor', { exact: true }).fill(who.id);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
  });

  it('finds events of a day', async () => {
    const { page, expected } = await visit('/audit');
    // With one end only, the range is too wide.
    expected.add(400);
    await openAudit(page);
    await page.getByLabel('To', { exact: true }).fill('2020-01-02');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01');
    await page.getByText('Nothing fits').waitFor();
  });

  it('shows what was refused, and why', async () => {
    expect(await callWith(demo.testKey)).toBe(403);
    const { page } = await visit('/audit');
    await openAudit(page);
    await page.getByLabel('Outcome').selectOption('Denied');
    await page.getByText('sandbox disabled').first().waitFor();
  });

  it('shows everything about an event, with what changed', async () => {
    await person('viewer', 'Changing Chico');
    const { page } = await visit('/audit');
    await openAudit(page);
    await openEvent(page, 'user.invited');
    const dialog = page.getByRole('dialog', { name: 'user.invited' });
    await dialog.getByText('"viewer"').waitFor();
    await dialog.getByText('Hash before').waitFor();
  });
});

describe('the log', () => {
  it('is verified, and says so', async () => {
    const { page } = await visit('/audit');
    await openAudit(page);
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The log holds.').waitFor();
  });

  it('that does not continue a checkpoint which somebody kept is reported with the kind of the failure', async () => {
    const { page } = await visit('/audit');
    await openAudit(page);
    await page.getByText('Compare with a checkpoint').click();
    await page.getByLabel('A checkpoint that you kept').fill(JSON.stringify({ treeSize: 1, rootHash: 'a'.repeat(64) }));
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The log does not hold.').waitFor();
    await page.getByText(/^(?:checkpoint|root)_mismatch$/).waitFor();
  });

  it('has checkpoints that can be kept, signed by the key they name', async () => {
    const { page } = await visit('/audit');
    await openAudit(page);
    await proveFirst(page);
    await page.keyboard.press('Escape');
    await page.reload();
    await openAudit(page);
    const saving = page.waitForEvent('download');
    await page.getByRole('region', { name: 'Checkpoints' }).getByRole('button', { name: /^Download/ }).first().click();
    const { signature, ...signed } = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as { signature: string };
    const { publicKeys } = (await (await fetch(`${baseUrl}/v1/audit/checkpoints`, { headers: { 'X-API-Key': demo.apiKey } })).json()) as { publicKeys: { kty: string; crv: string; x: string }[] };
    const [jwk] = publicKeys;
    expect(verify(null, Buffer.from(canonicalJson(signed)), createPublicKey({ key: { kty: jwk?.kty, crv: jwk?.crv, x: jwk?.x }, format: 'jwk' }), Buffer.from(signature, 'base64'))).toBe(true);
  });
});

describe('a proof', () => {
  it('is checked by the browser itself, and holds', async () => {
    const { page } = await visit('/audit');
    await openAudit(page);
    await proveFirst(page);
    await page.getByText('The proof holds.').waitFor();
    expect(await page.locator('.findings .holds').count()).toBe(3);
  });

  it.each([
    ['event', 0, (proof: Proof) => { proof.leafHash = 'a'.repeat(64); }],
    ['path', 1, (proof: Proof) => { proof.rootHash = proof.checkpoint.rootHash = 'b'.repeat(64); }],
    ['signature', 2, (proof: Proof) => { proof.checkpoint.treeSize = proof.treeSize = proof.treeSize * 2 + 1; }],
  ] as const)('does not hold when its %s was changed', async (_part, finding, tamper) => {
    const { page } = await visit('/audit');
    await openAudit(page);
    await page.route('**/proof', async (route) => {
      const answer = await route.fetch();
      const proof = (await answer.json()) as Proof;
      tamper(proof);
      await route.fulfill({ response: answer, json: proof });
    });
    await proveFirst(page);
    await page.getByText('The proof does not hold.').waitFor();
    expect(await page.locator('.findings li').nth(finding).getAttribute('class')).toBe('broken');
  });

  it('is waited for while no checkpoint covers the event', async () => {
    const { page, expected } = await visit('/audit');
    expected.add(409);
    await openAudit(page);
    await page.route('**/proof', (route) => route.fulfill({
      status: 409, contentType: 'application/problem+json',
      json: { type: '/problems/not_checkpointed_yet', title: 'The event is not covered by a checkpoint yet', status: 409, code: 'not_checkpointed_yet', requestId: '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00', retryAfter: 2 },
    }), { times: 1 });
    await openOldest(page);
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await page.getByText('not covered by a checkpoint yet').waitFor();
    await page.getByText('The proof holds.').waitFor();
  });

  it('is taken away with its event', async () => {
    const { page } = await visit('/audit');
    await openAudit(page);
    await openOldest(page);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the proof' }).click();
    const file = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as { event: { id: string }; proof: { eventId: string } };
    expect(file.proof.eventId).toBe(file.event.id);
  });
});

examineStates(visit, [
  { name: 'the audit log', path: '/audit', reach: async (page) => {
    await openAudit(page);
    await page.getByText('More filters').click();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('The log holds.').waitFor();
  } },
  { name: 'an event with its proof', path: '/audit', reach: async (page) => {
    await openAudit(page);
    await proveFirst(page);
    await page.getByText('The proof holds.').waitFor();
  } },
]);

interface Proof {
  leafHash: string;
  rootHash: string;
  treeSize: number;
  checkpoint: { rootHash: string; treeSize: number };
}

async function openAudit(page: Page): Promise<void> {
  await signIn(page);
  await signedIn(page);
  await page.locator('tbody tr').first().waitFor();
}

function row(page: Page, action: string) {
  return page.getByRole('row').filter({ has: page.getByRole('button', { name: action, exact: true }) }).first();
}

async function openEvent(page: Page, action: string): Promise<void> {
  await row(page, action).getByRole('button', { name: action, exact: true }).click();
}

/** A checkpoint covers it from the first proof on that anybody asks for. */
async function openOldest(page: Page): Promise<void> {
  await page.getByText('More filters').click();
  await page.getByLabel('Order').selectOption('Oldest first');
  await page.getByRole('row').nth(1).getByText('No. 1', { exact: true }).waitFor();
  await page.locator('tbody button').first().click();
}

async function proveFirst(page: Page): Promise<void> {
  await openOldest(page);
  await page.getByRole('button', { name: 'Verify in this browser' }).click();
  await page.locator('.findings').waitFor();
}
