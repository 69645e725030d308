/**
 * Handlers of `POST /oauth/token` and of the published keys, registered by the index of the module. The secret is
 * verified before anything about the key is revealed. Refusals of known keys are audited.
 */
import { HOUR_SECONDS } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import { OAuthError } from '../../contract/problem.ts';
import type { Database, Transaction } from '../../database/index.ts';
import type { AccessTokens } from '../../identity/access-token.ts';
import type { ApiKeyVerifier } from '../../identity/credential-cache.ts';
import type { KeyRecord } from '../../identity/store.ts';
import type { Context, HandlersOf } from '../../request/handler.ts';
import { recordPublicEvent, type RequestOrigin } from '../accounts/index.ts';
import { clientCredentials, clientRefused, grantScopes } from './client-credentials.ts';

const LIFETIME_SECONDS = HOUR_SECONDS;

interface Dependencies {
  readonly apiKeys: ApiKeyVerifier;
  readonly tokens: AccessTokens;
  readonly database: Database;
}

type AccessToken = components['schemas']['AccessToken'];
type TokenRequest = Pick<Context<'createToken'>, 'body' | 'authorization' | keyof RequestOrigin>;

/**
 * Issues a token by the client-credentials grant (RFC 6749 §4.4). The client is an API key: prefix and secret are its
 * credentials.
 */
async function createToken(dependencies: Dependencies, request: TokenRequest): Promise<AccessToken> {
  try {
    return await issue(dependencies, request);
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_client' && request.authorization !== undefined) {
      // RFC 6749 §5.2: a client that used the Authorization header receives the matching challenge.
      throw error.with({ 'WWW-Authenticate': 'Basic realm="oauth"' });
    }
    throw error;
  }
}

async function issue({ apiKeys, tokens, database }: Dependencies, request: TokenRequest): Promise<AccessToken> {
  const { body: form, authorization, clientIp, now } = request;
  if (form.grant_type === '') throw new OAuthError('invalid_request', 'The parameter grant_type is missing.');
  if (form.grant_type !== 'client_credentials')
    throw new OAuthError('unsupported_grant_type', 'Only client_credentials is supported.');
  const client = clientCredentials(authorization, form);
  const key = await apiKeys.verify(client.secret, clientIp);
  if (key === null || key.prefix !== client.id) throw clientRefused();

  const { tenantId, prefix, environment } = key;
  try {
    const scopes = grantScopes(key, form.scope, clientIp, now);
    await database.platform({ tenantId }, (tx) =>
      auditToken(tx, key, request, { action: 'oauth.token.issued', outcome: 'success' }),
    );
    const tokenClaims = {
      prefix,
      tenantId,
      scopes,
      environment,
    };
    return {
      access_token: tokens.forClient(tokenClaims, LIFETIME_SECONDS),
      token_type: 'Bearer',
      expires_in: LIFETIME_SECONDS,
      scope: scopes.join(' '),
    };
  } catch (error) {
    if (error instanceof OAuthError) {
      await database.platform({ tenantId }, (tx) =>
        auditToken(tx, key, request, { action: 'oauth.token.refused', outcome: 'denied', reason: error.code }),
      );
    }
    throw error;
  }
}

type TokenAuditEntry = {
  readonly action: 'oauth.token.issued' | 'oauth.token.refused';
  readonly outcome: 'success' | 'denied';
  readonly reason?: string;
};

async function auditToken(
  tx: Transaction,
  { tenantId, prefix, name, environment }: KeyRecord,
  request: TokenRequest,
  entry: TokenAuditEntry,
): Promise<void> {
  recordPublicEvent<'createToken'>(tx, tenantId, request, {
    ...entry,
    actor: { type: 'oauth_client', id: prefix, display: name },
    resource: { type: 'api_key', id: prefix },
    environment: environment === 'test' ? 'sandbox' : 'live',
  });
}

export const oauthTokenHandlers = (dependencies: Dependencies) =>
  ({
    createToken: async (ctx) => ctx.reply(200, await createToken(dependencies, ctx)),
  }) satisfies HandlersOf<'oauth'>;
