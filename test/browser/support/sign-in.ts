import type { Page } from 'playwright-core';
import { inject } from 'vitest';

const demo = inject('demo');

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Signs in, as the owner of the demo tenant unless told otherwise. */
export async function signIn(page: Page, { email = demo.email, password = demo.password }: Partial<Credentials> = {}): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
