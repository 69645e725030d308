import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../server/contract/generated/operations.ts';
import type { OperationsOf } from '../../server/contract/operation.ts';
import { shared, type Answer, type Call, type Credential } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { draft, form, startWorld } from './applications-world.ts';

type Name = OperationsOf<'applications'>;

interface Target {
  readonly id: string;
  readonly documentId: string;
}

/** A good call of every operation of the group; `Call` without a credential. */
const CALLS = {
  createApplication: () => ['POST', '/v1/applications', { body: draft }],
  listApplications: () => ['GET', '/v1/applications', {}],
  getApplication: ({ id }) => ['GET', `/v1/applications/${id}`, {}],
  updateApplication: ({ id }) => ['PATCH', `/v1/applications/${id}`, { body: { channel: 'web' } }],
  submitApplication: ({ id }) => ['POST', `/v1/applications/${id}/submit`, {}],
  withdrawApplication: ({ id }) => ['POST', `/v1/applications/${id}/withdraw`, { body: { reasonCode: 'other' } }],
  uploadDocument: ({ id }) => ['POST', `/v1/applications/${id}/documents`, { body: form(jpeg({ text: id })) }],
  downloadDocument: ({ id, documentId }) => ['GET', `/v1/applications/${id}/documents/${documentId}/content`, {}],
} satisfies Record<Name, (target: Target) => [method: string, path: string, call: Call]>;

const names = Object.keys(CALLS) as Name[];
const withBody = names.filter((name) => operations[name].requestTypes.length > 0);
const withId = names.filter((name) => operations[name].path.includes('{applicationId}'));
const NOBODY = '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21';
const nowhere: Target = { id: NOBODY, documentId: NOBODY };

let own: Target;

const world = await shared(startWorld());
beforeAll(async () => {
  const id = (await world.create()).body.id;
  own = { id, documentId: (await world.upload(id, jpeg())).body.id };
});

function call(name: Name, target: Target, as: Credential, more: Call = {}): Promise<Answer> {
  const [method, path, given] = CALLS[name](target);
  return world.request(method, path, { ...given, ...more, as });
}

const code = ({ status, body }: Answer): [number, unknown] => [status, body.code];

describe('every operation on applications', () => {
  it.each(names)('%s needs a credential', async (name) => {
    const answer = await call(name, own, {});
    expect(code(answer)).toEqual([401, 'authentication_required']);
    expect(answer.headers.get('www-authenticate')).not.toBeNull();
  });

  it.each(names)('%s needs its scope, which the refusal names', async (name) => {
    const reads = operations[name].method === 'get';
    for (const as of [await world.acme.key([reads ? 'kyb' : 'read']), await world.acme.client([reads ? 'kyb' : 'read'])]) {
      const answer = await call(name, own, as);
      expect(code(answer)).toEqual([403, 'insufficient_scope']);
      expect(answer.body.requiredScopes).toContain(reads ? 'read' : 'write');
    }
  });

  it.each(names)('%s is for the roles that the contract names', async (name) => {
    for (const role of ['owner', 'admin', 'compliance_officer', 'analyst', 'developer', 'auditor', 'viewer'] as const) {
      const { status, body } = await call(name, nowhere, await world.acme.user(role));
      if ((operations[name].roles as readonly string[]).includes(role)) expect(status).not.toBe(403);
      else expect([status, body.code]).toEqual([403, 'role_forbidden']);
    }
  });

  it.each(names)('%s answers only what the caller accepts', async (name) => {
    expect(code(await call(name, own, world.key, { headers: { Accept: 'text/csv' } }))).toEqual([406, 'not_acceptable']);
  });

  it.each(names)('%s refuses unknown query parameters', async (name) => {
    const [method, path, given] = CALLS[name](own);
    expect(code(await world.request(method, `${path}?debug=1`, { ...given, as: world.key }))).toEqual([400, 'unknown_parameter']);
  });

  it.each(withId)('%s does not know ids that are none', async (name) => {
    const answer = await call(name, { id: 'not-a-uuid', documentId: 'x' }, world.key);
    expect(code(answer)).toEqual([400, 'invalid_parameter']);
    expect(answer.body.errors?.map(({ parameter }) => parameter)).toContain('applicationId');
  });

  it.each(withId)('%s does not find what is not there, nor what another tenant has', async (name) => {
    for (const [target, as] of [[nowhere, world.key], [own, await world.other.key(['read', 'write'])], [own, await world.other.client(['read', 'write'])], [own, await world.other.user('owner')]] as const) {
      expect(code(await call(name, target, as))).toEqual([404, 'not_found']);
    }
  });

  it.each(withBody)('%s refuses other media types and bodies that are too large', async (name) => {
    expect(code(await call(name, own, world.key, { body: 'x', headers: { 'Content-Type': 'text/csv' } }))).toEqual([415, 'unsupported_media_type']);
    const [huge, expected] = name === 'uploadDocument' ? [form(Buffer.alloc(16 * 1024 * 1024)), 'file_too_large'] as const : [{ a: 'x'.repeat(1024 * 1024) }, 'payload_too_large'] as const;
    expect(code(await call(name, own, world.key, { body: huge }))).toEqual([413, expected]);
  });

  it.each(withBody.filter((name) => name !== 'uploadDocument'))('%s refuses malformed bodies', async (name) => {
    for (const body of ['{"a":', '{"a":1,"a":2}', '{"a":"\\ud800"}', '{"a":"\\u0000"}', '\ufeff{}', ' ']) {
      const answer = await call(name, own, world.key, { body, headers: { 'Content-Type': 'application/json' } });
      expect([body, ...code(answer)]).toEqual([body, 400, 'malformed_json']);
    }
  });

  it('left everything as it was', async () => {
    expect((await world.get(own.id)).body).toMatchObject({ status: 'draft', channel: 'api', version: 1, documents: [{ id: own.documentId }] });
  });
});

describe('a document', () => {
  it('belongs to its application', async () => {
    const { body: { id } } = await world.create();
    expect(code(await call('downloadDocument', { id, documentId: own.documentId }, world.key))).toEqual([404, 'not_found']);
    expect(code(await call('downloadDocument', { id: own.id, documentId: NOBODY }, world.key))).toEqual([404, 'not_found']);
  });
});

describe('a quota', () => {
  it('bounds every operation', async () => {
    const narrow = await startWorld({ env: { RATE_LIMIT_REQUESTS: '1', RATE_LIMIT_UPLOADS: '1' } });
    try {
      for (const name of names) {
        const [method, path, given] = CALLS[name](nowhere);
        const as = await narrow.acme.key(['read', 'write'], { name });
        await narrow.request(method, path, { ...given, as });
        const answer = await narrow.request(method, path, { ...given, as });
        expect(code(answer)).toEqual([429, 'rate_limited']);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    } finally {
      await narrow.stop();
    }
  });
});

describe('a database that is gone', () => {
  it('makes every operation answer that it can be repeated later', async () => {
    const lonely = await startWorld();
    try {
      await lonely.create();
      await lonely.running.services.database.close();
      for (const name of names) {
        const [method, path, given] = CALLS[name](nowhere);
        const answer = await lonely.request(method, path, { ...given, as: lonely.key });
        expect(code(answer)).toEqual([503, 'dependency_unavailable']);
        expect(answer.headers.get('retry-after')).not.toBeNull();
      }
    } finally {
      await lonely.stop();
    }
  });
});
