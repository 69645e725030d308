/** Fixture of the tests of the OAuth token endpoint. */
import { expect } from 'vitest';
import type { KeySpecification } from '../../server/modules/api-keys/issue-key.ts';
import { shared } from '../support/service.ts';
import { startWorld, type Answer, type Call, type Schemas } from './auth-world.ts';

export type Client = { readonly id: string; readonly secret: string };

export type Refusal = Schemas['OAuthError'];

/** Both ways of client authentication of RFC 6749 §2.3.1, for the same request. */
export const ways = {
  'HTTP Basic': ({ id, secret }: Client, form: Record<string, string> = {}): Call => ({
    headers: {
      Authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
    },
    form: { grant_type: 'client_credentials', ...form },
  }),
  'the form': ({ id, secret }: Client, form: Record<string, string> = {}): Call => ({
    form: {
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
      ...form,
    },
  }),
} as const;

export function expectRefused(answer: Answer<Refusal>, status: number, error: Refusal['error']): void {
  expect([answer.status, answer.body.error]).toEqual([status, error]);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('pragma')).toBe('no-cache');
  expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description']);
  expect(answer.body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
}

/** Starts a service, and returns what makes clients and requests their tokens. */
export async function startOauthTokenWorld() {
  const world = await shared(startWorld());
  const tenantId = await world.database.tenant();
  async function client(specification: Partial<KeySpecification> = {}, tenant = tenantId): Promise<Client> {
    const { key, secret } = await world.key(tenant, { scopes: ['read', 'write'], ...specification });
    return { id: key.prefix, secret };
  }
  const token = <T = Refusal>(call: Call, query = ''): Promise<Answer<T>> =>
    world.call<T>('POST', `/oauth/token${query}`, call);
  return {
    world,
    tenantId,
    client,
    token,
  };
}
