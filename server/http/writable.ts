import type { Environment } from '../contract/principal.ts';
import { Problem } from './problem.ts';

/** Sandbox records cannot be changed while the tenant's switch is off. */
export function assertWritable(environment: Environment, { sandboxEnabled }: { readonly sandboxEnabled: boolean }): void {
  if (environment === 'sandbox' && !sandboxEnabled) throw new Problem('sandbox_disabled');
}
