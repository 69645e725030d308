import type { Scope } from '../../contract/principal.ts';
import type { KeyRecord } from '../../http/credentials-store.ts';
import { hasGrantor } from '../../http/grantor.ts';
import { isAllowed } from '../../http/ip-allowlist.ts';
import { isAlive } from '../../http/key-life.ts';
import { OAuthError } from '../../http/oauth-error.ts';
import { isOpen } from '../../http/tenant-status.ts';
import { grantedScopes } from './requested-scope.ts';

/** What an authenticated client gets, or why not; the order decides which reason is given (auth design §3.3). */
export function grant(key: KeyRecord, requestedScope: string | undefined, clientIp: string, now: Date): Scope[] {
  if (!isAlive(key, now) || !isOpen(key.tenantStatus) || !isAllowed(clientIp, key.ipAllowlist)) throw clientRefused();
  if (key.environment === 'test' && !key.sandboxEnabled) {
    throw new OAuthError('unauthorized_client', 'Test clients need sandbox mode to be enabled.');
  }
  if (!hasGrantor(key)) throw new OAuthError('unauthorized_client', 'The person who granted this client has left.');
  return grantedScopes(requestedScope, key.scopes);
}

/** One answer for an unknown client, a wrong secret, and a key that may not be used now or from here. */
export function clientRefused(): OAuthError {
  return new OAuthError('invalid_client', 'Client authentication failed.');
}
