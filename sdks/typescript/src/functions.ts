/**
 * Every operation as a function, for bundles that need only a few of them. They do what the methods of `ComplianceOnboarding`
 * do, with the same retries, limits, credentials and errors.
 */
import type { ClientOptions } from './core/options.ts';
import { Transport } from './core/transport.ts';

export { resume } from './core/resume.ts';
export type { Transport as Client } from './core/transport.ts';
export * from './generated/resources/functions.ts';

/** What the functions take as their first argument. */
export function createClient(options: ClientOptions = {}): Transport {
  return new Transport(options);
}
