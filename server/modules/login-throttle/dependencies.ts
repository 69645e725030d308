/**
 * What every operation that verifies a password or a second factor needs, with the keys derived once at the start.
 * Built by server/app.ts and passed to the handlers of sign-in, sessions, passwords, invitations and second factor. A
 * changed label of a key makes the values that it derived before unusable.
 */
import type { Config } from '../../base/config.ts';
import type { Secrets } from '../../base/secrets.ts';
import type { Database } from '../../database/index.ts';
import type { AccessTokens } from '../../identity/access-token.ts';
import type { CredentialCache } from '../../identity/credential-cache.ts';
import { secondFactorKeys, type SecondFactorKeys } from '../../identity/second-factor.ts';
import type { Outbox } from '../../providers/mail/index.ts';
import { throttleOptions, type ThrottleOptions } from './throttle.ts';

/** Dependencies of every operation that verifies a password or a second factor. */
export interface AuthenticationDependencies {
  readonly database: Database;
  readonly tokens: AccessTokens;
  readonly credentials: CredentialCache;
  readonly mail: Outbox;
  readonly throttle: ThrottleOptions;
  readonly keys: SecondFactorKeys;
  /** Key that derives the successor of a refresh token from the token. */
  readonly successorKey: Buffer;
  /** Key that derives, from a browser's session, the proof that accompanies its cookie. */
  readonly proofKey: Buffer;
}

type Source = Pick<AuthenticationDependencies, 'database' | 'tokens' | 'credentials' | 'mail'> & {
  readonly config: Config;
  readonly secrets: Secrets;
};

/** Derives the keys once, when the service starts. */
export function authenticationDependencies({
  database,
  tokens,
  credentials,
  mail,
  config,
  secrets,
}: Source): AuthenticationDependencies {
  return {
    database,
    tokens,
    credentials,
    mail,
    throttle: throttleOptions(config, secrets),
    keys: secondFactorKeys(secrets),
    successorKey: secrets.deriveKey('refresh-token-successor'),
    proofKey: secrets.deriveKey('browser-session-proof'),
  };
}
