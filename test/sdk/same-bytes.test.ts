/** Test that all SDKs send the same bytes for the same call. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationModel } from '../../scripts/generate/model.ts';
import { each } from '../support/each.ts';
import { examplesOf, FILE } from './support/examples.ts';
import { figure } from './support/figures.ts';
import { json, startRecorder, type Arrived } from './support/recorder.ts';
import type { CallInput, Sdk } from './support/sdk.ts';
import { everySdk, model, operation } from './support/sdks.ts';

const recorder = await startRecorder();
const sdks = everySdk();
const clients = new Map(
  await Promise.all(
    sdks.map(
      async (sdk) =>
        [
          sdk,
          await sdk.open({
            baseUrl: recorder.url,
            accessToken: 'token',
            apiKey: 'kyc_test_Abcdefgh_secret',
            maxRetries: 0,
          }),
        ] as const,
    ),
  ),
);

/**
 * Header fields that the HTTP library of a platform sends about itself or the connection, independent of the caller;
 * `user-agent` names the package.
 */
const OF_THE_PLATFORM = new Set([
  'host',
  'connection',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'user-agent',
  // The Fetch standard adds these to every request with a condition (`If-Match`), and no caller can remove them.
  'cache-control',
  'pragma',
]);
const CHOSEN_EACH_TIME = new Set(['idempotency-key']);

/** Returns the sent request without what is chosen anew for each call: generated keys and multipart boundaries. */
function wire({ method, target, headers, body }: Arrived, input: CallInput): object {
  const boundary = /^multipart\/form-data; ?boundary=(.*)$/
    .exec(headers['content-type'] ?? '')?.[1]
    ?.replaceAll('"', '');
  const shown = Object.entries(headers)
    .filter(([name]) => !OF_THE_PLATFORM.has(name))
    .map(([name, value]) => [
      name,
      CHOSEN_EACH_TIME.has(name) && input.headers?.['Idempotency-Key'] === undefined ? 'generated' : value,
    ]);
  const kept = Object.fromEntries(shown) as Record<string, string>;
  if (boundary === undefined)
    return {
      method,
      target,
      headers: kept,
      body: body.toString('latin1'),
    };
  const { 'content-length': _, ...rest } = kept;
  return {
    method,
    target,
    headers: { ...rest, 'content-type': 'multipart/form-data' },
    body: body.toString('latin1').replaceAll(boundary, 'BOUNDARY'),
  };
}

async function sent(sdk: Sdk, operation: OperationModel, input: CallInput): Promise<object> {
  recorder.answers((response) => {
    operation.successes[0]?.schemaName
      ? json(200, {
          items: [],
          events: [],
          cursor: null,
          hasMore: false,
        })(response, recorder.arrived[0]!)
      : response.writeHead(204).end();
  });
  const outcome = await clients.get(sdk)!.call(operation, input);
  expect(recorder.arrived, `${sdk.name}: ${JSON.stringify(outcome)}`).toHaveLength(1);
  return wire(recorder.arrived[0]!, input);
}

async function alike(operation: OperationModel, input: CallInput): Promise<void> {
  const [first, ...others] = sdks;
  const expected = await sent(first!, operation, input);
  for (const sdk of others)
    expect(await sent(sdk, operation, input), `${sdk.name} beside ${first!.name}`).toEqual(expected);
}

describe('the same call has the same bytes, whichever SDK makes it', () => {
  const same = { operations: 0, calls: 0 };

  for (const operation of model.operations) {
    it(`${operation.operationId}: with all that can be given, and with each body that the contract shows`, async () => {
      const shown = examplesOf(operation);
      for (const input of each(shown)) await alike(operation, input);
      same.operations++;
      same.calls += shown.length;
    });
  }

  it('counts them', () => {
    figure(
      `${same.operations} operations: same bytes (${same.calls} calls by each of ` +
        `${sdks.map(({ name }) => name).join(', ')})`,
    );
    expect(same.operations).toBe(model.operations.length);
  });
});

it('a token request has the same bytes', async () => {
  const tokenRequests = await Promise.all(
    sdks.map(async (sdk) => {
      const own = await startRecorder();
      const granted = json(200, { access_token: 't', token_type: 'Bearer', expires_in: 3600 });
      own.answers((response, one) => (one.target === '/oauth/token' ? granted : json(200, {}))(response, one));
      const client = await sdk.open({ baseUrl: own.url, clientId: 'kyc_live_7Hq2ZtK9', clientSecret: 'a+b/c=%~*' });
      await client.call(operation('getSandbox'), {});
      return own.arrived.map((one) => wire(one, {}));
    }),
  );
  expect(tokenRequests[0]).toHaveLength(2);
  for (const one of tokenRequests) expect(one).toEqual(tokenRequests[0]);
});

describe('text of any kind', () => {
  const reserved = fc.constantFrom(...`!'()*~ +&=/?#%;:@,$[]"<>^\`{|}-._\\é€😀a0`);
  const text = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    fc.string({ unit: reserved, minLength: 1, maxLength: 30 }),
  );

  it('has the same bytes in a path', () =>
    fc.assert(
      fc.asyncProperty(text, (id) => {
        fc.pre(!/^\.{1,2}$/.test(id));
        return alike(operation('getApplication'), { path: [id] });
      }),
      { numRuns: 40 },
    ));

  it('has the same bytes in a query', () =>
    fc.assert(
      fc.asyncProperty(text, (externalId) => alike(operation('listApplications'), { query: { externalId } })),
      { numRuns: 40 },
    ));

  it('has the same bytes in a form', () =>
    fc.assert(
      fc.asyncProperty(text, (secret) =>
        alike(operation('createToken'), { body: { grant_type: 'client_credentials', client_secret: secret } }),
      ),
      { numRuns: 40 },
    ));

  it('has the same bytes in JSON, as do numbers, nothing and members that only the caller knows', () =>
    fc.assert(
      fc.asyncProperty(
        text,
        fc.dictionary(
          fc.string({ minLength: 1, maxLength: 9 }),
          fc.oneof(text, fc.maxSafeInteger(), fc.boolean(), fc.constant(null)),
          { maxKeys: 4 },
        ),
        (fullName, metadata) =>
          alike(operation('createApplication'), {
            body: {
              externalId: null,
              purpose: 'account_opening',
              applicant: { fullName },
              metadata,
            },
          }),
      ),
      { numRuns: 40 },
    ));

  // Each HTTP library encodes line breaks and backslashes in a form differently; no field of the contract accepts them.
  const line = text.filter((value) => !/[\0-\x1f\\]/.test(value));

  it('has the same bytes in the parts of a form and the name of a file', () =>
    fc.assert(
      fc.asyncProperty(line, line, (country, name) =>
        alike(operation('uploadDocument'), {
          path: ['a'],
          body: { type: 'passport', country },
          files: { file: { name, type: 'image/png', bytes: FILE } },
        }),
      ),
      { numRuns: 40 },
    ));
});
