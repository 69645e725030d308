import type { Services } from '../../services.ts';
import { factorKeys, type FactorKeys } from './second-factor.ts';
import { throttleOptions, type ThrottleOptions } from './throttle.ts';

/** What every way to prove who one is works with. */
export interface AuthParts extends Pick<Services, 'database' | 'tokens' | 'credentials' | 'mail'> {
  readonly throttle: ThrottleOptions;
  readonly keys: FactorKeys;
  /** Makes the successor of a refresh token from it. */
  readonly successorKey: Buffer;
}

export function authParts(services: Services): AuthParts {
  const { database, tokens, credentials, mail, secrets } = services;
  return {
    database, tokens, credentials, mail,
    throttle: throttleOptions(services), keys: factorKeys(secrets), successorKey: secrets.deriveKey('refresh-token-successor'),
  };
}
