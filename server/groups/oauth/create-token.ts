import type { components } from '../../contract/generated/types.ts';
import type { Context } from '../../contract/handlers.ts';
import { OAuthError } from '../../http/oauth-error.ts';
import type { Services } from '../../services.ts';
import { record, type Origin } from '../auth/index.ts';
import { clientCredentials } from './client-authentication.ts';
import { clientRefused, grant } from './grant.ts';

const LIFETIME_SECONDS = 3600;

export type TokenRequest = Pick<Context<'createToken'>, 'body' | 'authorization' | keyof Origin>;

/** The client-credentials grant (RFC 6749 §4.4). An API key is the client: prefix and secret are its credentials. */
export async function createToken(
  { apiKeys, tokens, database }: Pick<Services, 'apiKeys' | 'tokens' | 'database'>, request: TokenRequest,
): Promise<components['schemas']['AccessToken']> {
  const { body: form, authorization, clientIp, now } = request;
  if (form.grant_type === '') throw new OAuthError('invalid_request', 'The parameter grant_type is missing.');
  if (form.grant_type !== 'client_credentials') throw new OAuthError('unsupported_grant_type', 'Only client_credentials is supported.');
  const client = clientCredentials(authorization, form);
  const key = await apiKeys.verify(client.secret);
  if (key === null || key.prefix !== client.id) throw clientRefused();

  const { tenantId, prefix, environment } = key;
  const event = {
    actor: { type: 'oauth_client', id: prefix, display: key.name }, resource: { type: 'api_key', id: prefix },
    environment: environment === 'test' ? 'sandbox' : 'live',
  } as const;
  try {
    const scopes = grant(key, form.scope, clientIp, now);
    await database.platform({ tenantId }, async (tx) =>
      record<'createToken'>(tx, tenantId, request, { ...event, action: 'oauth.token.issued', outcome: 'success' }));
    return {
      access_token: tokens.forClient({ prefix, tenantId, scopes, environment }, LIFETIME_SECONDS),
      token_type: 'Bearer', expires_in: LIFETIME_SECONDS, scope: scopes.join(' '),
    };
  } catch (error) {
    if (error instanceof OAuthError) {
      await database.platform({ tenantId }, async (tx) =>
        record<'createToken'>(tx, tenantId, request, { ...event, action: 'oauth.token.refused', outcome: 'denied', reason: error.code }));
    }
    throw error;
  }
}
