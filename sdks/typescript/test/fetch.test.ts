/** Tests of the package with several implementations of `fetch`. */
import nodeFetch from 'node-fetch';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, describe, expect, it } from 'vitest';
import { ConnectionError, RedirectError, type ClientOptions } from '../src/index.ts';
import { answers, closedAddress, fails, hangs, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const agent = new Agent();
afterAll(() => agent.close());
const bytes = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 255, 13, 10]);

type Options = Pick<ClientOptions, 'fetch' | 'fetchOptions'>;

/**
 * Implementations of `fetch`, each with its own classes for requests, headers and bodies, whose types are incompatible
 * with those of the others.
 */
const FETCHES: Readonly<Record<string, Options>> = {
  'the global one': {},
  'the global one with a dispatcher': { fetchOptions: { dispatcher: agent } },
  'that of undici': { fetch: undiciFetch },
  'that of undici with a dispatcher': { fetch: undiciFetch, fetchOptions: { dispatcher: agent } },
  'node-fetch': { fetch: nodeFetch },
};

describe.each(Object.entries(FETCHES))('fetch as %s', (_which, options) => {
  const client = () => server.client({ ...options, maxRetries: 0 });

  it('sends bodies and reads answers', async () => {
    server.replies(answers({ id: 'a' }, 201, { etag: '"1"' }));
    const { data, response } = await client()
      .applications.create({ purpose: 'account_opening', applicant: { fullName: 'Ana' } })
      .withResponse();
    expect([data, response.headers.get('etag')]).toEqual([{ id: 'a' }, '"1"']);
    expect([server.seen[0]?.headers['content-type'], String(server.seen[0]?.body)]).toEqual([
      'application/json',
      '{"purpose":"account_opening","applicant":{"fullName":"Ana"}}',
    ]);
  });

  it('sends files', async () => {
    server.replies(answers({ id: 'd' }, 201));
    await client().applications.documents.upload('a', {
      file: { name: 'passport.pdf', data: bytes },
      type: 'passport',
    });
    const form = await new Response(server.seen[0]!.body as BodyInit, {
      headers: { 'content-type': server.seen[0]!.headers['content-type']! },
    }).formData();
    const file = form.get('file') as File;
    expect([file.name, form.get('type'), new Uint8Array(await file.arrayBuffer())]).toEqual([
      'passport.pdf',
      'passport',
      bytes,
    ]);
  });

  it('receives files, whole and as they arrive, and gives up those that stall', async () => {
    server.replies((response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end(bytes));
    expect(await (await client().applications.documents.download('a', 'd')).bytes()).toEqual(bytes);
    expect((await (await client().applications.documents.download('a', 'd')).blob()).type).toBe('application/pdf');
    let size = 0;
    for await (const chunk of (await client().applications.documents.download('a', 'd')).stream) size += chunk.length;
    expect(size).toBe(bytes.length);
    const gone = new Promise((resolve) =>
      server.replies((response) => {
        response.on('close', resolve);
        response.writeHead(200, { 'content-type': 'application/pdf' }).write(bytes);
      }),
    );
    const file = await client().applications.documents.download('a', 'd', { idleTimeout: 100 });
    await expect(file.bytes()).rejects.toMatchObject({ name: 'TimeoutError' });
    await gone;
  });

  it('distinguishes refusals, redirects, time-outs and connections that fail', async () => {
    server.replies(fails(422, 'validation_failed'));
    await expect(client().applications.get('a')).rejects.toMatchObject({ status: 422, outcome: 'refused' });
    server.replies((response) => response.writeHead(302, { location: `${server.url}/elsewhere` }).end('moved'));
    await expect(client().applications.get('a')).rejects.toBeInstanceOf(RedirectError);
    expect(server.seen).toHaveLength(1);
    server.replies(hangs);
    await expect(client().applications.get('a', { timeout: 100 })).rejects.toMatchObject({
      name: 'TimeoutError',
      outcome: 'unknown',
    });
    const unreached = await server
      .client({ ...options, baseUrl: await closedAddress(), maxRetries: 0 })
      .applications.get('a')
      .catch((error: unknown) => error);
    expect(unreached).toBeInstanceOf(ConnectionError);
    expect(unreached).toMatchObject({ unreached: true, outcome: 'not_sent' });
  });
});
