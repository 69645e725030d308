/**
 * A command that tries out a new key. Used by issued-key-dialog.tsx. It contains the secret, so it is shown only there.
 */
import { api, type Schemas } from '../../core/api.ts';

const [, applications] = api.queryOptions('get', '/v1/applications').queryKey;

const DRAFT = {
  purpose: 'account_opening',
  applicant: { fullName: 'Ana Exemplo' },
} satisfies Schemas['ApplicationCreate'];

/**
 * Returns a first request for a terminal that works with these scopes at this installation; null if no operation needs
 * the scopes yet.
 */
export function firstRequest(origin: string, secret: string, scopes: readonly Schemas['Scope'][]): string | null {
  const call = `curl -H 'X-API-Key: ${secret}' '${origin}${applications}`;
  if (scopes.includes('read') || scopes.includes('admin')) return `${call}?limit=5'`;
  if (scopes.includes('write'))
    return `${call}' \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(DRAFT)}'`;
  return null;
}
