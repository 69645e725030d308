/**
 * The caller of a request and the environments that it may see and use. Used by authentication and the request layer. A
 * mistake here shows live data to a test key.
 */
import type { AnyPrincipal, Environment } from '../contract/operation.ts';
import type { TenantState } from './store.ts';
import type { TenantStatus } from './tenant.ts';

/** Caller of a request, and the environments that it may use. */
export interface Caller extends EnvironmentAccess {
  readonly principal: AnyPrincipal;
  /** Whether the person still has to set up a required second factor. */
  readonly owesSecondFactor: boolean;
  /** Maximum total number of requests per minute of all credentials of the tenant, if limited. */
  readonly tenantRatePerMinute: number | null;
  /** State of the tenant in the credential cache when the request was admitted. */
  readonly tenantState: Pick<TenantState, 'tenantStatus' | 'sandboxEnabled' | 'sandboxClockOffsetSeconds'>;
  /** `X-Api-Key-Expires`, once the end of the presented key is near. */
  readonly keyExpires: string | null;
}

interface EnvironmentAccess {
  /** Environment in which the request creates resources, and reads them unless it names another one. */
  readonly environment: Environment;
  /** Environments whose resources the request may see. */
  readonly visible: readonly Environment[];
  /** Sandbox switch of the tenant; while it is off, resources of the sandbox cannot be changed. */
  readonly sandboxEnabled: boolean;
}

const BOTH: readonly Environment[] = ['live', 'sandbox'];
const SANDBOX: readonly Environment[] = ['sandbox'];

/**
 * Returns the environments of a credential. Test keys see only the sandbox, pinned live keys only live; for all other
 * credentials the tenant's switch decides. A tenant that has not gone live has only its sandbox, whatever the
 * credential.
 */
export function environmentAccessOf(
  key: { environment: 'live' | 'test'; pinEnvironment: boolean } | null,
  tenant: { tenantStatus: TenantStatus; sandboxEnabled: boolean },
): EnvironmentAccess {
  const { sandboxEnabled } = tenant;
  if (tenant.tenantStatus === 'onboarding') return { environment: 'sandbox', visible: SANDBOX, sandboxEnabled: true };
  if (key?.environment === 'test') return { environment: 'sandbox', visible: SANDBOX, sandboxEnabled };
  if (key?.pinEnvironment === true) return { environment: 'live', visible: ['live'], sandboxEnabled };
  return { environment: sandboxEnabled ? 'sandbox' : 'live', visible: BOTH, sandboxEnabled };
}
