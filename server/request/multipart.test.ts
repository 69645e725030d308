import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raw } from '../../test/support/raw.ts';
import type { Problem } from '../contract/problem.ts';
import { readMultipart } from './multipart.ts';

const MiB = 1024 * 1024;

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end('next');
    void readMultipart(request, 'file', () => {}).then(({ file }) => response.end(file.sha256), ({ code }: Problem) => response.writeHead(400).end(code));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe('a multipart body that is refused before its end', () => {
  it.each([
    ['file_part_missing', '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\ntext\r\n--x\r\nContent-Disposition: form-data; name="rest"; filename="a"\r\n\r\n'],
    ['too_many_parts', '--x\r\nContent-Disposition: form-data; name="other"; filename="a"\r\n\r\n'],
  ])('lets the next request on its connection through: %s', async (code, head) => {
    const body = head.padEnd(5 * MiB, '.');
    const answer = await raw(url, [
      'POST / HTTP/1.1', 'Host: localhost', 'Content-Type: multipart/form-data; boundary=x', `Content-Length: ${body.length}`, '',
      `${body}GET / HTTP/1.1`, 'Host: localhost', 'Connection: close', '', '',
    ].join('\r\n'));
    expect(answer).toContain(code);
    expect(answer).toContain('next');
  });
});
