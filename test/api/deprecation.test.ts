/** API tests of what answers of a deprecated operation announce. */
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { useService } from '../support/service.ts';

/** Operation table of a contract in which one operation is deprecated, built as `make generate` builds it. */
vi.mock('../../server/contract/generated/operations.ts', async () => {
  const { buildModel } = await import('../../scripts/generate/build-model.ts');
  const { operationsTable } = await import('../../scripts/generate/server-tables.ts');
  const { projectContract } = await import('../../scripts/contract/project.ts');
  const contract = projectContract();
  Object.assign(contract.paths['/v1/applications']?.get ?? {}, {
    deprecated: true,
    'x-deprecated-since': '2026-01-01',
    'x-sunset': '2027-01-31',
  });
  const folder = mkdtempSync(join(tmpdir(), 'operations-'));
  const file = join(folder, 'operations.ts');
  writeFileSync(file, operationsTable(buildModel(contract)));
  try {
    return (await import(file)) as object;
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const service = await useService();
const key = await service.acme.key(['read', 'write']);

const notices = (headers: Headers) => ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));

describe('an operation that the contract calls deprecated', () => {
  const ANNOUNCED = [
    '@1767225600',
    'Sun, 31 Jan 2027 00:00:00 GMT',
    '</reference>; rel="deprecation"; type="text/html"',
  ];

  it('says with its answer since when, until when and where to read more', async () => {
    const { status, headers } = await service.request('GET', '/v1/applications', { as: key });
    expect([status, ...notices(headers)]).toEqual([200, ...ANNOUNCED]);
  });

  it('says so to callers without a credential, with a wrong parameter or with HEAD, too', async () => {
    for (const [method, path, as, expected] of [
      ['GET', '/v1/applications', undefined, 401],
      ['GET', '/v1/applications?limit=0', key, 400],
      ['HEAD', '/v1/applications', key, 200],
    ] as const) {
      const { status, headers } = await service.request(method, path, as === undefined ? {} : { as });
      expect([status, ...notices(headers)]).toEqual([expected, ...ANNOUNCED]);
    }
  });

  it('does not speak for the other operations of its path', async () => {
    for (const [method, path] of [
      ['POST', '/v1/applications'],
      ['DELETE', '/v1/applications'],
      ['GET', '/v1/auth/me'],
    ] as const) {
      expect(notices((await service.request(method, path, { as: key })).headers)).toEqual([null, null, null]);
    }
  });
});
