/** Tests of the pages and of the published contract, with their security headers. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { problems } from '../contract/generated/problems.ts';
import { createPages } from './router.ts';

const YAML = `openapi: 3.1.1
info: { title: An API, version: 1.2.3, summary: For tests. }
# Where it is served from.
servers:
  - url: '{base_url}'
    variables: { base_url: { default: http://localhost:8080 } }

paths: {}
components:
  securitySchemes:
    oauth2:
      type: oauth2
      flows:
        clientCredentials:
          tokenUrl: /oauth/token # relative in the source
          scopes: { read: Read }
`;

let server: Server;
let url: string;
let contractDir: string;

beforeAll(async () => {
  contractDir = mkdtempSync(join(tmpdir(), 'pages-'));
  build();
  const app = express().use(
    createPages({
      contractDir,
      guidesDir: join(import.meta.dirname, '../../docs/guides'),
      dashboardDir: contractDir,
      publicInfo: { publicUrl: null, demo: false },
      outbox: null,
    }).router,
  );
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(contractDir, { recursive: true });
});

describe('the published contract', () => {
  it.each(['/openapi.json', '/openapi-3.0.json'])(
    'names the origin of the request as its server, in %s',
    async (path) => {
      const contract = (await (await fetch(`${url}${path}`)).json()) as typeof Contract;
      expect(contract.servers).toEqual([{ url, description: 'This installation' }]);
      expect(contract.components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl).toBe(`${url}/oauth/token`);
    },
  );

  it('names the origin in YAML too, and keeps every other character of the source', async () => {
    const text = await (await fetch(`${url}/openapi.yaml`)).text();
    expect((parse(text) as typeof Contract).components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl).toBe(
      `${url}/oauth/token`,
    );
    expect(text).toContain('# Where it is served from.');
    expect(text.slice(text.indexOf('paths:')).replace(`"${url}/oauth/token"`, '/oauth/token')).toBe(
      YAML.slice(YAML.indexOf('paths:')),
    );
  });

  it('does not repeat an invalid Host header', async () => {
    const { body } = await ask('/openapi.json', { Host: 'a"b<script>' });
    expect((JSON.parse(body) as typeof Contract).servers[0]?.url).toBe('/');
  });

  it('is read again after a build has replaced it', async () => {
    const before = (await fetch(`${url}/openapi.yaml`)).headers.get('etag');
    writeFileSync(join(contractDir, 'openapi.yaml'), YAML.replace('1.2.3', '1.2.4'));
    utimesSync(join(contractDir, 'openapi.yaml'), 1, 1);
    const after = await fetch(`${url}/openapi.yaml`);
    expect(await after.text()).toContain('1.2.4');
    expect(after.headers.get('etag')).not.toBe(before);
    build();
  });
});

describe('every page', () => {
  const ofTheDashboard = ['/sign-in', '/keys', '/invitation', '/tenants'];
  const paths = [
    '/',
    '/explorer',
    '/reference',
    '/problems',
    '/problems/not_found',
    '/guides',
    '/guides?q=cursor',
    '/guides/errors',
  ];

  it.each([...paths, ...ofTheDashboard])('%s forbids framing, sniffing, plug-ins and foreign scripts', async (path) => {
    const { headers, status } = await fetch(`${url}${path}`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(status).toBe(200);
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(/script-src ([^;]*)/.exec(policy)?.[1]).not.toMatch(/unsafe|http|\*/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('permissions-policy')).toContain(path === '/camera' ? 'camera=(self)' : 'camera=()');
  });

  it.each(paths)('%s is revalidated instead of sent again', async (path) => {
    const etag = (await fetch(`${url}${path}`)).headers.get('etag') ?? '';
    expect(await ask(path, { 'If-None-Match': etag, 'Accept-Encoding': 'gzip, deflate' })).toEqual({
      status: 304,
      body: '',
    });
  });

  it('allows the inline scripts of the reference by their hashes', async () => {
    const policy = (await fetch(`${url}/reference`)).headers.get('content-security-policy');
    // SHA-256 of `let x = 1;`, as a browser computes it.
    expect(policy).toContain("'sha256-qtc3jf64UXA5J6U02kfQ0Cvn9Uz4wXUaN3NNUVgR2v4='");
  });

  it('says what to do if the reader pages are not built', async () => {
    rmSync(join(contractDir, 'reference.html'));
    const response = await fetch(`${url}/reference`);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('make generate');
    build();
  });
});

describe('the styles and scripts', () => {
  it('may be kept for ever under the address of their release', async () => {
    const [asset] = /\/assets\/[^"]+\/site\.css/.exec(await (await fetch(`${url}/problems`)).text()) ?? [];
    const response = await fetch(`${url}${asset}`);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  it('are not kept under the address of another release', async () => {
    expect((await fetch(`${url}/assets/earlier/site.css`)).headers.get('cache-control')).toBe('no-store');
  });

  it('are only the files in their folder', async () => {
    for (const path of [
      '/assets/x/..%2frouter.ts',
      '/assets/x/%2e%2e%2frouter.ts',
      '/assets/x/app/types.d.ts',
      '/assets/x/constructor',
    ]) {
      expect((await fetch(`${url}${path}`)).status, path).toBe(404);
    }
  });
});

describe('the pages about errors', () => {
  it('exist for every code of the contract', async () => {
    for (const code of Object.keys(problems)) expect((await fetch(`${url}/problems/${code}`)).status, code).toBe(200);
  });

  it.each(['no_such_code', 'constructor', '%3Cscript%3E'])('answer 404 to %s, without repeating it', async (code) => {
    const response = await fetch(`${url}/problems/${code}`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain(decodeURIComponent(code));
  });
});

/** Represents the shape of the test contract in the checks above. */
declare const Contract: {
  servers: { url: string; description: string }[];
  components: { securitySchemes: { oauth2: { flows: { clientCredentials: { tokenUrl: string } } } } };
};

function build(): void {
  const json = JSON.stringify(parse(YAML));
  mkdirSync(join(contractDir, 'explorer'), { recursive: true });
  writeFileSync(join(contractDir, 'openapi.yaml'), YAML);
  writeFileSync(join(contractDir, 'openapi.json'), json);
  writeFileSync(join(contractDir, 'openapi-3.0.json'), json);
  writeFileSync(join(contractDir, 'contract.docs.json'), json);
  writeFileSync(
    join(contractDir, 'reference.html'),
    '<html><head></head><body><script>let x = 1;</script></body></html>',
  );
  writeFileSync(join(contractDir, 'explorer/standalone.js'), '');
  writeFileSync(
    join(contractDir, 'landing.json'),
    JSON.stringify({
      version: '1.2.3',
      summary: 'For tests.',
      operations: 0,
      samples: [],
    }),
  );
  writeFileSync(
    join(contractDir, 'manifest.json'),
    JSON.stringify({ 'main.tsx': { file: 'main.js' }, 'style.css': { file: 'style.css' } }),
  );
}

/** Sends a request with headers that `fetch` does not allow, or adds to. */
function ask(path: string, headers: Record<string, string>): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers }, async (response) => {
      resolve({ status: response.statusCode, body: Buffer.concat((await response.toArray()) as Buffer[]).toString() });
    })
      .on('error', reject)
      .end();
  });
}
