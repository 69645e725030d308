/** Tests of how the service treats requests before any operation: paths, methods, headers, log. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { APPLICATION, startPipelineWorld } from './pipeline-world.ts';

const { lines, service, key, code, raw } = await startPipelineWorld();
describe('a path', () => {
  it('has one spelling: case and a slash at the end count', async () => {
    for (const path of ['/v1/Applications', '/v1/applications/', '//v1/applications', '/v1', '/nowhere']) {
      expect([path, ...(await code('GET', path, { as: key }))]).toEqual([path, 404, 'not_found']);
    }
  });

  it('answers HEAD as GET without the body', async () => {
    const get = await service.request('GET', '/v1/applications', { as: key });
    const head = await service.request('HEAD', '/v1/applications', { as: key });
    expect([head.status, head.text, head.headers.get('content-length'), head.headers.get('content-type')]).toEqual([
      200,
      '',
      get.headers.get('content-length'),
      'application/json',
    ]);
    expect((await service.request('HEAD', '/v1/applications')).status).toBe(401);
  });

  it('answers an unknown method with the list of its methods', async () => {
    for (const method of ['PUT', 'OPTIONS', 'DELETE', 'TRACE', 'PROPFIND']) {
      const answer =
        method === 'TRACE'
          ? await raw('/v1/applications', { method })
          : await service.request(method, '/v1/applications', { as: key });
      const allow = answer.headers instanceof Headers ? answer.headers.get('allow') : answer.headers['allow'];
      expect([method, answer.status, allow]).toEqual([method, 405, 'GET, HEAD, POST']);
    }
  });

  it('must be percent-encoded UTF-8', async () => {
    for (const id of ['%', '%zz', '%ff', '%c3%28'])
      expect(await raw(`/v1/applications/${id}`).then(({ status, text }) => [status, JSON.parse(text).code])).toEqual([
        400,
        'invalid_parameter',
      ]);
    expect(await code('GET', '/v1/applications/%00', { as: key })).toEqual([400, 'invalid_parameter']);
    expect(await code('GET', '/v1/applications/..%2f..%2fetc', { as: key })).toEqual([400, 'invalid_parameter']);
  });
});

describe('every answer', () => {
  it("carries a request id, the caller's own when it is a UUID", async () => {
    const id = '0197f2d1-77aa-7c11-8e21-5f4b3a2c1d00';
    expect(
      (await service.api.GET('/v1/applications', { headers: { ...key, 'X-Request-Id': id } })).response.headers.get(
        'x-request-id',
      ),
    ).toBe(id);
    for (const sent of ['not-a-uuid', 'x'.repeat(2000), `${id}0`]) {
      const { headers } = await service.request('GET', '/v1/applications', {
        as: key,
        headers: { 'X-Request-Id': sent },
      });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('x-request-id')).not.toBe(sent);
    }
    const missing = await service.request('GET', '/nowhere');
    expect(missing.body).toMatchObject({
      requestId: missing.headers.get('x-request-id'),
      instance: `urn:uuid:${missing.headers.get('x-request-id')}`,
    });
  });

  it('is neither cached nor sniffed, framed or executed', async () => {
    for (const path of ['/v1/applications', '/nowhere']) {
      const { headers } = await service.request('GET', path, { as: key });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('says which environment it is about, and the remaining quota, once the caller is known', async () => {
    const { headers } = await service.request('GET', '/v1/applications', { as: key });
    expect(headers.get('x-environment')).toBe('live');
    expect(headers.get('ratelimit-policy')).toBe('"default";q=1000000;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/);
    expect((await service.api.GET('/v1/applications')).response.headers.get('x-environment')).toBeNull();
  });
});

describe('parameters', () => {
  it.each([
    ['?page=2', 'unknown_parameter', 'page'],
    ['?limit=1&limit=2', 'invalid_parameter', 'limit'],
    ['?limit=', 'invalid_parameter', 'limit'],
    ['?limit=0', 'invalid_parameter', 'limit'],
    ['?limit=101', 'invalid_parameter', 'limit'],
    ['?limit=%20', 'invalid_parameter', 'limit'],
    ['?status=gone', 'invalid_parameter', 'status'],
    ['?createdAfter=yesterday', 'invalid_parameter', 'createdAfter'],
    ['?Limit=5', 'unknown_parameter', 'Limit'],
    ['?status%5B%5D=draft', 'unknown_parameter', 'status[]'],
    ['?_openapi[schema][path]=x', 'unknown_parameter', '_openapi[schema][path]'],
  ])('%s is refused', async (search, expected, parameter) => {
    const { status, body } = await service.request('GET', `/v1/applications${search}`, { as: key });
    expect([status, body.code, body.errors?.[0]?.parameter]).toEqual([400, expected, parameter]);
  });

  it('may have raw colons, as timestamps do', async () => {
    expect(
      (
        await service.api.GET('/v1/applications', {
          params: { query: { createdAfter: '2026-11-03T12:00:00Z' } },
          headers: key,
        })
      ).response.status,
    ).toBe(200);
  });
});

describe('a flood of content types', () => {
  it('leaves nothing behind: three thousand distinct ones grow the heap by less than 1.5 MB', async () => {
    const flood = async (from: number, count: number): Promise<void> => {
      const statuses = await Promise.all(
        Array.from({ length: count }, async (_, n) => {
          const type = n % 2 === 0 ? `application/json; x=${from + n}` : `application/x-${from + n}`;
          return (
            await service.request('POST', '/v1/applications', {
              as: key,
              body: '{}',
              headers: { 'Content-Type': type },
            })
          ).status;
        }),
      );
      expect(new Set(statuses)).toEqual(new Set([415, 422]));
    };
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = (): number => {
      collect();
      collect();
      return process.memoryUsage().heapUsed;
    };
    for (let from = -1000; from < 0; from += 100) await flood(from, 100);
    lines.length = 0;
    const before = heap();
    for (let from = 0; from < 3000; from += 100) {
      await flood(from, 100);
      lines.length = 0;
    }
    // A validator that is kept for each of them would take several kilobytes.
    expect(heap() - before).toBeLessThan(1.5 * 1024 * 1024);
  }, 180_000);
});

describe('the log and the metrics', () => {
  it('never contain bodies, query values, names or credentials', async () => {
    lines.length = 0;
    const { 'X-API-Key': secret = '' } = key;
    await success(
      service.api.POST('/v1/applications', {
        headers: key,
        body: { ...APPLICATION, applicant: { fullName: 'Leopoldina Segredo' } },
      }),
    );
    await service.api.GET('/v1/applications', {
      params: { query: { taxId: '52998224725', externalId: 'secret-ref' } },
      headers: key,
    });
    await service.api.POST('/v1/auth/login', {
      body: { email: 'leopoldina@example.com', password: 'a password nobody knows' },
    });
    await service.api.GET('/v1/applications', {
      headers: { Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
    });
    // A line is written after its connection has accepted the response.
    await expect.poll(() => lines.length).toBeGreaterThanOrEqual(4);
    expect(lines.join('')).not.toMatch(/Leopoldina|52998224725|secret-ref|leopoldina@|password nobody|eyJ/);
    expect(lines.join('')).not.toContain(secret);
    const written = lines.find((line) => line.includes('"createApplication"')) ?? '{}';
    expect(JSON.parse(written)).toMatchObject({
      method: 'POST',
      operation: 'createApplication',
      status: 201,
      tenantId: service.acme.id,
      requestId: expect.any(String),
      ms: expect.any(Number),
    });
  });

  it('count requests by operation and status for Prometheus', async () => {
    const { text } = await service.request('GET', '/metrics');
    expect(text).toMatch(/http_request_duration_seconds_count\{operation="createApplication",status="201"\} \d+/);
    expect(text).toMatch(/database_connections\{state="idle"\} \d+/);
    expect(text).toMatch(/nodejs_eventloop_lag_seconds/);
  });
});
