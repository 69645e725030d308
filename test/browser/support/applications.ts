/** Creates applications in each state beside the browser. Used by the browser tests of applications. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import type { components } from '../../../server/contract/generated/client-types.ts';
import { newCpf } from '../../support/cpf.ts';
import { api, tokenOf } from './api.ts';
import { person, type Person } from './people.ts';
import { baseUrl, demo } from './service.ts';
import { arrive, signedIn } from './sign-in.ts';
import type { Credentials } from './sign-in.ts';

export type Application = components['schemas']['Application'];
type Create = components['schemas']['ApplicationCreate'];

let owner: Promise<string> | null = null;
let screener: Promise<Person> | null = null;

/** Signs in the owner of the demo tenant outside of the browser. */
export function ownerToken(): Promise<string> {
  return (owner ??= tokenOf(demo));
}

/** Returns a name that no other application in these tests has. */
export function newName(givenName = 'Maria'): string {
  const letters = randomUUID().replaceAll(/[^a-f]/g, '');
  return `${givenName} ${letters.charAt(0).toUpperCase()}${letters.slice(1)} da Silva`;
}

/** Creates an application outside of the browser: a draft by default. */
export async function application(
  members: Partial<Omit<Create, 'applicant'>> = {},
  applicant: Partial<Create['applicant']> = {},
): Promise<Application> {
  const body: Create = {
    purpose: 'account_opening',
    level: 'basic',
    ...members,
    applicant: { fullName: newName(), ...applicant },
  };
  return api<Application>('POST', '/v1/applications', { token: await ownerToken(), body });
}

/** Returns the members that a basic application needs before it can be submitted. */
export function complete(): {
  readonly dateOfBirth: string;
  readonly taxId: { readonly type: 'cpf'; readonly value: string };
} {
  return { dateOfBirth: '1990-04-12', taxId: { type: 'cpf', value: newCpf() } };
}

export function read({ id }: Pick<Application, 'id'>): Promise<Application> {
  return ownerToken().then((token) => api<Application>('GET', `/v1/applications/${id}`, { token }));
}

/**
 * Screens the applicant outside of the browser, in the sandbox, so that one person may approve, and returns the updated
 * application.
 */
export async function screened(one: Pick<Application, 'id'>): Promise<Application> {
  await api('POST', '/v1/sandbox/enable', { token: await ownerToken() });
  const { token } = await (screener ??= person('analyst'));
  await api('POST', '/v1/screenings', { token, body: { applicationId: one.id } });
  return read(one);
}

interface File {
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** Returns an application in review, of a screened person with or without a public office. */
export async function inReview(isPep: boolean): Promise<Application> {
  const applicant = {
    ...complete(),
    fullName: newName('Rosalva'),
    ...(isPep && { pepDeclaration: { isPep, role: 'Mayor' } }),
  };
  return screened(await application({ submit: true }, applicant));
}

/** Uploads a document outside of the browser. */
export async function upload(
  { id }: Pick<Application, 'id'>,
  type: string,
  { name, mimeType, bytes }: File,
  side = 'single',
): Promise<void> {
  const body = new FormData();
  body.append('type', type);
  body.append('side', side);
  body.append('file', new Blob([new Uint8Array(bytes)], { type: mimeType }), name);
  const response = await fetch(`${baseUrl}/v1/applications/${id}/documents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await ownerToken()}` },
    body,
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Signs in, and resolves when the page of the address is shown. */
export async function enter(page: Page, who?: Credentials): Promise<void> {
  await arrive(page, who);
  await signedIn(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

export function pathOf({ id }: { readonly id: string }): string {
  return `/applications/${id}`;
}
