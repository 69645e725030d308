/** Steps on the page of the API explorer. Used by its browser tests. */
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { LONGEST_WAIT } from '../../../scripts/test/limits.ts';

/** The operation that tests call, as the address names it. */
export const LIST = 'GET/v1/applications';

export async function openOperation(page: Page): Promise<void> {
  const sidebar = page.getByRole('complementary');
  const operation = sidebar.getByText('List applications', { exact: true });
  // A page that is still loading opens groups as it scrolls, so that a click may close the
  // group in place of opening it.
  await expect
    .poll(
      async () => {
        if (!(await operation.isVisible())) await sidebar.getByText('Applications', { exact: true }).click();
        return operation.waitFor({ timeout: 2_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: LONGEST_WAIT },
    )
    .toBe(true);
  await operation.click();
  await testButton(page, LIST).waitFor();
}

export async function openCall(page: Page, operation: string): Promise<void> {
  await testButton(page, operation).click();
  await sendButton(page).waitFor();
}

export function sendButton(page: Page) {
  return page
    .getByRole('button', { name: /^Send (?!Request)/ })
    .filter({ visible: true })
    .last();
}

/** Sends the request as entered and returns it. */
export async function send(page: Page, operation: string): Promise<Request> {
  const [method, ...path] = operation.split('/');
  const sending = page.waitForRequest(
    (request) => request.method() === method && new URL(request.url()).pathname.startsWith(`/${path.join('/')}`),
  );
  await sendButton(page).click();
  return sending;
}

/** Returns the button that tests an operation; the address contains the operation as its method and its path. */
function testButton(page: Page, operation: string) {
  const [method, ...path] = operation.split('/');
  const called = `(${method?.toLowerCase()} /${path.join('/')})`;
  return page.getByRole('button', {
    name: new RegExp(`^Test Request ?${called.replaceAll(/[(){}]/g, String.raw`\$&`)}$`),
  });
}
