/** API tests of changing and withdrawing an application, also by many callers at once. A lost update fails here. */
import { describe, expect, it } from 'vitest';
import { shared, type Answer } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { draft, person, startWorld, type Application } from './applications-world.ts';

const world = await shared(startWorld());

const patch = (id: string, body: object, headers: Record<string, string> = {}): Promise<Answer<Application>> =>
  world.request('PATCH', `/v1/applications/${id}`, { as: world.key, body, headers });
const submit = (id: string, headers: Record<string, string> = {}): Promise<Answer<Application>> =>
  world.request('POST', `/v1/applications/${id}/submit`, { as: world.key, headers });
const withdraw = (
  id: string,
  body: object = { reasonCode: 'applicant_request' },
  headers: Record<string, string> = {},
): Promise<Answer<Application>> =>
  world.request('POST', `/v1/applications/${id}/withdraw`, { as: world.key, body, headers });
const code = ({ status, body }: Answer<unknown>): [number, unknown] => [status, (body as { code?: unknown }).code];
const events = async (id: string): Promise<string[]> =>
  (await world.acme.audit())
    .filter(({ resource_id, outcome }) => resource_id === id && outcome === 'success')
    .map(({ action }) => action);

describe('changing a draft', () => {
  it('merges the sent members, clears with null and raises the version', async () => {
    const { body: before } = await world.create({
      ...draft,
      applicant: { ...person, email: 'maria@example.com' },
      metadata: { a: 1, b: 2 },
    });
    const { status, headers, body } = await patch(
      before.id,
      { level: 'enhanced', applicant: { phone: '+5541988887777', email: null }, metadata: { a: null, c: 3 } },
      { 'Content-Type': 'application/merge-patch+json' },
    );
    expect([status, headers.get('etag')]).toEqual([200, '"2"']);
    expect(body).toEqual({
      ...before,
      level: 'enhanced',
      applicant: { ...before.applicant, phone: '+5541988887777', email: null },
      metadata: { b: 2, c: 3 },
      version: 2,
      updatedAt: body.updatedAt,
      requirements: body.requirements,
      evidenceDigest: body.evidenceDigest,
    });
    expect(body.updatedAt > before.updatedAt).toBe(true);
    expect((await world.get(before.id)).body).toEqual(body);
    expect(await events(before.id)).toEqual(['application.created', 'application.updated']);
  });

  it('records in the audit log which members changed and never their values', async () => {
    const {
      body: { id },
    } = await world.create();
    await patch(id, { level: 'basic', applicant: { email: 'secret@example.com', motherName: 'Ana' } });
    const [event] = await world.database.sql<{ changes: unknown; text: string }>(
      `SELECT changes, to_jsonb(audit_event)::text AS text FROM audit_event
        WHERE resource_id = $1 AND action = 'application.updated'`,
      [id],
    );
    expect(event?.changes).toEqual([
      { op: 'replace', path: '/level' },
      { op: 'replace', path: '/applicant/motherName' },
      { op: 'replace', path: '/applicant/email' },
    ]);
    expect(event?.text).not.toContain('secret@example.com');
  });

  it('refuses a lost update', async () => {
    const {
      body: { id },
    } = await world.create();
    expect((await patch(id, { channel: 'web' }, { 'If-Match': '"1"' })).status).toBe(200);
    const stale = await patch(id, { channel: 'mobile' }, { 'If-Match': '"1"' });
    expect(code(stale)).toEqual([412, 'version_conflict']);
    expect(stale.body).toMatchObject({ currentVersion: 2 });
    expect((await patch(id, { channel: 'mobile' }, { 'If-Match': '*' })).status).toBe(200);
    expect((await patch(id, { channel: 'branch' }, { 'If-Match': '"1", "3"' })).status).toBe(200);
    expect(code(await patch(id, { channel: 'web' }, { 'If-Match': 'three' }))).toEqual([400, 'invalid_parameter']);
  });

  it('loses no update of many at once', async () => {
    const {
      body: { id },
    } = await world.create();
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => patch(id, { metadata: { [`k${i}`]: i } })));
    expect(new Set(answers.map(({ body }) => body.version)).size).toBe(8);
    expect(Object.keys((await world.get(id)).body.metadata)).toHaveLength(8);
  });

  it('succeeds for one of two that send the same If-Match', async () => {
    const {
      body: { id },
    } = await world.create();
    const answers = await Promise.all(
      ['web', 'mobile'].map((channel) => patch(id, { channel }, { 'If-Match': '"1"' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('keeps externalIds unique', async () => {
    const { body: taken } = await world.create({ ...draft, externalId: 'taken' });
    const {
      body: { id },
    } = await world.create({ ...draft, externalId: 'mine' });
    const answer = await patch(id, { externalId: 'taken' });
    expect(code(answer)).toEqual([409, 'duplicate_external_id']);
    expect(answer.body).toMatchObject({ existingId: taken.id });
    expect((await world.get(id)).body).toMatchObject({ externalId: 'mine', version: 1 });
    expect((await patch(id, { externalId: 'mine' })).status).toBe(200);
    expect((await patch(id, { externalId: null })).body.externalId).toBeNull();
  });

  it('validates the merged result', async () => {
    const {
      body: { id },
    } = await world.create({
      ...draft,
      applicant: {
        ...person,
        address: {
          line1: 'x',
          city: 'y',
          country: 'PT',
          state: 'Lisboa',
        },
      },
    });
    expect(code(await patch(id, { applicant: { address: { line1: 'x', city: 'y', country: 'BR' } } }))).toEqual([
      422,
      'validation_failed',
    ]);
    expect(code(await patch(id, { applicant: { taxId: { type: 'cpf', value: '1' } } }))).toEqual([
      422,
      'invalid_tax_id',
    ]);
    expect(code(await patch(id, { metadata: { sandbox: null } }))).toEqual([422, 'reserved_metadata_key']);
    expect(code(await patch(id, { level: null }))).toEqual([422, 'validation_failed']);
    expect(code(await patch(id, {}))).toEqual([422, 'validation_failed']);
    expect((await world.get(id)).body.version).toBe(1);
  });

  it('is no longer possible after the draft has ended', async () => {
    const { id } = await world.complete();
    await submit(id);
    const answer = await patch(id, { channel: 'web' });
    expect(code(answer)).toEqual([409, 'application_not_editable']);
    expect(answer.body).toMatchObject({ editableFields: [] });
  });
});

describe('withdrawing', () => {
  it('ends a draft and an application in review, with the reason', async () => {
    for (const prepare of [async () => undefined, submit]) {
      const { id } = await world.complete();
      await prepare(id);
      const { status, body } = await withdraw(id, { reasonCode: 'duplicate', note: 'Twice in our books.' });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'withdrawn',
        statusReason: 'duplicate',
        statusNote: 'Twice in our books.',
        expiresAt: null,
      });
      expect((await events(id)).slice(-2)).toEqual(['application.withdrawn', 'application.status_changed']);
    }
  });

  it('is final', async () => {
    const { id } = await world.complete();
    await withdraw(id);
    for (const answer of [await withdraw(id), await submit(id)]) {
      expect(answer.status).toBe(409);
      expect(answer.body).toMatchObject({
        code: 'invalid_state_transition',
        currentStatus: 'withdrawn',
        allowedTransitions: [],
      });
    }
    expect(code(await patch(id, { channel: 'web' }))).toEqual([409, 'application_not_editable']);
    const late = await world.upload(id, jpeg({ text: id }));
    expect(code(late)).toEqual([409, 'application_closed']);
  });
});
