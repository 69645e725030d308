/**
 * API keys: the credentials of machines.
 *
 * A key has scopes, an environment and restrictions (expiry, addresses, pinned to live, masked personal data), and a person who
 * granted it and whose role bounds it for as long as it works. Nobody gives a key more than they have themselves
 * (`delegation.ts`), and a key never widens itself (`change-key.ts`). Verifying a key that calls is identity's work, not this
 * module's: here keys are managed. It may use audit, identity, request and database, and no other module.
 *
 * `POST /v1/settings/api-keys`: the handler calls `createKey`, which checks that the caller may grant the scopes, that the new
 * key is restricted at least as the calling key is, and that the quota leaves room; `issueApiKey` makes prefix and secret and
 * stores the MAC of the secret alone. The secret is in this one answer and nowhere else.
 */
import type { Module } from '../../tasks/module.ts';
import { apiKeyHandlers } from './handlers.ts';
import { expireKeysJob } from './expire-keys.ts';

export { assertUnrestrictedCaller } from './delegation.ts';
export { issueApiKey } from './issue-key.ts';
export { countActiveKeys } from './store.ts';

export const apiKeysModule = { name: 'api-keys', handlers: apiKeyHandlers, jobs: [expireKeysJob] } satisfies Module<never>;
