/** Browser tests of the proofs of audit events. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openAudit, openOldest, proveOldest } from './support/audit.ts';
import { useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { shown } from './support/shown.ts';

const visit = useChromium();

interface Proof {
  leafHash: string;
  rootHash: string;
  treeSize: number;
  checkpoint: { rootHash: string; treeSize: number };
}

describe('a proof', () => {
  it('is checked by the browser itself, and holds', async () => {
    const { page, expectedConsoleErrors } = await visit('/audit', { as: demo });
    expectedConsoleErrors.add(409);
    await openAudit(page);
    await proveOldest(page);
    await page.getByText('The proof holds.').waitFor();
    expect(await page.locator('.audit-findings .holds').count()).toBe(3);
  });

  it.each([
    [
      'event',
      0,
      (proof: Proof) => {
        proof.leafHash = 'a'.repeat(64);
      },
    ],
    [
      'path',
      1,
      (proof: Proof) => {
        proof.rootHash = proof.checkpoint.rootHash = 'b'.repeat(64);
      },
    ],
    [
      'signature',
      2,
      (proof: Proof) => {
        proof.checkpoint.treeSize = proof.treeSize = proof.treeSize * 2 + 1;
      },
    ],
  ] as const)('does not hold when its %s was changed', async (_part, finding, tamper) => {
    const { page, expectedConsoleErrors } = await visit('/audit', { as: demo });
    expectedConsoleErrors.add(409);
    await openAudit(page);
    await page.route('**/proof', async (route) => {
      const answer = await route.fetch();
      const proof = (await answer.json()) as Proof;
      tamper(proof);
      await route.fulfill({ response: answer, json: proof });
    });
    await proveOldest(page);
    await page.getByText('The proof does not hold.').waitFor();
    expect(await page.locator('.audit-findings li').nth(finding).getAttribute('class')).toBe('broken');
  });

  it('is awaited while no checkpoint covers the event', async () => {
    const { page, expectedConsoleErrors } = await visit('/audit', { as: demo });
    expectedConsoleErrors.add(409);
    await openAudit(page);
    await page.route(
      '**/proof',
      (route) =>
        route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          json: {
            type: '/problems/not_checkpointed_yet',
            title: 'The event is not covered by a checkpoint yet',
            status: 409,
            code: 'not_checkpointed_yet',
            requestId: '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00',
            retryAfter: 2,
          },
        }),
      { times: 1 },
    );
    await openOldest(page);
    await page.getByRole('button', { name: 'Verify in this browser' }).click();
    await shown(page.getByText('not covered by a checkpoint yet'));
    await shown(page.getByText('The proof holds.'));
  });

  it('is removed with its event', async () => {
    const { page, expectedConsoleErrors } = await visit('/audit', { as: demo });
    expectedConsoleErrors.add(409);
    await openAudit(page);
    await openOldest(page);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the proof' }).click();
    const file = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as {
      event: { id: string };
      proof: { eventId: string };
    };
    expect(file.proof.eventId).toBe(file.event.id);
  });
});
