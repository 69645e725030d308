import type { components } from '../../contract/generated/types.ts';
import type { Context } from '../../contract/handlers.ts';
import type { Transaction } from '../../database/index.ts';
import type { KeyRecord } from '../../http/credentials-store.ts';
import { OAuthError } from '../../http/oauth-error.ts';
import type { Services } from '../../services.ts';
import { record, type Origin } from '../auth/index.ts';
import { clientCredentials } from './client-authentication.ts';
import { clientRefused, grant } from './grant.ts';

const LIFETIME_SECONDS = 3600;

type TokenServices = Pick<Services, 'apiKeys' | 'tokens' | 'database'>;
type AccessToken = components['schemas']['AccessToken'];
export type TokenRequest = Pick<Context<'createToken'>, 'body' | 'authorization' | keyof Origin>;

/** The client-credentials grant (RFC 6749 §4.4). An API key is the client: prefix and secret are its credentials. */
export async function createToken(services: TokenServices, request: TokenRequest): Promise<AccessToken> {
  try {
    return await issue(services, request);
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_client' && request.authorization !== undefined) {
      // RFC 6749 §5.2: a client that used the header is answered in kind.
      throw error.with({ 'WWW-Authenticate': 'Basic realm="oauth"' });
    }
    throw error;
  }
}

async function issue({ apiKeys, tokens, database }: TokenServices, request: TokenRequest): Promise<AccessToken> {
  const { body: form, authorization, clientIp, now } = request;
  if (form.grant_type === '') throw new OAuthError('invalid_request', 'The parameter grant_type is missing.');
  if (form.grant_type !== 'client_credentials') throw new OAuthError('unsupported_grant_type', 'Only client_credentials is supported.');
  const client = clientCredentials(authorization, form);
  const key = await apiKeys.verify(client.secret, clientIp);
  if (key === null || key.prefix !== client.id) throw clientRefused();

  const { tenantId, prefix, environment } = key;
  try {
    const scopes = grant(key, form.scope, clientIp, now);
    await database.platform({ tenantId }, (tx) => trace(tx, key, request, { action: 'oauth.token.issued', outcome: 'success' }));
    return {
      access_token: tokens.forClient({ prefix, tenantId, scopes, environment }, LIFETIME_SECONDS),
      token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope: scopes.join(' '),
    };
  } catch (error) {
    if (error instanceof OAuthError) {
      await database.platform({ tenantId }, (tx) => trace(tx, key, request, { action: 'oauth.token.refused', outcome: 'denied', reason: error.code }));
    }
    throw error;
  }
}

type What = { readonly action: 'oauth.token.issued' | 'oauth.token.refused'; readonly outcome: 'success' | 'denied'; readonly reason?: string };

async function trace(tx: Transaction, { tenantId, prefix, name, environment }: KeyRecord, request: TokenRequest, what: What): Promise<void> {
  record<'createToken'>(tx, tenantId, request, {
    ...what, actor: { type: 'oauth_client', id: prefix, display: name }, resource: { type: 'api_key', id: prefix },
    environment: environment === 'test' ? 'sandbox' : 'live',
  });
}
