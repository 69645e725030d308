/** Creates an administrator of the platform with a second factor. Used by browser tests of tenants and watch lists. */
import { api } from './api.ts';
import { Authenticator } from './authenticator.ts';
import { GOOD_PASSWORD, type Protected } from './people.ts';

/** Creates an administrator of the platform who accepts the invitation outside of the browser. */
export async function administrator(link: string, name: string): Promise<Protected> {
  const token = decodeURIComponent(link.split('#token=')[1] ?? '');
  const { accessToken, user } = await api<{ accessToken: string; user: { id: string; email: string } }>(
    'POST',
    '/v1/auth/invitations/accept',
    { body: { token, name, password: GOOD_PASSWORD } },
  );
  const { secret } = await api<{ secret: string }>('POST', '/v1/auth/totp/enroll', {
    token: accessToken,
    body: { password: GOOD_PASSWORD },
  });
  const authenticator = new Authenticator(secret);
  const { recoveryCodes } = await api<{ recoveryCodes: string[] }>('POST', '/v1/auth/totp/confirm', {
    token: accessToken,
    body: { code: await authenticator.next() },
  });
  return {
    email: user.email,
    name,
    password: GOOD_PASSWORD,
    id: user.id,
    token: accessToken,
    authenticator,
    recoveryCodes,
  };
}
