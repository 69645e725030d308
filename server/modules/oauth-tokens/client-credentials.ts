/**
 * Reads the credentials of a token request and decides which scopes it gets, without input or output. Called by the
 * handler. Throws the errors of RFC 6749 §5.2. A token never gets a scope that its key lacks; the reasons of refusals
 * must not help to guess a secret.
 */
import type { RealTime } from '../../base/time.ts';
import { type Scope, SCOPES } from '../../contract/operation.ts';
import { OAuthError } from '../../contract/problem.ts';
import { isUsable } from '../../identity/api-key.ts';
import { isAllowed } from '../../identity/client-address.ts';
import { hasGrantor } from '../../identity/grantor.ts';
import type { KeyRecord } from '../../identity/store.ts';
import { isOpen } from '../../identity/tenant.ts';

interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** Form parameters of client authentication. */
export interface ClientForm {
  readonly client_id?: string;
  readonly client_secret?: string;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Reads the client's credentials from exactly one place (RFC 6749 §2.3: never more than one method). */
export function clientCredentials(authorization: string | undefined, form: ClientForm): ClientCredentials {
  // A parameter without a value counts as omitted (RFC 6749 §3.2).
  const id = form.client_id || undefined;
  const secret = form.client_secret || undefined;
  if (authorization !== undefined) {
    const client = readBasic(authorization);
    if (secret !== undefined)
      throw new OAuthError('invalid_request', 'Send the client credentials by HTTP Basic or in the form, not both.');
    if (id !== undefined && id !== client.id)
      throw new OAuthError('invalid_request', 'The client_id differs from the one in the Authorization header.');
    return client;
  }
  if (id === undefined && secret === undefined)
    throw new OAuthError('invalid_client', 'No client credentials were sent.');
  if (id === undefined) throw new OAuthError('invalid_request', 'The parameter client_id is missing.');
  if (secret === undefined) throw new OAuthError('invalid_request', 'The parameter client_secret is missing.');
  return { id, secret };
}

/** Reads HTTP Basic credentials (RFC 7617), with both halves form-encoded as RFC 6749 §2.3.1 requires. */
function readBasic(authorization: string): ClientCredentials {
  const [scheme = '', token = '', ...rest] = authorization.trim().split(/ +/);
  if (scheme.toLowerCase() !== 'basic')
    throw new OAuthError('invalid_client', 'Only HTTP Basic is supported in the Authorization header.');
  const text = BASE64.test(token) && rest.length === 0 ? Buffer.from(token, 'base64').toString('latin1') : '';
  const colon = text.indexOf(':');
  if (colon < 1) throw malformed();
  return { id: formDecode(text.slice(0, colon)), secret: formDecode(text.slice(colon + 1)) };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformed();
  }
}

function malformed(): OAuthError {
  return new OAuthError('invalid_request', 'The Authorization header is not valid HTTP Basic.');
}

/** `scope-token *( SP scope-token )` of RFC 6749 §3.3. */
const FORM = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** Returns the scopes of the token, sorted: all scopes of the key, or the requested part of them. */
export function grantedScopes(requested: string | undefined, held: readonly Scope[]): Scope[] {
  if (requested === undefined || requested === '') return [...held].sort();
  if (!FORM.test(requested)) throw new OAuthError('invalid_scope', 'The scope is malformed.');
  const wanted = new Set<Scope>();
  for (const token of requested.split(' ')) {
    const scope = SCOPES.find((known) => known === token);
    if (scope === undefined) throw new OAuthError('invalid_scope', 'An unknown scope was requested.');
    if (!held.includes(scope) && !held.includes('admin')) {
      throw new OAuthError('invalid_scope', `The scope ${scope} is not granted to this client.`);
    }
    wanted.add(scope);
  }
  return [...wanted].sort();
}

/**
 * Returns the scopes of an authenticated client, or throws the reason of the refusal. The order of the checks decides
 * which reason is given.
 */
export function grantScopes(
  key: KeyRecord,
  requestedScope: string | undefined,
  clientIp: string,
  now: RealTime,
): Scope[] {
  if (!isUsable(key, now) || !isOpen(key.tenantStatus) || !isAllowed(clientIp, key.ipAllowlist)) throw clientRefused();
  if (key.environment === 'test' && !key.sandboxEnabled) {
    throw new OAuthError('unauthorized_client', 'Test clients need sandbox mode to be enabled.');
  }
  if (!hasGrantor(key)) throw new OAuthError('unauthorized_client', 'The person who granted this client has left.');
  return grantedScopes(requestedScope, key.scopes);
}

/** Returns one error for an unknown client, a wrong secret, and a key that may not be used now or from this address. */
export function clientRefused(): OAuthError {
  return new OAuthError('invalid_client', 'Client authentication failed.');
}
