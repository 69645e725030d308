/** Tests of the service for tests that the package contains for its users. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../scripts/generate/build-model.ts';
import { sdkContract } from '../../../scripts/generate/sdk-contract.ts';
import { projectContract } from '../../../scripts/contract/project.ts';
import {
  ComplianceOnboarding,
  ConnectionError,
  InvalidResponseError,
  ServerError,
  TimeoutError,
} from '../src/index.ts';
import {
  empty,
  ExampleService,
  html,
  resetAfter,
  resetBefore,
  slow,
  status,
  truncated,
  unknownMembers,
} from '../src/testing.ts';
import { callOf } from './support/call.ts';

const { operations } = buildModel(sdkContract(projectContract()));
const clientOf = (service: ExampleService, maxRetries = 0): ComplianceOnboarding =>
  new ComplianceOnboarding({
    baseUrl: 'https://api.example',
    accessToken: 'token',
    apiKey: 'kyc_test_a_b',
    fetch: service.fetch,
    maxRetries,
    timeout: 100,
  });

describe('the service for tests', () => {
  for (const operation of operations) {
    it(`answers ${operation.operationId} by the example of the contract`, async () => {
      const service = new ExampleService();
      await callOf(clientOf(service), operation);
      expect(service.requests).toMatchObject([
        { operationId: operation.operationId, method: operation.method.toUpperCase() },
      ]);
    });
  }

  it('answers in turn with what it is told, laid over the example, and stays with the last', async () => {
    const service = new ExampleService().reply('getApplication', status(503), { status: 'approved' });
    const client = clientOf(service, 1);
    expect(await client.applications.get('a')).toMatchObject({ status: 'approved', applicant: expect.anything() });
    expect(await client.applications.get('b')).toMatchObject({ status: 'approved' });
    expect(service.requests.map(({ url }) => url.pathname)).toEqual([
      '/v1/applications/a',
      '/v1/applications/a',
      '/v1/applications/b',
    ]);
  });

  it.each([
    ['status', status(503), { type: ServerError, outcome: 'unknown', seen: 1 }],
    ['resetBefore', resetBefore, { type: ConnectionError, outcome: 'not_sent', seen: 0 }],
    ['resetAfter', resetAfter, { type: ConnectionError, outcome: 'unknown', seen: 1 }],
    ['slow', slow(5_000), { type: TimeoutError, outcome: 'unknown', seen: 1 }],
    ['truncated', truncated, { type: ConnectionError, outcome: 'unknown', seen: 1 }],
    ['html', html, { type: InvalidResponseError, outcome: 'unknown', seen: 1 }],
    ['empty', empty, { type: InvalidResponseError, outcome: 'unknown', seen: 1 }],
  ] as const)('fails as configured by %s', async (_name, fault, { type, outcome, seen }) => {
    const service = new ExampleService().reply('createApplication', fault);
    const failure: unknown = await clientOf(service)
      .applications.create({ purpose: 'account_opening', applicant: { fullName: 'Ana' } })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(type);
    expect(failure).toMatchObject({ outcome });
    expect(service.requests).toHaveLength(seen);
  });

  it('sends members that this version does not know', async () => {
    const service = new ExampleService().reply('getApplication', unknownMembers);
    expect(await clientOf(service).applications.get('a')).toMatchObject({
      unknownToThisVersion: true,
      applicant: { unknownToThisVersion: true },
    });
  });

  it('has nothing beside the contract', async () => {
    await expect(clientOf(new ExampleService()).request('GET /v1/elsewhere')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
