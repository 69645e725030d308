/** Tests of the resources below the client and of requests beside them. */
import { describe, expect, it } from 'vitest';
import { hang, type Resource, treeOf } from '../src/core/tree.ts';
import { LINES } from '../src/generated/resources/lines.ts';
import { OPERATIONS } from '../src/generated/resources/operations.ts';
import type { Transport } from '../src/core/transport.ts';
import { ComplianceOnboarding, type Fetch } from '../src/index.ts';

type Called = Record<string, (...args: unknown[]) => PromiseLike<unknown>>;

const TABLE = `things
list 1/v1/things Aq items
change U3/{thingId}/parts/{partId} m
parts 5
.parts
list 5 A
swap U5/{partId} Am
log
read 2/log - items`;

/** A transport that answers what it was asked to send. */
const transport = {
  answer: async (operation: object, input: object) => ({ data: { operation, input }, response: new Response() }),
} as unknown as Transport;

describe('the tree of resources', () => {
  const client = hang({}, transport, treeOf(TABLE)) as {
    readonly things: Called & { readonly parts: Called & ((...args: unknown[]) => PromiseLike<unknown>) };
  };

  it('knows the method and the whole path of every operation', () => {
    const routesOf = ({ operations, below }: Resource): string[] => [
      ...[...operations.values()].map(({ route }) => route),
      ...[...below.values()].flatMap(routesOf),
    ];
    const routes = Object.values(LINES).map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(routes.length).toBeGreaterThan(200);
    expect(new Set(routesOf(treeOf(OPERATIONS)))).toEqual(new Set(routes));
  });

  it('knows which credentials an operation takes: the usual ones, some of them, or none', () => {
    const { things, log } = Object.fromEntries(treeOf(TABLE).below);
    expect([things, log].flatMap((one) => [...one!.operations.values()].map(({ marks }) => marks))).toEqual([
      'Aq',
      'BAOm',
      'BAO',
      '-',
    ]);
  });

  it('passes on the identifiers of the path, then the body or the query, then the options', async () => {
    expect(await client.things.parts['swap']!('a', 'b', { size: 1 }, { timeout: 5 })).toMatchObject({
      operation: { route: 'PUT /v1/things/{thingId}/parts/{partId}' },
      input: { path: ['a', 'b'], body: { size: 1 }, options: { timeout: 5 } },
    });
    expect(await client.things.parts['list']!('a', { timeout: 5 })).toMatchObject({
      input: { path: ['a'], body: undefined, options: { timeout: 5 } },
    });
  });

  it('may call a resource like a former method', async () => {
    expect(await client.things.parts('a')).toMatchObject({
      operation: { route: 'GET /v1/things/{thingId}/parts' },
      input: { path: ['a'] },
    });
    expect(client.things.parts['swap']).toBeTypeOf('function');
  });

  it('creates a resource on first use, and then always returns the same', () => {
    expect(Object.getOwnPropertyDescriptor(hang({}, transport, treeOf(TABLE)), 'things')?.get).toBeTypeOf('function');
    expect(client.things).toBe(client.things);
    expect(Object.keys(client)).toEqual(['things', 'log']);
  });
});

const fetch: Fetch = async (url, { method, headers, body, ...rest }) =>
  Response.json({
    url,
    method,
    headers,
    body,
    rest: Object.keys(rest),
    items: [],
    hasMore: false,
  });
const client = new ComplianceOnboarding({ baseUrl: 'https://api.example', apiKey: 'k_s', fetch });

describe('the client', () => {
  it('has methods that can be detached from their resource, and replaced in a test', async () => {
    const { get } = client.applications;
    await expect(get('a')).resolves.toMatchObject({ url: 'https://api.example/v1/applications/a' });
    const other = client.withOptions({});
    other.applications.get = () => {
      throw new Error('not here');
    };
    expect(() => other.applications.get('a')).toThrow('not here');
    await expect(client.applications.get('a')).resolves.toMatchObject({ method: 'GET' });
  });

  it('cannot lose a resource by accident', () => {
    expect(() => {
      (client as { applications: unknown }).applications = null;
    }).toThrow(TypeError);
  });

  it('passes its own options and those of the call on to fetch, which cannot change the request', async () => {
    const told: object[] = [];
    const hearing: Fetch = async (url, init) => {
      told.push(init);
      return fetch(url, init);
    };
    const configured = client.withOptions({ fetch: hearing, fetchOptions: { cache: 'no-store', credentials: 'omit' } });
    const sneaky = {
      method: 'DELETE',
      redirect: 'follow',
      body: 'x',
      headers: {},
    };
    await configured.applications.get('a', {
      fetchOptions: { credentials: 'include', dispatcher: 'proxy', ...sneaky },
    });
    expect(told).toMatchObject([
      {
        cache: 'no-store',
        credentials: 'include',
        dispatcher: 'proxy',
        method: 'GET',
        redirect: 'manual',
        body: null,
      },
    ]);
  });
});

describe('a request beside the resources', () => {
  it('is an operation by its id, with all that the contract says of it', async () => {
    expect(
      await client.request('updateApplication', {
        path: { applicationId: 'a' },
        body: { externalId: null },
        ifMatch: '"1"',
      }),
    ).toMatchObject({
      url: 'https://api.example/v1/applications/a',
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json', 'if-match': '"1"', 'x-api-key': 'k_s' },
      body: '{"externalId":null}',
    });
    expect(
      await client.request('createApplication', {
        body: { purpose: 'account_opening', applicant: { fullName: 'Ana' } },
      }),
    ).toHaveProperty('headers.idempotency-key');
    expect(await client.request('listApplications', { query: { limit: 3 } })).toMatchObject({
      url: 'https://api.example/v1/applications?limit=3',
    });
  });

  it('is any other by its method and path', async () => {
    const answer = await client.request<{ readonly url: string }>('POST /v1/previews/{name}/enable', {
      path: { name: 'a b' },
      query: { days: 7 },
      body: { on: true },
      idempotencyKey: 'k',
    });
    expect(answer).toMatchObject({
      url: 'https://api.example/v1/previews/a%20b/enable?days=7',
      headers: { 'idempotency-key': 'k' },
      body: '{"on":true}',
    });
  });

  it('reports an unknown operation', async () => {
    await expect(client.request('bakeCake' as 'login', { body: {} as never })).rejects.toThrow(
      'There is no operation bakeCake',
    );
  });

  it('answers the response with its body unread', async () => {
    for (const call of [
      () => client.request('GET /v1/export'),
      () => client.request('getApplication', { path: { applicationId: 'a' } }),
      () => client.applications.get('a'),
      () => client.applications.list(),
    ]) {
      const response = await call().asResponse();
      expect(response.bodyUsed).toBe(false);
      const { value } = await response.body!.getReader().read();
      expect(new TextDecoder().decode(value)).toContain('https://api.example/v1/');
    }
  });
});
