/**
 * A command that tries out a new key. Used by issued-key-dialog.tsx. It contains the secret, so it is shown only there.
 */
import { api, type Schemas } from '../../core/api.ts';

const [, applications] = api.queryOptions('get', '/v1/applications').queryKey;
const [, businesses] = api.queryOptions('get', '/v1/businesses').queryKey;

const DRAFT = {
  purpose: 'account_opening',
  applicant: { fullName: 'Ana Exemplo' },
} satisfies Schemas['ApplicationCreate'];

const COMPANY = {
  legalName: 'Empresa Exemplo Ltda',
  registration: { type: 'cnpj', number: '11222333000181' },
  legalForm: 'ltda',
} satisfies Schemas['BusinessCreate'];

/**
 * Returns a first request for a terminal that works with these scopes at this installation; null if there is none that
 * works without other records.
 */
export function firstRequest(origin: string, secret: string, scopes: readonly Schemas['Scope'][]): string | null {
  const call = (path: string): string => `curl -H 'X-API-Key: ${secret}' '${origin}${path}`;
  const create = (path: string, body: object): string =>
    `${call(path)}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`;
  if (scopes.includes('read') || scopes.includes('admin')) return `${call(applications)}?limit=5'`;
  if (scopes.includes('write')) return create(applications, DRAFT);
  return scopes.includes('kyb') ? create(businesses, COMPANY) : null;
}
