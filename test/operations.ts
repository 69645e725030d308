/**
 * The table of calls, one for each operation, by which all tests over the operations work. Used by those tests, the
 * samples and the tests of the SDKs. A new operation needs an entry here.
 */
import type { Operation, OperationId } from '../server/contract/operation.ts';
import { accessCalls } from './operations/access.ts';
import { caseCalls } from './operations/cases.ts';
import { applicationCalls } from './operations/applications.ts';
import { businessCalls } from './operations/businesses.ts';
import type { Calls } from './operations/call.ts';
import { listCalls } from './operations/lists.ts';
import { monitoringCalls } from './operations/monitoring.ts';
import { ownershipCalls } from './operations/ownership.ts';
import { powerCalls } from './operations/powers.ts';
import { registryCalls } from './operations/registry.ts';
import { paramsOf } from './operations/records.ts';
import { reportCalls } from './operations/reports.ts';
import { riskCalls } from './operations/risk.ts';
import { sandboxCalls } from './operations/sandbox.ts';
import { screeningCalls } from './operations/screenings.ts';
import { settingsCalls } from './operations/settings.ts';
import { tenantCalls } from './operations/tenants.ts';
import { verificationCalls } from './operations/verifications.ts';
import { workflowCalls } from './operations/workflows.ts';
import { credentialOf } from './support/credentials.ts';
import type { Credential, Tenant, TestService } from './support/service.ts';

/**
 * One call that succeeds for every operation of the contract: what must be so before it, and two bodies. Every test
 * that is a table over the operations calls them through this one, so that a new operation needs one entry, and
 * without it nothing compiles.
 */
export const calls: Calls<OperationId> = {
  ...accessCalls,
  ...applicationCalls,
  ...caseCalls,
  ...businessCalls,
  ...listCalls,
  ...monitoringCalls,
  ...ownershipCalls,
  ...powerCalls,
  ...registryCalls,
  ...reportCalls,
  ...riskCalls,
  ...screeningCalls,
  ...tenantCalls,
  ...settingsCalls,
  ...sandboxCalls,
  ...verificationCalls,
  ...workflowCalls,
};

/** An entry of the table, of whichever operation. */
interface AnyCall {
  readonly arrange?: (service: TestService, tenant: Tenant) => Promise<Partial<Ready>>;
  readonly body?: () => object;
  readonly otherBody?: () => object;
  readonly except?: Readonly<Record<string, string>>;
}

/** Everything that a call needs to succeed. */
export interface Ready {
  /** The tenant that the records belong to: the one asked for, or one that only this call uses. */
  readonly tenant: Tenant;
  /** Somebody who may call; nothing for a public operation. */
  readonly as: Credential;
  readonly headers: Readonly<Record<string, string>>;
  /** A new record for each parameter of the path that names one. */
  readonly params: Readonly<Record<string, string>>;
  /**
   * A valid body with all members that can stand together, and another one that differs in all of them; both
   * undefined when there is none.
   */
  readonly body: object | undefined;
  readonly otherBody: object | undefined;
  /**
   * Members that only this arrangement could give, and that replace those of any other body: secrets,
   * and names that must be new.
   */
  readonly given: object;
}

export function callOf({ operationId }: Pick<Operation, 'operationId'>): AnyCall {
  return calls[operationId];
}

/** Makes the records that a call of this operation is about, and says who calls with what. */
export async function arrange(service: TestService, tenant: Tenant, operation: Operation): Promise<Ready> {
  const { arrange: prepare, body, otherBody } = callOf(operation);
  const {
    tenant: place = tenant,
    as,
    headers = {},
    params,
    body: given = {},
    otherBody: otherGiven = {},
  } = (await prepare?.(service, tenant)) ?? {};
  return {
    tenant: place,
    as: as ?? (await credentialOf(place, operation)),
    headers,
    params: params ?? (await paramsOf(service, place, operation)),
    body: body && { ...body(), ...given },
    otherBody: otherBody && { ...given, ...otherGiven, ...otherBody() },
    given,
  };
}
