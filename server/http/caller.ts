import type { AnyPrincipal, Environment } from '../contract/principal.ts';

/** Who calls, and which environment the call touches. */
export interface Caller {
  readonly principal: AnyPrincipal;
  /** Where the call creates, and reads unless it says otherwise. */
  readonly environment: Environment;
  /** Where the call may see anything at all. */
  readonly visible: readonly Environment[];
  /** The tenant's switch: off, sandbox records cannot be changed. */
  readonly sandboxEnabled: boolean;
}

const BOTH: readonly Environment[] = ['live', 'sandbox'];

/** Test keys only ever see the sandbox, pinned live keys only live; for everybody else the tenant's switch decides. */
export function reachOf(key: { environment: 'live' | 'test'; pinEnvironment: boolean } | null, sandboxEnabled: boolean): Omit<Caller, 'principal'> {
  if (key?.environment === 'test') return { environment: 'sandbox', visible: ['sandbox'], sandboxEnabled };
  if (key?.pinEnvironment === true) return { environment: 'live', visible: ['live'], sandboxEnabled };
  return { environment: sandboxEnabled ? 'sandbox' : 'live', visible: BOTH, sandboxEnabled };
}
