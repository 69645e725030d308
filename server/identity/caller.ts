import type { AnyPrincipal, Environment } from '../contract/operation.ts';
import type { TenantState } from './store.ts';
import type { TenantStatus } from './tenant.ts';

/** The caller of a request, and the environments that it may use. */
export interface Caller extends EnvironmentAccess {
  readonly principal: AnyPrincipal;
  /** The person still has to set up the second factor that is demanded of them. */
  readonly owesSecondFactor: boolean;
  /** Requests per minute that all credentials of the tenant may make together, if that is bounded. */
  readonly tenantRatePerMinute: number | null;
  /** The state of the tenant according to the credential cache when the request was admitted. */
  readonly tenantState: Pick<TenantState, 'tenantStatus' | 'sandboxEnabled' | 'sandboxClockOffsetSeconds'>;
  /** `X-Api-Key-Expires`, once the end of the presented key is near. */
  readonly keyExpires: string | null;
}

interface EnvironmentAccess {
  /** The environment in which the request creates resources, and reads them unless it names another one. */
  readonly environment: Environment;
  /** The environments whose resources the request may see. */
  readonly visible: readonly Environment[];
  /** The sandbox switch of the tenant; while it is off, resources of the sandbox cannot be changed. */
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
