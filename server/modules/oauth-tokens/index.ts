/**
 * OAuth 2.0 access tokens for machines (RFC 6749 §4.4, client credentials). The client is an API key: its prefix is the
 * client id, its secret the client secret. The token carries at most the scopes of its key and is refused wherever the
 * key would be. Refusals have the form of RFC 6749 §5.2 instead of problem details.
 *
 * The module may use accounts (to record events without a caller), identity, request and database.
 *
 * `POST /oauth/token`: the client is read from the `Authorization` header or from the form, never from both; the key is
 * verified; `grantScopes` checks the scopes; the event is written; and the token is signed; `/.well-known/jwks.json`
 * publishes the key. A refusal of a known key is recorded too.
 */
import type { Module } from '../../tasks/module.ts';
import { oauthTokenHandlers } from './handlers.ts';

export const oauthTokensModule = { name: 'oauth-tokens', handlers: oauthTokenHandlers } satisfies Module<never>;
