import type { AnyPrincipal, Environment } from '../contract/operation.ts';
import type { TenantState } from './store.ts';
import type { TenantStatus } from './tenant.ts';

/** Who calls, and which environment the call touches. */
export interface Caller extends EnvironmentAccess {
  readonly principal: AnyPrincipal;
  /** The person still has to set up the second factor that is demanded of them. */
  readonly owesSecondFactor: boolean;
  /** Requests per minute that all credentials of the tenant may make together, if that is bounded. */
  readonly tenantRatePerMinute: number | null;
  /** What was remembered of the tenant when the call came in. */
  readonly tenantState: Pick<TenantState, 'tenantStatus' | 'sandboxEnabled' | 'sandboxClockOffsetSeconds'>;
  /** `X-Api-Key-Expires`, once the end of the presented key is near. */
  readonly keyExpires: string | null;
}

export interface EnvironmentAccess {
  /** Where the call creates, and reads unless it says otherwise. */
  readonly environment: Environment;
  /** Where the call may see anything at all. */
  readonly visible: readonly Environment[];
  /** The tenant's switch: off, sandbox records cannot be changed. */
  readonly sandboxEnabled: boolean;
}

const BOTH: readonly Environment[] = ['live', 'sandbox'];
const SANDBOX: readonly Environment[] = ['sandbox'];

/**
 * Test keys only ever see the sandbox, pinned live keys only live; for everybody else the tenant's switch decides. A
 * tenant that has not gone live has nothing but its sandbox, whoever calls.
 */
export function environmentAccessOf(
  key: { environment: 'live' | 'test'; pinEnvironment: boolean } | null, tenant: { tenantStatus: TenantStatus; sandboxEnabled: boolean },
): EnvironmentAccess {
  const { sandboxEnabled } = tenant;
  if (tenant.tenantStatus === 'onboarding') return { environment: 'sandbox', visible: SANDBOX, sandboxEnabled: true };
  if (key?.environment === 'test') return { environment: 'sandbox', visible: SANDBOX, sandboxEnabled };
  if (key?.pinEnvironment === true) return { environment: 'live', visible: ['live'], sandboxEnabled };
  return { environment: sandboxEnabled ? 'sandbox' : 'live', visible: BOTH, sandboxEnabled };
}
