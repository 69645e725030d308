/** Tests of the reader of multipart bodies. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raw } from '../../test/support/raw.ts';
import type { Problem } from '../contract/problem.ts';
import { readMultipart } from './multipart.ts';

const MiB = 1024 * 1024;
const PARTS = new Map([
  ['file', { required: true }],
  ['alt', { required: false }],
]);

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end('next');
    void readMultipart(request, PARTS, () => {}).then(
      ({ files }) =>
        response.end(JSON.stringify(Object.entries(files).map(([part, { bytes }]) => [part, String(bytes)]))),
      ({ code, members }: Problem) => response.writeHead(400).end(`${code} ${members.detail ?? ''}`),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe('a multipart body that is refused before its end', () => {
  it.each([
    [
      'file_part_missing',
      '--x\r\n' +
        'Content-Disposition: form-data; name="file"\r\n' +
        '\r\n' +
        'text\r\n' +
        '--x\r\n' +
        'Content-Disposition: form-data; name="rest"; filename="a"\r\n' +
        '\r\n',
    ],
    ['too_many_parts', '--x\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\n'],
  ])('lets the next request on its connection through: %s', async (code, head) => {
    const body = head.padEnd(5 * MiB, '.');
    const answer = await raw(
      url,
      [
        'POST / HTTP/1.1',
        'Host: localhost',
        'Content-Type: multipart/form-data; boundary=x',
        `Content-Length: ${body.length}`,
        '',
        `${body}GET / HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    );
    expect(answer).toContain(code);
    expect(answer).toContain('next');
  });
});

describe('the file parts of a multipart body', () => {
  const part = (name: string, content: string): string =>
    `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a"\r\n\r\n${content}\r\n`;
  const send = async (...parts: readonly string[]): Promise<string> => {
    const body = `${parts.join('')}--x--\r\n`;
    return raw(
      url,
      [
        'POST / HTTP/1.1',
        'Host: localhost',
        'Connection: close',
        'Content-Type: multipart/form-data; boundary=x',
        `Content-Length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
  };

  it('are identified by name, in any order, and optional ones may be missing', async () => {
    expect(await send(part('alt', 'second'), part('file', 'first'))).toContain('[["alt","second"],["file","first"]]');
    expect(await send(part('file', 'alone'))).toContain('[["file","alone"]]');
  });

  it('may occur once each, and required ones must be present', async () => {
    expect(await send(part('alt', 'a'))).toContain('file_part_missing');
    expect(await send(part('file', 'a'), part('file', 'b'))).toContain('too_many_parts');
    expect(await send(part('file', 'a'), part('alt', 'b'), part('alt', 'c'))).toContain('too_many_parts');
  });

  it('are distinguished from texts by a file name, or by the type of a file, and a refusal says which', async () => {
    const of = (name: string, more: string): string =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\na\r\n`;
    expect(await send(part('file', 'a'), of('type', '\r\nContent-Type: application/octet-stream'))).toContain(
      'too_many_parts A text part was sent with the type application/octet-stream',
    );
    expect(await send(part('file', 'a'), of('type', '; filename="a"'))).toContain(
      'too_many_parts A file stands in a part that takes none.',
    );
    expect(await send(of('file', '\r\nContent-Type: image/jpeg'))).toContain(
      'file_part_missing The file was sent without a file name',
    );
    expect(await send(part('file', 'a'), of('type', '\r\nContent-Type: text/plain; charset=utf-8'))).toContain(
      '[["file","a"]]',
    );
  });
});
