/** Calls the API beside the browser, to prepare tests. Used by the other helpers. Throws unless the call succeeds. */
import { baseUrl } from './service.ts';

/** Calls the API directly, not through the browser. Throws unless the status is 2xx. */
export async function api<T>(
  method: string,
  path: string,
  {
    token,
    body,
    totpCode,
    ifMatch,
  }: {
    token?: string;
    body?: object;
    totpCode?: string;
    ifMatch?: string;
  } = {},
): Promise<T> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(totpCode && { 'X-TOTP-Code': totpCode }),
      ...(ifMatch && { 'If-Match': ifMatch }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

/** Signs in without a second factor and returns the access token. */
export async function tokenOf({ email, password }: { email: string; password: string }): Promise<string> {
  return (await api<{ accessToken: string }>('POST', '/v1/auth/login', { body: { email, password } })).accessToken;
}
