/** Tests that no operation logs a personal value, a secret or an identifier. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../scripts/generate/build-model.ts';
import { sdkContract } from '../../../scripts/generate/sdk-contract.ts';
import { projectContract } from '../../../scripts/contract/project.ts';
import { ComplianceOnboarding, personalData } from '../src/index.ts';
import { CANARY, CANARY_NUMBER, canaryOf } from './support/canary.ts';
import { callOf } from './support/call.ts';
import { listener } from './support/listener.ts';
import { json, problem, TestServer } from './support/server.ts';

const contract = sdkContract(projectContract());
const { operations } = buildModel(contract);
const server = await new TestServer().start();

/** Returns everything that a client reports while it calls `operation` and receives `canaries`. */
async function told(
  operation: (typeof operations)[number],
  refused: boolean,
): Promise<{ readonly logs: string; readonly error: unknown }> {
  const logs: unknown[] = [];
  const client = new ComplianceOnboarding({
    baseUrl: server.url,
    accessToken: CANARY,
    apiKey: `${CANARY}_a`,
    clientId: CANARY,
    clientSecret: CANARY,
    maxRetries: 0,
    headers: { 'X-Trace': CANARY },
    ...listener((event, message) => {
      logs.push(message, event);
    }),
  });
  const [success] = operation.successes;
  const answer = success?.schemaName
    ? canaryOf(contract, { $ref: `#/components/schemas/${success.schemaName}` })
    : undefined;
  server.replies((response) => {
    const headers = { 'set-cookie': CANARY, location: `/v1/${CANARY}`, link: `<${CANARY}>; rel="next"` };
    if (refused)
      return problem(response, 422, 'validation_failed', {
        headers,
        members: { errors: [{ pointer: `/${CANARY}`, code: 'invalid', message: CANARY }] },
      });
    return answer === undefined
      ? response.writeHead(success?.status ?? 204, headers).end()
      : json(response, success?.status ?? 200, answer, headers);
  });
  const example = {
    ...operation,
    body: operation.body && {
      ...operation.body,
      example: operation.body.schemaName
        ? canaryOf(contract, { $ref: `#/components/schemas/${operation.body.schemaName}` })
        : undefined,
    },
  };
  const path = operation.parameters.path.map((parameter) => ({ ...parameter, example: CANARY }));
  const query = operation.parameters.query.map((parameter) => ({ ...parameter, required: true, example: CANARY }));
  const call = callOf(
    client,
    { ...example, parameters: { ...operation.parameters, path, query } },
    { headers: { 'X-Note': CANARY }, query: { note: CANARY } },
  );
  const error: unknown = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  return { logs: inspect(logs, { depth: null, maxStringLength: null }), error };
}

describe('no personal value, no secret and no identifier is logged', () => {
  for (const operation of operations) {
    it(`by ${operation.operationId}, at debug, whether it succeeds or is refused`, async () => {
      for (const refused of [false, true]) {
        const { logs, error } = await told(operation, refused);
        expect(server.seen.length).toBeGreaterThan(0);
        expect(logs).toContain("type: 'response'");
        // The names of members stay, so the one that is called like a canary does.
        expect(logs.replaceAll(`${CANARY}: '***'`, '')).not.toContain(CANARY);
        expect(logs).not.toMatch(new RegExp(`${CANARY_NUMBER}|424.242.424.242`));
        // And the message names the member at fault by its pointer.
        expect(String((error as Error | undefined)?.stack ?? '').replaceAll(`/${CANARY} (`, '(')).not.toContain(CANARY);
      }
    });
  }

  it('and the package says where personal data travels', () => {
    expect(personalData['createApplication']?.request).toEqual(
      expect.arrayContaining([
        '/applicant/fullName',
        '/applicant/dateOfBirth',
        '/applicant/taxId/value',
        '/applicant/address/line1',
      ]),
    );
    expect(personalData['listApplications']).toMatchObject({
      response: expect.arrayContaining(['/items/*/applicant/fullName']),
    });
    expect(Object.keys(personalData).length).toBeLessThan(operations.length);
  });
});
