/** Browser tests of verifying and exporting the audit log. */
import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../server/base/canonical-json.ts';
import { openAudit, proveOldest } from './support/audit.ts';
import { useChromium } from './support/chromium.ts';
import { person } from './support/people.ts';
import { baseUrl, demo } from './support/service.ts';
import { shown } from './support/shown.ts';
import { arrive } from './support/sign-in.ts';
import { examineStates } from './support/states.ts';

const visit = useChromium();

describe('the log', () => {
  it('is verified, and says so', async () => {
    const { page } = await visit('/audit', { as: demo });
    await openAudit(page);
    await page.getByRole('link', { name: 'Verify the log' }).click();
    await page.getByRole('button', { name: 'Verify now' }).click();
    await shown(page.getByText('The log holds.'));
  });

  it('that does not continue a stored checkpoint is reported with the kind of the failure', async () => {
    const { page, expectedConsoleErrors } = await visit('/audit?show=verify', { as: demo });
    expectedConsoleErrors.add(400);
    await arrive(page);
    await page.getByLabel('A checkpoint that you kept').fill('not a checkpoint');
    await page.getByRole('button', { name: 'Verify now' }).click();
    await shown(page.getByText('The checkpoint is not JSON.'));
    await page.getByLabel('A checkpoint that you kept').fill(JSON.stringify({ treeSize: 1, rootHash: 'a'.repeat(64) }));
    await page.getByRole('button', { name: 'Verify now' }).click();
    await shown(page.getByText('The log does not hold.'));
    await shown(page.getByText(/^(?:checkpoint|root)_mismatch$/));
  });

  it('is exported with the filters of the search, and the export is found again at its address', async () => {
    await person('viewer', 'Exported Elisa');
    const { page, expectedConsoleErrors } = await visit('/audit?action=user.*', { as: demo });
    await openAudit(page);
    await page.getByRole('link', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export the log' });
    await dialog.getByText('The events that the filters of this page find are exported.').waitFor();
    await dialog.getByLabel('With proofs').check();
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog.getByText(/^Ready: \d+ events, [\d,]+ bytes\.$/).waitFor();
    await page.reload();
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download the export' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.ndjson$/);
    const lines = (await readFile(await download.path(), 'utf8'))
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            type: string;
            filter?: object;
            event?: { action: string };
            proof?: object;
          },
      );
    expect([lines[0]?.filter, lines.at(-1)?.type]).toEqual([{ action: ['user.*'] }, 'checkpoint']);
    const events = lines.filter(({ type }) => type === 'event');
    expect(events.length).toBeGreaterThan(0);
    expect(events.every(({ event, proof }) => event?.action.startsWith('user.') === true && proof !== undefined)).toBe(
      true,
    );
    await dialog.getByRole('button', { name: 'Another export' }).click();
    await dialog.getByLabel('CSV').check();
    expect(await dialog.getByLabel('With proofs').count()).toBe(0);
    await page.route(
      '**/v1/audit/exports',
      (route) =>
        route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          json: {
            type: '/problems/export_running',
            title: 'Another export is running',
            status: 409,
            code: 'export_running',
            requestId: '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00',
          },
        }),
      { times: 1 },
    );
    expectedConsoleErrors.add(409);
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    await dialog.getByText('Another export is running.').waitFor();
  });

  it('has checkpoints that can be saved, signed by the key they name', async () => {
    const { page, expectedConsoleErrors } = await visit('/audit', { as: demo });
    expectedConsoleErrors.add(409);
    await openAudit(page);
    await proveOldest(page);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Checkpoints' }).click();
    const saving = page.waitForEvent('download');
    await page
      .getByRole('dialog', { name: 'Checkpoints' })
      .getByRole('button', { name: /^Download/ })
      .first()
      .click();
    const { signature, ...signed } = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as {
      signature: string;
    };
    const { publicKeys } = (await (
      await fetch(`${baseUrl}/v1/audit/checkpoints`, { headers: { 'X-API-Key': demo.apiKey } })
    ).json()) as { publicKeys: { kty: string; crv: string; x: string }[] };
    const [jwk] = publicKeys;
    expect(
      verify(
        null,
        Buffer.from(canonicalJson(signed)),
        createPublicKey({ key: { kty: jwk?.kty, crv: jwk?.crv, x: jwk?.x }, format: 'jwk' }),
        Buffer.from(signature, 'base64'),
      ),
    ).toBe(true);
  });
});

examineStates(visit, [
  {
    name: 'the verification of the log',
    path: '/audit?show=verify',
    as: () => demo,
    reach: async (page) => {
      await arrive(page);
      await page.getByRole('button', { name: 'Verify now' }).click();
      await page.getByText('The log holds.').waitFor();
    },
  },
  {
    name: 'an export of the log',
    path: '/audit?show=export',
    as: () => demo,
    reach: async (page) => {
      await arrive(page);
      await page.getByRole('dialog', { name: 'Export the log' }).getByText('The whole log is exported.').waitFor();
    },
  },
  {
    name: 'the list of checkpoints',
    path: '/audit?show=checkpoints',
    as: () => demo,
    reach: async (page) => {
      await arrive(page);
      await page
        .getByRole('dialog', { name: 'Checkpoints' })
        .getByText(/^\d+ events$|No checkpoint yet/)
        .first()
        .waitFor();
    },
  },
]);
