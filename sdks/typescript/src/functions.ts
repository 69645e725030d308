/**
 * Every operation as a function, for bundles that need only a few of them. The functions behave like the methods of
 * `ComplianceOnboarding`, with the same retries, limits, credentials and errors.
 */
import type { ClientOptions } from './core/options.ts';
import { Transport } from './core/transport.ts';

export { resume } from './core/resume.ts';
export type { Transport as Client } from './core/transport.ts';
export * from './generated/resources/functions.ts';

/** Creates the first argument of the functions. */
export function createClient(options: ClientOptions = {}): Transport {
  return new Transport(options);
}
