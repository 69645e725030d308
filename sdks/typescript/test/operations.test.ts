/** Tests of every operation: its request is what the contract says, under each of its names. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../scripts/generate/build-model.ts';
import { sdkContract } from '../../../scripts/generate/sdk-contract.ts';
import { projectContract } from '../../../scripts/contract/project.ts';
import * as functions from '../src/functions.ts';
import { argumentsOf, callOf } from './support/call.ts';
import { json, TestServer, type Seen } from './support/server.ts';

const { operations } = buildModel(sdkContract(projectContract()));
const server = await new TestServer().start();
const credentials = { accessToken: 'token', apiKey: 'kyc_test_Abcdefgh_secret', maxRetries: 0 };

/** What a call put on the wire, without what differs each time. */
async function sent(call: () => PromiseLike<unknown>): Promise<object | undefined> {
  server.replies((response) =>
    json(response, 200, {
      items: [],
      events: [],
      cursor: null,
      hasMore: false,
    }),
  );
  await call();
  const { method, url, headers, body } = server.seen[0] as Seen;
  const { 'idempotency-key': key, 'content-length': _, 'content-type': type = '', ...rest } = headers;
  const boundary = /boundary=(.*)$/.exec(type)?.[1];
  return {
    method,
    url,
    headers: rest,
    keyed: key !== undefined,
    type: type.replace(/boundary=.*$/, ''),
    body: boundary === undefined ? body.toString() : body.toString().replaceAll(boundary, ''),
  };
}

describe('every operation', () => {
  for (const operation of operations) {
    const path = operation.parameters.path.reduce(
      (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
      operation.path,
    );

    it(`${operation.operationId} is sent as the contract says, and alike as a method and as a function`, async () => {
      const asMethod = await sent(() => callOf(server.client(credentials), operation));
      expect(asMethod).toMatchObject({ method: operation.method.toUpperCase(), keyed: operation.idempotent });
      expect(new URL((asMethod as { url: string }).url, server.url).pathname).toBe(path);
      if (operation.body?.kind === 'json')
        expect(asMethod).toMatchObject({
          type: operation.body.mediaType,
          body: JSON.stringify(operation.body.example),
        });
      const flat = functions as unknown as Record<string, (...args: readonly unknown[]) => PromiseLike<unknown>>;
      expect(
        await sent(() =>
          flat[operation.operationId]!(
            functions.createClient({ baseUrl: server.url, ...credentials }),
            ...argumentsOf(operation),
          ),
        ),
      ).toEqual(asMethod);
    });
  }

  it('is still called by each name that it had before, of a method or of a function', async () => {
    const renamed = operations.flatMap((operation) => operation.sdk.aliases.map((alias) => ({ operation, alias })));
    expect(renamed.length).toBeGreaterThan(0);
    for (const { operation, alias } of renamed) {
      expect(await sent(() => callOf(server.client(credentials), operation, {}, alias)), alias.typescript).toEqual(
        await sent(() => callOf(server.client(credentials), operation)),
      );
    }
    const flat: Readonly<Record<string, unknown>> = { ...functions };
    for (const { operationId, sdk } of operations)
      for (const id of sdk.formerIds) expect(flat[id], id).toBe(flat[operationId]);
  });

  it('is named once', () => {
    const names = Object.keys(functions).filter((name) => name !== 'createClient' && name !== 'resume');
    expect(names.sort()).toEqual(operations.flatMap(({ operationId, sdk }) => [operationId, ...sdk.formerIds]).sort());
  });
});
