/** Tests of answers of a later version, which must pass through unchanged. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectContract } from '../../../scripts/contract/project.ts';
import { buildModel } from '../../../scripts/generate/build-model.ts';
import { sdkContract } from '../../../scripts/generate/sdk-contract.ts';
import { API_VERSION, ComplianceOnboarding } from '../src/index.ts';
import { callOf } from './support/call.ts';
import { bodiesOf } from './support/bodies.ts';
import { json, TestServer } from './support/server.ts';

const contract = sdkContract(projectContract());
const model = buildModel(contract);
const server = await new TestServer().start();
const client = new ComplianceOnboarding({
  baseUrl: server.url,
  accessToken: 'token',
  apiKey: 'kyc_test_Abcdefgh_secret',
  clientId: 'a',
  clientSecret: 'b',
  maxRetries: 0,
});
const answered = model.operations.filter(({ successes: [success] }) => success?.schemaName && !success.binary);

describe('an answer of a later version', () => {
  it('is of the contract that the package names', () => {
    expect(model.version).toBe(API_VERSION);
  });

  for (const operation of answered) {
    it(`${operation.operationId} hands on unknown members, values and variants as they came`, async () => {
      const { status, schemaName } = operation.successes[0]!;
      await fc.assert(
        fc.asyncProperty(bodiesOf(contract, { $ref: `#/components/schemas/${schemaName}` }), async (body) => {
          // A page says of itself that it is the last, or the client would read on.
          const sent = operation.pagination === null ? body : { ...(body as object), hasMore: false };
          const text = JSON.stringify(sent);
          server.replies((response) => json(response, status, sent));
          const { data } = await callOf(client, operation).withResponse();
          const received =
            operation.pagination === null
              ? data
              : {
                  ...(sent as object),
                  [operation.pagination.items]: data.items,
                  cursor: data.cursor,
                  hasMore: data.hasMore,
                };
          expect(JSON.stringify(received)).toBe(text);
        }),
        { numRuns: 20, seed: 1 },
      );
    });
  }
});
