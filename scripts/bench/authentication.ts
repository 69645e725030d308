import { operations } from '../../server/contract/generated/operations.ts';
import type { Operation } from '../../server/contract/operation.ts';
import { AccessTokens } from '../../server/identity/access-token.ts';
import { parseApiKey } from '../../server/identity/api-key.ts';
import { Authenticator } from '../../server/identity/authentication.ts';
import { ApiKeyVerifier, CredentialCache } from '../../server/identity/credential-cache.ts';
import { FailedAuthenticationLimiter } from '../../server/identity/rate-limit.ts';
import { CredentialStore } from '../../server/identity/store.ts';
import { alternate } from './rounds.ts';
import { median } from './statistics.ts';
import type { Laboratory } from './whole-path/laboratory.ts';

/** Microseconds of CPU per request, when the credential was seen before. */
export interface AuthenticationFigures {
  readonly apiKey: number;
  readonly token: number;
}

const CALLS = 20_000;
const LIFETIME_SECONDS = 3600;

export async function measureAuthentication({ database, secrets, tenants }: Laboratory, rounds: number): Promise<AuthenticationFigures> {
  const clock = () => new Date();
  const credentials = new CredentialCache(new CredentialStore(database), clock, () => true);
  const tokens = new AccessTokens(secrets, clock);
  const failures = new FailedAuthenticationLimiter(1, clock);
  const security = new Authenticator({ tokens, credentials, clock, keys: new ApiKeyVerifier(credentials, secrets, failures), failures, onKeyUse: () => {} });
  const operation: Operation = operations.getApplication;
  const callers = tenants.map(({ id, apiKey }) => {
    const prefix = parseApiKey(apiKey)?.prefix ?? '';
    const token = tokens.forClient({ prefix, tenantId: id, scopes: ['read'], environment: 'live' }, LIFETIME_SECONDS);
    return { apiKey: { 'x-api-key': apiKey }, token: { authorization: `Bearer ${token}` } };
  });
  const turn = (kind: 'apiKey' | 'token') => async (): Promise<number> => {
    const begun = process.threadCpuUsage();
    for (let call = 0; call < CALLS; call++) {
      const caller = security.authenticate(operation, callers[call % callers.length]?.[kind] ?? {}, '127.0.0.1');
      if (caller instanceof Promise) await caller;
    }
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / CALLS;
  };
  const contenders = { apiKey: turn('apiKey'), token: turn('token') };
  await alternate(2, contenders);
  const { apiKey, token } = await alternate(rounds, contenders);
  return { apiKey: median(apiKey), token: median(token) };
}
