/**
 * How tests call the operations on tokens, sessions, passwords and second factors. Part of the table in
 * test/operations.ts.
 */
import type { components } from '../../server/contract/generated/client-types.ts';
import { success } from '../support/api.ts';
import { code } from '../support/authenticator.ts';
import { awaitMail, tokenIn } from '../support/mail.ts';
import { PASSWORD, type Person, type Tenant, type TestService } from '../support/service.ts';
import { newAddress, type Call, type Calls } from './call.ts';

type Schemas = components['schemas'];

const NO_AUTHENTICATOR = 'only somebody with an authenticator is asked for it';

/** Accepts an invitation, by a program or in a browser. */
const accepting: Call<'acceptInvitation'> = {
  arrange: invited,
  body: () => ({ name: 'Bruno Lima', password: 'seven quiet rivers at dawn' }),
  otherBody: () => ({ name: 'Bruna Dias', password: 'nine loud rivers at dusk' }),
  except: { '/totpCode': NO_AUTHENTICATOR, '/recoveryCode': NO_AUTHENTICATOR },
};

/**
 * Calls about tokens, sessions, passwords and second factors; those that end or change credentials get a separate
 * person.
 */
export const accessCalls: Calls<
  | 'createToken'
  | 'login'
  | 'openBrowserSession'
  | 'openBrowserSessionByInvitation'
  | 'renewBrowserSession'
  | 'closeBrowserSession'
  | 'refresh'
  | 'logout'
  | 'getCurrentUser'
  | 'enrollTotp'
  | 'confirmTotp'
  | 'disableTotp'
  | 'requestPasswordReset'
  | 'resetPassword'
  | 'changePassword'
  | 'acceptInvitation'
  | 'previewInvitation'
> = {
  createToken: {
    arrange: async (_, tenant) => {
      const secret = (await tenant.key(['read', 'write']))['X-API-Key'] ?? '';
      return { body: { client_id: secret.slice(0, 'kyc_live_00000000'.length), client_secret: secret } };
    },
    body: () => ({ grant_type: 'client_credentials', scope: 'read write' }),
    otherBody: () => ({ grant_type: 'client_credentials', scope: 'read' }),
    except: { '/grant_type': 'there is one grant' },
  },
  login: {
    arrange: async (_, tenant) => ({ body: { email: (await tenant.person('owner')).email, password: PASSWORD } }),
    body: () => ({ deviceToken: 'dt_anElderlyLaptop' }),
    otherBody: () => ({ deviceToken: 'dt_aNewTelephone' }),
    except: {
      '/tenantSlug': 'the person belongs to one tenant',
      '/totpCode': NO_AUTHENTICATOR,
      '/recoveryCode': NO_AUTHENTICATOR,
    },
  },
  refresh: {
    arrange: async (service, tenant) => ({
      body: { refreshToken: (await signIn(service, await tenant.person('owner'))).refreshToken },
    }),
    body: () => ({}),
    otherBody: () => ({}),
  },
  openBrowserSession: {
    arrange: async (_, tenant) => ({ body: { email: (await tenant.person('owner')).email, password: PASSWORD } }),
    body: () => ({ deviceToken: 'dt_anElderlyLaptop' }),
    otherBody: () => ({ deviceToken: 'dt_aNewTelephone' }),
    except: {
      '/tenantSlug': 'the person belongs to one tenant',
      '/totpCode': NO_AUTHENTICATOR,
      '/recoveryCode': NO_AUTHENTICATOR,
    },
  },
  renewBrowserSession: {
    arrange: async (service, tenant) => ({ headers: await browserOf(service, await tenant.person('owner')) }),
  },
  closeBrowserSession: {
    arrange: async (service, tenant) => ({ headers: await browserOf(service, await tenant.person('owner')) }),
  },
  logout: {
    arrange: async (_, tenant) => ({ as: (await tenant.person('viewer')).as }),
    body: () => ({ everywhere: true }),
    otherBody: () => ({ everywhere: false }),
  },
  getCurrentUser: {},

  enrollTotp: {
    arrange: async (_, tenant) => ({ as: (await tenant.person('owner')).as, body: { password: PASSWORD } }),
    body: () => ({}),
    otherBody: () => ({}),
  },
  confirmTotp: {
    arrange: async (service, tenant) => {
      const { as } = await tenant.person('owner');
      const {
        body: { secret },
      } = await success(service.api.POST('/v1/auth/totp/enroll', { headers: as, body: { password: PASSWORD } }));
      return { as, body: { code: code(secret, service.running.services.clock()) } };
    },
    body: () => ({}),
    otherBody: () => ({}),
  },
  disableTotp: {
    arrange: async (service, tenant) => {
      const { as, totpSecret } = await tenant.person('owner', { secondFactor: true });
      return { as, body: { password: PASSWORD, code: code(totpSecret as Buffer, service.running.services.clock()) } };
    },
    body: () => ({}),
    otherBody: () => ({}),
    except: { '/recoveryCode': 'a code is enough' },
  },

  requestPasswordReset: {
    arrange: async (_, tenant) => ({ body: { email: (await tenant.person('owner')).email } }),
    body: () => ({ deviceToken: 'dt_anElderlyLaptop' }),
    otherBody: () => ({ deviceToken: 'dt_aNewTelephone' }),
  },
  resetPassword: {
    arrange: async (service, tenant) => {
      const { email } = await tenant.person('owner');
      await success(service.api.POST('/v1/auth/password/forgot', { body: { email } }));
      return { body: { token: tokenIn(await awaitMail(service.running.services, email)) } };
    },
    body: () => ({ newPassword: 'seven quiet rivers at dawn' }),
    otherBody: () => ({ newPassword: 'nine loud rivers at dusk' }),
    except: { '/totpCode': NO_AUTHENTICATOR, '/recoveryCode': NO_AUTHENTICATOR },
  },
  changePassword: {
    arrange: async (_, tenant) => ({ as: (await tenant.person('owner')).as, body: { currentPassword: PASSWORD } }),
    body: () => ({ newPassword: 'seven quiet rivers at dawn' }),
    otherBody: () => ({ newPassword: 'nine loud rivers at dusk' }),
  },
  acceptInvitation: accepting,
  openBrowserSessionByInvitation: accepting,
  previewInvitation: { arrange: invited, body: () => ({}), otherBody: () => ({}) },
};

/** Invites a new person and returns the token of the invitation. */
async function invited(service: TestService, tenant: Tenant): Promise<{ readonly body: { readonly token: string } }> {
  const email = newAddress();
  await success(
    service.api.POST('/v1/users/invitations', {
      headers: await tenant.key(['admin']),
      body: { email, role: 'analyst', name: 'Bruno Lima' },
    }),
    201,
  );
  return { body: { token: tokenIn(await awaitMail(service.running.services, email)) } };
}

/** Returns what a page and its browser send after this person has signed in. */
async function browserOf(
  service: TestService,
  { email }: Person,
): Promise<{ readonly Cookie: string; readonly 'X-CSRF-Token': string }> {
  const { body, headers } = await success(
    service.api.POST('/v1/auth/browser-session', { body: { email, password: PASSWORD } }),
  );
  return {
    'Cookie': headers
      .getSetCookie()
      .map((field) => field.split(';')[0])
      .join('; '),
    'X-CSRF-Token': body.csrfToken,
  };
}

async function signIn(service: TestService, { email }: Person): Promise<Schemas['TokenPair']> {
  return (await success(service.api.POST('/v1/auth/login', { body: { email, password: PASSWORD } }))).body;
}
