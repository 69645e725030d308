/** Messages that the parser accepts and RFC 9110 or 9112 forbids, and unlimited numbers of connections. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parse, raw, type RawAnswer } from '../support/raw.ts';
import { useService } from '../support/service.ts';

const MiB = 1024 * 1024;
const DRAFT = '{"purpose":"other","applicant":{"fullName":"Maria da Silva"}}';
const service = await useService({ env: { MAX_CONNECTIONS: '100' } });
const key = `X-API-Key: ${(await service.acme.key(['read', 'write']))['X-API-Key']}`;
const message = (lines: readonly string[], body = ''): string => [...lines, '', body].join('\r\n');

const send = async (lines: readonly string[], body = ''): Promise<RawAnswer> =>
  parse(await raw(service.url, message(lines, body)));

const PATHS = ['/v1/applications', '/problems', '/healthz', '/metrics', '/.well-known/jwks.json', '/nowhere'];

function expectProblem({ status, headers, body }: RawAnswer, code: string, expected: number): void {
  expect([status, headers.get('content-type'), body['code'], body['requestId']]).toEqual([
    expected,
    'application/problem+json',
    code,
    headers.get('x-request-id'),
  ]);
}

describe.each(PATHS)('a message for %s', (path) => {
  it.each([
    ['two hosts', ['Host: localhost', 'Host: example.com']],
    ['the same host twice', ['Host: localhost', 'host: localhost']],
    ['no host', []],
    ['a host that is none', ['Host: local host']],
    ['a list of hosts', ['Host: localhost, example.com']],
    ['a host with a path', ['Host: localhost/v1']],
    ['a host with a user', ['Host: user@localhost']],
    ['two credentials in one field', ['Host: localhost', 'Authorization: Bearer a', 'Authorization: Bearer b']],
    ['two media types', ['Host: localhost', 'Content-Type: application/json', 'Content-Type: text/plain']],
  ])('is malformed with %s', async (_, fields) => {
    const answer = await send([`GET ${path} HTTP/1.1`, ...fields]);
    expectProblem(answer, 'malformed_request', 400);
    expect(answer.headers.get('connection')).toBe('close');
  });

  it('is malformed with two hosts in absolute-form, too', async () => {
    expectProblem(
      await send([`GET http://localhost${path} HTTP/1.1`, 'Host: localhost', 'Host: example.com']),
      'malformed_request',
      400,
    );
    expectProblem(await send([`GET http://localhost${path} HTTP/1.1`]), 'malformed_request', 400);
    expectProblem(
      await send([`GET http://user@localhost${path} HTTP/1.1`, 'Host: localhost']),
      'malformed_request',
      400,
    );
    expectProblem(await send([`GET http://${path} HTTP/1.1`, 'Host: localhost']), 'malformed_request', 400);
  });

  it('means in absolute-form what it means in origin-form', async () => {
    const plain = await send([`GET ${path} HTTP/1.1`, 'Host: localhost', key, 'Connection: close']);
    for (const origin of ['http://localhost', 'HTTP://localhost:8080', 'https://api.example.com', 'http://[::1]:80']) {
      expect(
        (await send([`GET ${origin}${path} HTTP/1.1`, 'Host: other.example', key, 'Connection: close'])).status,
        origin,
      ).toBe(plain.status);
    }
  });

  it.each(['gzip, chunked', 'Gzip,Chunked', 'deflate, chunked', 'identity, chunked'])(
    'is not decoded from another transfer coding: %s',
    async (coding) => {
      const answer = await send(
        [
          `POST ${path} HTTP/1.1`,
          'Host: localhost',
          key,
          'Content-Type: application/json',
          `Transfer-Encoding: ${coding}`,
        ],
        `${DRAFT.length.toString(16)}\r\n${DRAFT}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      );
      expectProblem(answer, 'transfer_coding_unsupported', 501);
      expect(answer.headers.get('connection')).toBe('close');
    },
  );

  it('is not decoded from a coding in two fields', async () => {
    const answer = await send(
      [`POST ${path} HTTP/1.1`, 'Host: localhost', key, 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
      '0\r\n\r\n',
    );
    expectProblem(answer, 'transfer_coding_unsupported', 501);
  });

  it.each(['200-ok', 'something', '100-continue, something'])(
    'cannot have an unknown expectation: %s',
    async (expectation) => {
      expectProblem(
        await send([
          `POST ${path} HTTP/1.1`,
          'Host: localhost',
          `Expect: ${expectation}`,
          'Content-Length: 0',
          'Connection: close',
        ]),
        'expectation_failed',
        417,
      );
    },
  );

  it('does not wait for a body that the service does not want', async () => {
    const { status } = await send(
      [`PUT ${path} HTTP/1.1`, 'Host: localhost', 'Expect: 100-continue', 'Content-Length: 10', 'Connection: close'],
      '0123456789',
    );
    expect([404, 405]).toContain(status);
  });

  it('has no more than a hundred fields', async () => {
    const fields = Array.from({ length: 3000 }, (_, i) => `${i.toString(36)}:`);
    expectProblem(await send([`GET ${path} HTTP/1.1`, 'Host: localhost', ...fields]), 'header_fields_too_large', 431);
    expect(
      (await send([`GET ${path} HTTP/1.1`, 'Host: localhost', key, 'Connection: close', ...fields.slice(0, 97)]))
        .status,
    ).not.toBe(431);
  });
});

describe('the host of a target in absolute-form', () => {
  it('counts instead of the field', async () => {
    const answer = await raw(
      service.url,
      message(['GET http://api.example.com/openapi.json HTTP/1.1', 'Host: evil.example', 'Connection: close']),
    );
    expect(answer).toContain('"url":"http://api.example.com"');
    expect(answer).not.toContain('evil.example');
  });

  it('may stand alone', async () => {
    const [alone, query] = [
      await send(['GET http://localhost HTTP/1.1', 'Host: localhost', 'Connection: close']),
      await send(['GET http://localhost?a=b HTTP/1.1', 'Host: localhost', 'Connection: close']),
    ];
    expect([alone.status, query.status]).toEqual([200, 200]);
  });

  it('is not required in HTTP/1.0', async () => {
    expect((await send(['GET /healthz HTTP/1.0'])).status).toBe(200);
  });
});

describe('a body that is refused before it is sent', () => {
  it.each([
    ['announced', (bytes: number) => [`Content-Length: ${bytes}`], (bytes: number) => 'a'.repeat(bytes)],
    [
      'in chunks',
      () => ['Transfer-Encoding: chunked'],
      (bytes: number) => `100000\r\n${'a'.repeat(MiB)}\r\n`.repeat(bytes / MiB) + '0\r\n\r\n',
    ],
  ])('does not lose the answer: %s', async (_, framing, body) => {
    for (const [path, type, status] of [
      ['/v1/applications', 'application/json', 413],
      ['/v1/nowhere', 'text/plain', 404],
      ['/healthz', 'text/plain', 404],
      ['/oauth/token', 'text/plain', 400],
    ] as const) {
      for (const bytes of [2 * MiB, 40 * MiB]) {
        const { hostname, port } = new URL(service.url);
        const socket = connect({ host: hostname, port: Number(port) });
        await once(socket, 'connect');
        // The client reads only after it has sent everything, as simple clients do.
        socket.pause();
        await new Promise((sent) =>
          socket.write(
            message(
              [
                `POST ${path} HTTP/1.1`,
                'Host: localhost',
                key,
                `Content-Type: ${type}`,
                'Connection: close',
                ...framing(bytes),
              ],
              body(bytes),
            ),
            sent,
          ),
        );
        let text = '';
        for await (const chunk of socket.setEncoding('latin1')) text += String(chunk);
        expect(parse(text).status, `${path} ${bytes}`).toBe(status);
      }
    }
  });

  it('is not read without end', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) }).on('error', () => {});
    await once(socket, 'connect');
    socket.resume().write(message(['POST /v1/nowhere HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked']));
    const chunk = `100000\r\n${'a'.repeat(MiB)}\r\n`;
    let sent = 0;
    while (!socket.destroyed && sent < 200 * MiB) {
      await new Promise((done) => socket.write(chunk, done));
      sent += MiB;
    }
    expect(sent).toBeLessThan(120 * MiB);
  });
});

describe('what is not HTTP behind a request', () => {
  it('is reported after the answer to the earlier request', async () => {
    const received = await raw(
      service.url,
      message(['GET /v1/applications HTTP/1.1', 'Host: localhost', key]) +
        message(['GET /v1/nowhere HTTP/1.1', 'Host: localhost']) +
        'nonsense\r\n\r\n',
    );
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 400']);
  });
});
