/** Tests that run the examples of the package. */
import { cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExampleService, resetAfter } from '../src/testing.ts';
import { MODULES, PACKAGE, packed, Project } from './support/installation.ts';
import { TestServer } from './support/server.ts';

const server = await new TestServer().start();
let project: Project;
let service: ExampleService;

/** A proxy that opens tunnels (RFC 9110 §9.3.6), and counts them. */
const tunnels: string[] = [];
const proxy = createServer()
  .on('connect', (request: IncomingMessage, client: Socket) => {
    tunnels.push(request.url ?? '');
    const [host = '', port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [upstream, client])
      socket.on('error', () => {
        upstream.destroy();
        client.destroy();
      });
  })
  .listen(0, '127.0.0.1');

beforeAll(async () => {
  project = new Project(await packed(), { type: 'module' });
  for (const name of readdirSync(join(PACKAGE, 'examples')))
    if (name.endsWith('.ts')) cpSync(join(PACKAGE, 'examples', name), join(project.folder, name));
  const undici = join(project.folder, 'node_modules/undici');
  mkdirSync(undici, { recursive: true });
  cpSync(join(MODULES, 'undici'), undici, { recursive: true });
}, 120_000);
afterAll(() => {
  project[Symbol.dispose]();
  proxy.close();
});

/** What a program prints against a service that answers by the examples of the contract. */
async function run(name: string, args: readonly string[] = []): Promise<string> {
  server.replies((response, { method, url, headers, body }) => {
    const told = {
      method,
      headers: headers as Record<string, string>,
      body: body.toString(),
      signal: new AbortController().signal,
      redirect: 'manual' as const,
    };
    service.fetch(server.url + url, told).then(
      async (answer) => {
        response.writeHead(answer.status, Object.fromEntries((answer as Response).headers)).end(await answer.text());
      },
      () => {
        response.socket?.destroy();
      },
    );
  });
  const environment = {
    COMPLIANCE_BASE_URL: server.url,
    COMPLIANCE_API_KEY: 'kyc_test_Abcdefgh_secret',
    HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  };
  return project.run(process.execPath, [...args, name], environment);
}

describe('the examples', () => {
  it('create an application and list those that exist', async () => {
    service = new ExampleService();
    expect(await run('quickstart.ts')).toMatch(/^created \S+\n\S+ \w+/);
  });

  it('upload a document and save it again', async () => {
    service = new ExampleService();
    expect(await run('documents.ts')).toMatch(/^\S+ \d+ bytes/);
  });

  it('follow the feed and store its cursor', async () => {
    service = new ExampleService();
    const ending = `data:text/javascript,setTimeout(() => process.emit('SIGINT'), 1500)`;
    expect(await run('follow-the-feed.ts', ['--import', ending])).toMatch(/^\S+ \S+/);
    expect(readFileSync(join(project.folder, 'feed.cursor'), 'utf8')).not.toBe('');
  });

  it('repeat a call whose effect is unknown, under the same key', async () => {
    service = new ExampleService().reply('createApplication', resetAfter, { id: 'a' });
    expect(await run('errors.ts')).toContain('application a');
    expect(new Set(service.requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(service.requests).toHaveLength(2);
  });

  it('go through a proxy', async () => {
    service = new ExampleService();
    expect(await run('proxy.ts')).toContain('through the proxy');
    expect(tunnels).toEqual([new URL(server.url).host]);
  });

  it('test code of their own', async () => {
    expect(await run('own-code.test.ts', ['--test'])).toMatch(/pass 1\b/);
  });

  it('trace requests, and mask what the contract marks as personal', async () => {
    service = new ExampleService();
    const printed = await run('telemetry.ts');
    expect(printed).toContain('http.response.status_code 201');
    expect(printed).toContain('"fullName":"***"');
  });
});
