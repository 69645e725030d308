/**
 * Registries of companies, by environment.
 *
 * `provider.ts` defines what a registry is asked and answers, and `sandbox.ts` answers for the personas. The service is
 * shipped without a connection to a registry, so in live there is none: the caller is told so, and a person may look
 * the company up. A registry that does not answer is an error and never an answer.
 *
 * The providers have no tables and know no tenant; they may use the personas and the types of the contract.
 *
 * `POST …/registry`: the module asks `registryFor`, refuses with `provider_not_configured` if there is none, and stores
 * the answer as it came.
 */
import type { Environment } from '../../contract/operation.ts';
import type { BusinessRegistryProvider } from './provider.ts';
import { sandboxRegistry } from './sandbox.ts';

export {
  type BusinessRegistryProvider,
  RegistryError,
  type RegistryFinding,
  type RegistryPartner,
} from './provider.ts';

/** Returns the registry of an environment, or null if none is configured. */
export function registryFor(environment: Environment): BusinessRegistryProvider | null {
  return environment === 'sandbox' ? sandboxRegistry : null;
}
