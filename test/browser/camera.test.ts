/** Browser tests of the page that photographs documents. The camera of the browser shows a moving pattern. */
import { describe, expect, it } from 'vitest';
import { application, enter, pathOf, read } from './support/applications.ts';
import { useChromium } from './support/chromium.ts';
import { demo } from './support/service.ts';
import { announced } from './support/toast.ts';

const visit = useChromium();

/** The policy of a document, which the library of types does not know. */
interface Policed {
  readonly featurePolicy: { allowsFeature(name: string): boolean };
}

describe('the page of the camera', () => {
  it('is reached from an application, and uploads what was photographed', async () => {
    const draft = await application();
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    const mayUseCamera = () =>
      page.evaluate(() => (document as unknown as Policed).featurePolicy.allowsFeature('camera'));
    expect(await mayUseCamera()).toBe(false);
    await page.getByRole('link', { name: 'Photograph a document' }).click();
    await page.getByLabel('What it is').selectOption('Passport');
    expect(await mayUseCamera()).toBe(true);
    await page.getByLabel('Side').selectOption('Whole document');
    const video = page.getByLabel('What the camera sees');
    await expect.poll(() => video.evaluate((shown) => (shown as HTMLVideoElement).videoWidth)).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Upload the picture' }).click();
    await page.getByText('Take a picture first.').waitFor();
    await page.getByRole('button', { name: 'Take the picture' }).click();
    const picture = page.getByRole('img', { name: 'The picture' });
    await expect
      .poll(() => picture.evaluate((shown) => (shown as HTMLImageElement).naturalWidth))
      .toBeGreaterThanOrEqual(600);
    await page
      .getByRole('status')
      .getByText(/picture is|A reflection/)
      .waitFor();
    await page.getByRole('button', { name: 'Upload the picture' }).click();
    await announced(page, 'The document is added.');
    const { documents } = await read(draft);
    expect(documents).toEqual([expect.objectContaining({ type: 'passport', mimeType: 'image/jpeg' })]);
    await page.getByRole('link', { name: 'Back to the application' }).click();
    await page.getByRole('heading', { name: 'Documents' }).waitFor();
  });

  it('says how to allow the camera if it is refused', async () => {
    const draft = await application();
    const { page } = await visit(pathOf(draft), { as: demo });
    await enter(page);
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
    });
    await page.goto(`/camera?applicationId=${draft.id}`);
    await page.getByText('The camera cannot be used.').waitFor();
    expect(await page.getByRole('button', { name: 'Take the picture' }).count()).toBe(0);
  });

  it('asks who is there before it shows anything', async () => {
    const { page } = await visit(`/camera?applicationId=${(await application()).id}`);
    await page.getByLabel('E-mail').waitFor();
    expect(await page.getByText('Photograph a document').count()).toBe(0);
  });
});
