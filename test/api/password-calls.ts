/** Calls that people make about their passwords. Used by the tests of passwords. */
import { expect } from 'vitest';
import { bearer, type Schemas, type World } from './auth-world.ts';

type Pair = Schemas['TokenPair'];

/** Password that no user of the tests has yet. */
export const NEW = 'seven quiet rivers at dawn';

/** Returns the calls that people make about their passwords. */
export function passwordCalls({ call, mailedToken }: Pick<World, 'call' | 'mailedToken'>) {
  const forgot = (email: string) =>
    call<Schemas['PasswordResetAccepted']>('POST', '/v1/auth/password/forgot', { json: { email } });
  return {
    forgot,
    /** Requests a mail and returns its token. */
    async requestToken(email: string): Promise<string> {
      expect((await forgot(email)).status).toBe(202);
      return mailedToken(email);
    },
    reset: (token: string, newPassword = NEW, more: object = {}) =>
      call('POST', '/v1/auth/password/reset', { json: { token, newPassword, ...more } }),
    change: ({ accessToken }: Pair, currentPassword: string, newPassword: string) =>
      call('POST', '/v1/auth/password/change', {
        headers: bearer(accessToken),
        json: { currentPassword, newPassword },
      }),
    login: (email: string, password: string, more: object = {}) =>
      call<Pair>('POST', '/v1/auth/login', { json: { email, password, ...more } }),
    alive: async ({ accessToken }: Pair): Promise<boolean> =>
      (await call('GET', '/v1/auth/me', { headers: bearer(accessToken) })).status === 200,
  };
}
