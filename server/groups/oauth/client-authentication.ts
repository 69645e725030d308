import { OAuthError } from '../../http/oauth-error.ts';

export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** The parameters of the form that belong to client authentication. */
export interface ClientForm {
  readonly client_id?: string;
  readonly client_secret?: string;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** The client's credentials from exactly one place (RFC 6749 §2.3: never more than one method). */
export function clientCredentials(authorization: string | undefined, form: ClientForm): ClientCredentials {
  // A parameter without a value counts as omitted (RFC 6749 §3.2).
  const id = form.client_id || undefined;
  const secret = form.client_secret || undefined;
  if (authorization !== undefined) {
    const client = readBasic(authorization);
    if (secret !== undefined) throw new OAuthError('invalid_request', 'Send the client credentials by HTTP Basic or in the form, not both.');
    if (id !== undefined && id !== client.id) throw new OAuthError('invalid_request', 'The client_id differs from the one in the Authorization header.');
    return client;
  }
  if (id === undefined && secret === undefined) throw new OAuthError('invalid_client', 'No client credentials were sent.');
  if (id === undefined) throw new OAuthError('invalid_request', 'The parameter client_id is missing.');
  if (secret === undefined) throw new OAuthError('invalid_request', 'The parameter client_secret is missing.');
  return { id, secret };
}

/** RFC 7617, with both halves form-encoded as RFC 6749 §2.3.1 asks. */
function readBasic(authorization: string): ClientCredentials {
  const [scheme = '', token = '', ...rest] = authorization.trim().split(/ +/);
  if (scheme.toLowerCase() !== 'basic') throw new OAuthError('invalid_client', 'Only HTTP Basic is supported in the Authorization header.');
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
