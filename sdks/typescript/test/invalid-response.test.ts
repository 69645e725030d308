/** Tests of successes whose body is not what the contract promises. */
import { describe, expect, it } from 'vitest';
import { InvalidResponseError } from '../src/index.ts';
import { answers, breaks, TestServer, type Handler } from './support/server.ts';

const server = await new TestServer().start();
const sends =
  (body: string, type = 'application/json', status = 200): Handler =>
  (response) => {
    response.writeHead(status, { 'content-type': type, 'x-request-id': 'r-9' }).end(body);
  };

/** Successes that are none. */
const BROKEN: Readonly<Record<string, Handler>> = {
  'a page of a proxy': sends('<html>CANARY</html>', 'text/html'),
  'half of a record': sends('{"id":"CANARY'),
  'nothing': sends(''),
  'no content': (response) => {
    response.writeHead(204, { 'x-request-id': 'r-9' }).end();
  },
  'a list in place of a record': sends('["CANARY"]'),
  'a text in place of a record': sends('"CANARY"'),
  'null': sends('null'),
};

describe('an invalid success', () => {
  it.each(Object.entries(BROKEN))('is an error with all known details: %s', async (_what, reply) => {
    server.replies(reply);
    const error = await server
      .client({ maxRetries: 0 })
      .applications.create(
        { purpose: 'account_opening', applicant: { fullName: 'Ana' } },
        { idempotencyKey: 'order-7' },
      )
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({
      requestId: 'r-9',
      outcome: 'unknown',
      idempotencyKey: 'order-7',
      message: expect.stringContaining('(request r-9)'),
    });
    expect(String((error as Error).stack)).not.toContain('CANARY');
  });

  it.each(Object.entries(BROKEN))('is repeated if the operation may be: %s', async (_what, reply) => {
    server.replies(reply, answers({ id: 'a' }));
    await expect(server.client().applications.get('a')).resolves.toEqual({ id: 'a' });
    server.replies(reply, answers({ accessToken: 't' }));
    await expect(server.client().auth.login({ email: 'a@example.com', password: 'x' })).rejects.toBeInstanceOf(
      InvalidResponseError,
    );
    expect(server.seen).toHaveLength(1);
  });

  it('is a list without its items, and never an empty one, or that does not say whether more follows, and never the end', async () => {
    for (const body of [
      { cursor: null, hasMore: false },
      { items: null, cursor: null, hasMore: false },
      { items: { 0: 'a' }, hasMore: false },
      { items: [], cursor: 'c1' },
    ]) {
      server.replies(answers(body));
      await expect(server.client({ maxRetries: 0 }).applications.list()).rejects.toBeInstanceOf(InvalidResponseError);
    }
  });

  it('does not include an answer for which the contract promises no body, unless it is no JSON', async () => {
    const acknowledge = () =>
      server.client({ accessToken: 'token', maxRetries: 0 }).fundsRecovery.events.acknowledge({ cursor: 'c1' });
    for (const [reply, body] of [
      [sends('', 'text/plain', 204), undefined],
      [sends(''), undefined],
      [sends('{"later":true}'), { later: true }],
    ] as const) {
      server.replies(reply);
      expect(await acknowledge()).toEqual(body);
    }
    server.replies(sends('<html></html>', 'text/html'));
    await expect(acknowledge()).rejects.toBeInstanceOf(InvalidResponseError);
  });

  it('includes an invalid token', async () => {
    server.replies(answers({ token_type: 'Bearer' }));
    await expect(server.client({ clientId: 'c', clientSecret: 's' }).applications.get('a')).rejects.toBeInstanceOf(
      InvalidResponseError,
    );
    expect(new Set(server.seen.map(({ path }) => path))).toEqual(new Set(['/oauth/token']));
  });

  it('does not include a connection that broke off in the middle of it', async () => {
    server.replies((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '90' }).write('{"id":');
      setTimeout(() => response.socket?.destroy(), 20);
    });
    await expect(server.client({ maxRetries: 0 }).applications.get('a')).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
    });
    server.replies(breaks);
    await expect(server.client({ maxRetries: 0 }).applications.get('a')).rejects.toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
    });
  });
});
