/** Tests of what a failed call says about its effect, and of resuming it. */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  AbortError,
  ComplianceOnboardingError,
  DeadlineExceededError,
  ServerError,
  type ClientOptions,
} from '../src/index.ts';
import { createApplication, createClient, resume } from '../src/functions.ts';
import { answers, breaks, closedAddress, fails, hangs, TestServer, type Handler } from './support/server.ts';

const server = await new TestServer().start();
const now = { 'retry-after': '0' };
const draft = { purpose: 'account_opening', applicant: { fullName: 'Ana CANARY' } } as const;

/** What ends the creation of an application that is answered so. */
async function failure(
  replies: readonly Handler[],
  options: ClientOptions = {},
  call: object = {},
): Promise<ComplianceOnboardingError> {
  server.replies(...replies);
  const error = await server
    .client(options)
    .applications.create(draft, { idempotencyKey: 'order-7', ...call })
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  if (!(error instanceof ComplianceOnboardingError)) throw new Error(`not failed as expected: ${String(error)}`);
  return error;
}

describe('a failed call reports its effect', () => {
  it('that there is none, if nothing was sent', async () => {
    expect(await failure([], { baseUrl: await closedAddress(), maxRetries: 0 })).toMatchObject({
      outcome: 'not_sent',
      idempotencyKey: 'order-7',
    });
    expect(await failure([], {}, { signal: AbortSignal.abort() })).toMatchObject({
      name: 'AbortError',
      outcome: 'not_sent',
      idempotencyKey: 'order-7',
    });
    expect(await failure([], {}, { headers: { 'x-trace': 'a\r\nb' } })).toMatchObject({
      name: 'ComplianceOnboardingError',
      outcome: 'not_sent',
      idempotencyKey: 'order-7',
    });
  });

  it.each([
    [400, 'invalid_parameter'],
    [401, 'token_expired'],
    [403, 'insufficient_scope'],
    [404, 'not_found'],
    [409, 'duplicate_external_id'],
    [422, 'validation_failed'],
    [429, 'rate_limited'],
  ])('that it was refused: %i %s', async (status, code) => {
    expect(await failure([fails(status, code, now)], { maxRetries: 0 })).toMatchObject({
      status,
      outcome: 'refused',
      idempotencyKey: 'order-7',
    });
  });

  it.each<[string, Handler]>([
    ['a server that failed', fails(503, 'overloaded', now)],
    ['a request that came too slowly', fails(408, 'timeout', now)],
    ['a call with the same key that still runs', fails(409, 'idempotency_in_progress', now, { retryable: true })],
    ['a connection that broke', breaks],
    ['a time-out', hangs],
    [
      'a success that cannot be read',
      (response) => {
        response.writeHead(201).end('{"id":');
      },
    ],
  ])('that nobody knows it, after %s', async (_what, reply) => {
    expect(await failure([reply], { maxRetries: 0, timeout: 150 })).toMatchObject({
      outcome: 'unknown',
      idempotencyKey: 'order-7',
    });
  });

  it('by all its attempts: what one of them left open stays open, unless the key would have told', async () => {
    expect(await failure([fails(503, 'overloaded', now), fails(403, 'insufficient_scope')])).toMatchObject({
      status: 403,
      outcome: 'unknown',
    });
    expect(await failure([fails(503, 'overloaded', now), fails(422, 'validation_failed')])).toMatchObject({
      status: 422,
      outcome: 'refused',
    });
    expect(await failure([fails(429, 'rate_limited', now), breaks, fails(429, 'rate_limited', now)])).toMatchObject({
      status: 429,
      outcome: 'unknown',
    });
    server.replies(breaks, fails(404, 'not_found'));
    await expect(server.client().applications.get('a')).rejects.toMatchObject({
      status: 404,
      outcome: 'unknown',
      idempotencyKey: null,
    });
  });

  it('also if its deadline ends a pause, or its caller does', async () => {
    expect(
      await failure([fails(503, 'overloaded', { 'retry-after': '30' })], {}, { signal: AbortSignal.timeout(150) }),
    ).toMatchObject({ name: AbortError.name, outcome: 'unknown' });
    expect(
      await failure([fails(429, 'rate_limited', { 'retry-after': '30' })], {}, { signal: AbortSignal.timeout(150) }),
    ).toMatchObject({ outcome: 'refused' });
    expect(await failure([hangs], {}, { deadline: 150 })).toMatchObject({
      name: DeadlineExceededError.name,
      outcome: 'unknown',
    });
  });

  it('by itself although its token was requested by several calls, each of which has a key of its own', async () => {
    server.replies(fails(400, 'invalid_parameter'));
    const client = server.client({ clientId: 'c', clientSecret: 's', maxRetries: 0 });
    const failures = await Promise.all(
      ['one', 'two'].map((idempotencyKey) =>
        client.applications.create(draft, { idempotencyKey }).catch((error: unknown) => error),
      ),
    );
    expect(failures).toMatchObject([
      { status: 400, outcome: 'not_sent', idempotencyKey: 'one' },
      { status: 400, outcome: 'not_sent', idempotencyKey: 'two' },
    ]);
    expect(inspect(failures[1])).toContain('BadRequestError');
    expect(server.seen).toHaveLength(1);
  });

  it('with the key that was sent, whoever created it', async () => {
    server.replies(fails(503, 'overloaded', now));
    const error = await server
      .client({ maxRetries: 1 })
      .applications.create(draft)
      .catch((reason: unknown) => reason);
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys)).toEqual(new Set([(error as ComplianceOnboardingError).idempotencyKey]));
    expect(
      await failure([fails(503, 'overloaded', now)], {}, { headers: { 'Idempotency-Key': 'order-8' } }),
    ).toMatchObject({ idempotencyKey: 'order-8' });
  });
});

describe('a failed call is resumed', () => {
  it('under the same key, with the same body, and answers what it would have', async () => {
    server.replies(
      fails(503, 'overloaded', now),
      fails(503, 'overloaded', now),
      fails(503, 'overloaded', now),
      fails(503, 'overloaded', now),
      answers({ id: 'a' }, 201),
    );
    const client = server.client();
    const error = await client.applications.create(draft).catch((reason: unknown) => reason);
    await expect(client.resume(error)).resolves.toEqual({ id: 'a' });
    expect(new Set(server.seen.map(({ headers, body }) => `${headers['idempotency-key']} ${String(body)}`)).size).toBe(
      1,
    );
    expect(server.seen).toHaveLength(5);
  });

  it('although its signal has fired, and with other options if they are set', async () => {
    server.replies(hangs, hangs, answers({ id: 'a' }, 201));
    const client = server.client({ maxRetries: 0 });
    const error = await client.applications
      .create(draft, { signal: AbortSignal.timeout(100) })
      .catch((reason: unknown) => reason);
    const second = await client.resume(error, { timeout: 100 }).catch((reason: unknown) => reason);
    expect(second).toMatchObject({
      name: 'TimeoutError',
      idempotencyKey: (error as ComplianceOnboardingError).idempotencyKey,
    });
    await expect(client.resume(second)).resolves.toEqual({ id: 'a' });
  });

  it('whatever its kind: a page, a file up or down, a function', async () => {
    const afterFailure = (reply: Handler): void => server.replies(fails(503, 'overloaded', now), reply);
    const client = server.client({ maxRetries: 0 });
    const failed = async (call: PromiseLike<unknown>): Promise<unknown> =>
      call.then(
        () => undefined,
        (reason: unknown) => reason,
      );
    afterFailure(answers({ items: [{ id: 'a' }], cursor: null, hasMore: false }));
    await expect(client.resume(await failed(client.applications.list()))).resolves.toMatchObject({
      items: [{ id: 'a' }],
      hasMore: false,
    });
    afterFailure((response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('PDF'));
    const file = await client.resume<{ bytes(): Promise<Uint8Array> }>(
      await failed(client.applications.documents.download('a', 'd')),
    );
    expect(new TextDecoder().decode(await file.bytes())).toBe('PDF');
    afterFailure(answers({ id: 'd' }, 201));
    const stream = new Blob(['PDF']).stream();
    await expect(
      client.resume(await failed(client.applications.documents.upload('a', { file: stream, type: 'passport' }))),
    ).resolves.toEqual({ id: 'd' });
    expect(server.seen.map(({ body }) => String(body).includes('PDF'))).toEqual([true, true]);
    afterFailure(answers({ id: 'a' }, 201));
    const functions = createClient({ baseUrl: server.url, apiKey: 'kyc_test_Abcdefgh_secret', maxRetries: 0 });
    await expect(resume(functions, await failed(createApplication(functions, draft)))).resolves.toEqual({ id: 'a' });
  });

  it('only from the original error: every other value has no call to resume', async () => {
    const client = server.client();
    for (const other of [
      new Error('other'),
      null,
      'text',
      new ComplianceOnboardingError('made elsewhere'),
      structuredClone(await failure([fails(422, 'x')])),
    ]) {
      await expect(client.resume(other)).rejects.toThrow('no call to resume');
    }
  });

  it('and its error shows nothing of it', async () => {
    const error = await failure([fails(503, 'overloaded', now)]);
    expect(error).toBeInstanceOf(ServerError);
    expect(inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error)).not.toContain('CANARY');
  });
});
