/** Browser tests of the documents on the page of an application. */
import { describe, expect, it } from 'vitest';
import { jpeg, pdf, stream } from '../support/specimens.ts';
import { api } from './support/api.ts';
import { application, enter, newName, pathOf, read, upload } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { person } from './support/people.ts';
import { shown } from './support/shown.ts';
import { examineStates } from './support/states.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();
/** Time limit for a busy machine. */

function picture(): Buffer {
  return jpeg({ text: newName() });
}

/**
 * Returns a file of three pages, the first of which is black in its lower half; every call returns a different file.
 */
function threePages(): Buffer {
  const ink = stream('', Buffer.from(`0 0 0 rg 0 0 595 421 re f % ${newName()}`));
  const text = pdf({ pages: 3, objects: [ink] }).toString('latin1');
  // The replacement has the same length, so that the table of cross-references stays correct.
  const box = '/MediaBox [0 0 595 842]';
  return Buffer.from(text.replace(box, '/Contents 100 0 R'.padEnd(box.length)), 'latin1');
}

describe('documents', () => {
  it('are dropped, shown in place from memory, and saved unchanged', async () => {
    const draft = await application();
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    await page.getByRole('link', { name: 'Add a document' }).click();
    await page.getByLabel('What it is').selectOption('Selfie');
    const bytes = [...picture()];
    const transfer = await page.evaluateHandle((content) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(content)], 'retrato.jpg', { type: 'image/jpeg' }));
      return files;
    }, bytes);
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer });
    await page.getByText('retrato.jpg').waitFor();
    await page.getByRole('button', { name: 'Upload' }).click();
    await announced(page, 'The document is added.');
    await page.getByRole('button', { name: 'Show: Selfie' }).click();
    const image = page.getByRole('img', { name: 'Preview of retrato.jpg' });
    await expect
      .poll(() => image.evaluate((shown) => shown instanceof HTMLImageElement && shown.naturalWidth))
      .toBe(640);
    expect(await image.getAttribute('src')).toMatch(/^blob:/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('retrato.jpg');
  });

  it('in PDF are drawn page by page as they become visible, by a worker of our own', async () => {
    const draft = await application();
    await upload(draft, 'proof_of_address', { name: 'conta.pdf', mimeType: 'application/pdf', bytes: threePages() });
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    const [worker] = await Promise.all([
      page.waitForEvent('worker'),
      page.getByRole('button', { name: 'Show: Proof of address' }).click(),
    ]);
    expect(new URL(worker.url()).origin).toBe(new URL(page.url()).origin);
    const first = page.getByRole('img', { name: 'Page 1 of 3' });
    await page.locator('canvas[data-drawn="true"]').first().waitFor();
    const shades = await first.evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return [];
      const column = canvas.getContext('2d')?.getImageData(canvas.width / 2, 0, 1, canvas.height).data;
      return [0.25, 0.75].map((height) => column?.[Math.floor(canvas.height * height) * 4]);
    });
    expect(shades).toEqual([255, 0]);
    expect(await page.getByRole('img', { name: 'Page 3 of 3' }).count()).toBe(0);
    await page
      .getByRole('group', { name: 'Preview of conta.pdf' })
      .evaluate((preview) => preview.scrollTo({ top: preview.scrollHeight }));
    await page.getByRole('img', { name: 'Page 3 of 3' }).waitFor();
  });

  it('are refused in words', async () => {
    const { page, expectedConsoleErrors } = await visit(`${pathOf(await application())}?add=passport`, { as: demo });
    [415, 422].forEach((status) => expectedConsoleErrors.add(status));
    await enter(page);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByText('Choose a file.').waitFor();
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('just words') });
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/JPEG|PNG|PDF|format|type/i);
    expect(await page.getByRole('button', { name: /^Show:/ }).count()).toBe(0);
  });

  it('of the body are rejected and refused in words once the consent is withdrawn', async () => {
    const draft = await application();
    const officer = await person('compliance_officer', 'Carla Dias');
    await upload(draft, 'selfie', { name: 'retrato.jpg', mimeType: 'image/jpeg', bytes: picture() });
    for (const [action, capturedAt] of [
      ['granted', '2026-11-01T08:00:00.000Z'],
      ['withdrawn', '2026-11-02T08:00:00.000Z'],
    ]) {
      const consent = {
        action,
        capturedAt,
        purpose: 'biometric_processing',
        legalBasis: 'consent',
        textVersion: '1',
        textSha256: 'ab'.repeat(32),
        locale: 'pt-BR',
        channel: 'web',
      };
      await api('POST', `/v1/applications/${draft.id}/consents`, { token: officer.token, body: consent });
    }
    const { page, expectedConsoleErrors } = await visit(`${pathOf(draft)}?add=selfie`, { as: demo });
    expectedConsoleErrors.add(409);
    await enter(page);
    await shown(page.getByText('The consent to its use was withdrawn.'));
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'outro.jpg', mimeType: 'image/jpeg', buffer: picture() });
    await page.getByRole('button', { name: 'Upload' }).click();
    await shown(
      page.getByText(
        'The use of biometrics was withdrawn. Record another consent, or another legal basis, ' +
          'and upload another picture.',
      ),
    );
    await shown(page.getByRole('region', { name: 'History' }).getByText('Document rejected: Selfie'));
  });

  it('are listed for a viewer, who cannot open them', async () => {
    const draft = await application();
    await upload(draft, 'passport', { name: 'passaporte.jpg', mimeType: 'image/jpeg', bytes: picture() });
    const { page } = await visit(pathOf(draft));
    await enter(page, await person('viewer'));
    await page.getByText('Your role does not see documents.').waitFor();
    expect(await page.getByText('passaporte.jpg').count()).toBe(0);
    for (const name of [/^Show:/, 'Submit', 'Withdraw'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    for (const name of ['Edit', 'Enter it', 'Add a document'])
      expect(await page.getByRole('link', { name }).count()).toBe(0);
    await page.getByText('Your role sees this data masked').waitFor();
  });
});

describe('a document of a draft', () => {
  it('is deleted after a question, and the history still mentions it', async () => {
    const draft = await application();
    await upload(draft, 'passport', { name: 'passaporte.jpg', mimeType: 'image/jpeg', bytes: picture() });
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    await page.getByRole('button', { name: 'Delete: Passport' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('passaporte.jpg').waitFor();
    await page.getByRole('button', { name: 'Delete: Passport' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await announced(page, 'The document is deleted.');
    await page.getByText('No document has been added yet.').waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Document deleted: Passport').waitFor();
    expect((await read(draft)).documents).toEqual([]);
  });
});

examineStates(visit, [
  {
    name: 'an application with documents',
    path: '/applications',
    as: () => demo,
    reach: async (page) => {
      const draft = await application({ level: 'enhanced' });
      await upload(draft, 'passport', { name: 'passaporte.jpg', mimeType: 'image/jpeg', bytes: picture() });
      await enter(page);
      await page.goto(pathOf(draft));
      await page.getByRole('button', { name: 'Show: Passport' }).click();
      await page.getByRole('img', { name: 'Preview of passaporte.jpg' }).waitFor();
    },
  },
  {
    name: 'the upload of a document',
    path: '/applications',
    as: () => demo,
    reach: async (page) => {
      const draft = await application({ level: 'standard' });
      await enter(page);
      await page.goto(`${pathOf(draft)}?add=passport`);
      await page.getByRole('button', { name: 'Upload' }).click();
      await page.getByText('Choose a file.').waitFor();
    },
  },
]);
