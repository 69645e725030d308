/**
 * API keys: the credentials of machines.
 *
 * A key has scopes, an environment and restrictions (expiry, addresses, pinned to live, masked personal data), and a
 * person who granted it and whose role limits it as long as it works. No caller grants a key more than they have
 * themselves (`delegation.ts`), and a key never widens itself (`change-key.ts`). This module manages keys; the layer
 * identity verifies the key of a request. It may use audit, identity, request and database, and no other module.
 *
 * `POST /v1/settings/api-keys`: the handler calls `createKey`, which checks that the caller may grant the scopes, that
 * the new key is at least as restricted as the calling key, and that the quota has room; `issueApiKey` creates prefix
 * and secret and stores only the MAC of the secret. The secret is in this one response and nowhere else.
 */
import type { Module } from '../../tasks/module.ts';
import { apiKeyHandlers } from './handlers.ts';
import { expireKeysJob } from './expire-keys.ts';

export { assertUnrestrictedCaller } from './delegation.ts';
export { issueApiKey } from './issue-key.ts';
export { countActiveKeys } from './quota-store.ts';

export const apiKeysModule = {
  name: 'api-keys',
  handlers: apiKeyHandlers,
  jobs: [expireKeysJob],
} satisfies Module<never>;
