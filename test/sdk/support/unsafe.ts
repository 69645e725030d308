/** Calls that must not take effect twice. Used by exactly-once.test.ts. */
import { randomBytes } from 'node:crypto';
import type { OperationId } from '../../../server/contract/operation.ts';
import { newApplication } from '../../operations/application-records.ts';
import { paramsOf } from '../../operations/records.ts';
import { exampleBodies, operation as operationOf } from '../../support/contract.ts';
import type { Tenant, TestService } from '../../support/service.ts';
import { jpeg } from '../../support/specimens.ts';
import type { CallInput } from './sdk.ts';

/** A kind of call that must not take effect twice, with a function that creates its arguments for each run. */
export interface Unsafe {
  readonly kind: string;
  readonly operationId: OperationId;
  /**
   * A call that cannot be distinguished from its repetition is not repeated: the call may fail, but not take effect
   * twice.
   */
  readonly unrepeated?: true;
  readonly input: (service: TestService, tenant: Tenant) => Promise<CallInput> | CallInput;
}

const unique = (): string => randomBytes(8).toString('hex');
const name = (): string => `Maria ${unique().replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}`;
const example = (operationId: OperationId): Record<string, unknown> =>
  exampleBodies(operationOf(operationId))[0]!.value;
const path =
  (operationId: OperationId) =>
  async (service: TestService, tenant: Tenant): Promise<string[]> =>
    Object.values(await paramsOf(service, tenant, operationOf(operationId)));

export const UNSAFE: readonly Unsafe[] = [
  {
    kind: 'creating POST',
    operationId: 'createApplication',
    input: () => ({ body: { purpose: 'account_opening', applicant: { fullName: name() } } }),
  },
  {
    kind: 'creating POST with a secret',
    operationId: 'createApiKey',
    input: () => ({ body: { name: unique(), environment: 'live', scopes: ['read'] } }),
  },
  {
    kind: 'creating POST with a mail',
    operationId: 'createInvitation',
    input: () => ({ body: { email: `${unique()}@example.com`, role: 'analyst', name: 'Bruno Lima' } }),
  },
  {
    kind: 'creating POST in a sandbox',
    operationId: 'startRecoveryScenario',
    input: () => ({ body: example('startRecoveryScenario') }),
  },
  {
    kind: 'transition POST',
    operationId: 'submitApplication',
    input: async (service, tenant) => ({ path: [await newApplication(service, tenant)] }),
  },
  {
    kind: 'replacing POST',
    operationId: 'rotateApiKey',
    input: async (service, tenant) => ({
      path: await path('rotateApiKey')(service, tenant),
      body: example('rotateApiKey'),
    }),
  },
  {
    kind: 'multipart POST',
    operationId: 'uploadDocument',
    input: async (service, tenant) => ({
      path: [await newApplication(service, tenant)],
      body: { type: 'passport' },
      files: { file: { name: 'passport.jpg', type: 'image/jpeg', bytes: new Uint8Array(jpeg()) } },
    }),
  },
  {
    kind: 'PATCH',
    operationId: 'updateApplication',
    unrepeated: true,
    input: async (service, tenant) => ({
      path: [await newApplication(service, tenant)],
      body: { applicant: { fullName: name() } },
    }),
  },
  {
    kind: 'PUT',
    operationId: 'replaceApiKeyScopes',
    input: async (service, tenant) => ({
      path: await path('replaceApiKeyScopes')(service, tenant),
      body: { scopes: ['read'] },
    }),
  },
  {
    kind: 'DELETE',
    operationId: 'revokeInvitation',
    input: async (service, tenant) => ({ path: await path('revokeInvitation')(service, tenant) }),
  },
];
