import { describe, expect, it } from 'vitest';
import { shared, type Answer } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import type { components } from '../../server/contract/generated/types.ts';
import { newCpf } from '../support/cpf.ts';
import { draft, person, startWorld, type Application } from './applications-world.ts';

type Problem = components['schemas']['Problem'];

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

describe('submitting', () => {
  it('starts the review', async () => {
    const { id } = await world.complete();
    const { status, headers, body } = await submit(id);
    expect([status, headers.get('etag')]).toEqual([202, '"2"']);
    expect(body).toMatchObject({
      status: 'in_review',
      statusReason: 'submitted',
      expiresAt: null,
      version: 2,
    });
    expect(body.submittedAt).not.toBeNull();
    expect(await events(id)).toEqual(['application.created', 'application.submitted', 'application.status_changed']);
  });

  it('asks for a document at the standard level', async () => {
    const { id } = await world.complete({
      level: 'standard',
      applicant: {
        ...person,
        taxId: { type: 'cpf', value: newCpf() },
        address: { line1: 'x', city: 'y', country: 'BR' },
      },
    });
    const answer = await submit(id);
    expect(code(answer)).toEqual([422, 'requirements_missing']);
    expect(answer.body).toMatchObject({
      items: [{ key: 'id_document', status: 'missing', reasonCode: 'document_missing' }],
    });
    await world.upload(id, jpeg({ text: id }), { expiresOn: '2020-01-01' });
    expect((await submit(id)).body).toMatchObject({
      items: [{ key: 'id_document', status: 'failed', reasonCode: 'document_expired' }],
    });
    await world.upload(id, jpeg({ text: `${id} new` }), { expiresOn: '2099-01-01' });
    const { status, body } = await submit(id);
    expect(status).toBe(202);
    expect(body.documents).toHaveLength(2);
    expect(body.requirements.met).toBe(true);
  });

  it('names the missing members and documents, and succeeds once they are supplied at the named places', async () => {
    const { id } = await world.complete({ level: 'enhanced', applicant: { fullName: 'Maria da Silva' } });
    const { status, body } = await world.request<Problem>('POST', `/v1/applications/${id}/submit`, { as: world.key });
    expect([status, body.code]).toEqual([422, 'requirements_missing']);
    expect(body.errors).toEqual([
      ...['dateOfBirth', 'taxId'].map((name) => ({
        pointer: `/applicant/${name}`,
        code: 'required',
        message: 'is required at this level',
      })),
      {
        pointer: '/documents',
        code: 'document_missing',
        message: 'needs one of: id_card, driver_license, passport, national_migration_card',
      },
      { pointer: '/applicant/address', code: 'required', message: 'is required at this level' },
      { pointer: '/documents', code: 'document_missing', message: 'needs one of: proof_of_address' },
      ...['monthlyIncome', 'sourceOfFunds'].map((name) => ({
        pointer: `/applicant/${name}`,
        code: 'required',
        message: 'is required at this level',
      })),
    ]);
    const values: Record<string, unknown> = {
      dateOfBirth: '1990-04-12',
      taxId: { type: 'cpf', value: newCpf() },
      address: { line1: 'x', city: 'y', country: 'BR' },
      monthlyIncome: { amount: 850_000, currency: 'BRL' },
      sourceOfFunds: ['salary'],
    };
    for (const {
      satisfiedBy: [{ kind, pointer = '', documentType = '', sides: [side = ''] = [] } = { kind: '' }],
    } of body.items ?? []) {
      const name = pointer.replace('/applicant/', '');
      const { status: met } =
        kind === 'document'
          ? await world.upload(id, jpeg({ text: `${id} ${documentType}` }), { type: documentType, side })
          : await patch(id, { applicant: { [name]: values[name] } });
      expect([kind, documentType || name, met]).toEqual([kind, documentType || name, kind === 'document' ? 201 : 200]);
    }
    expect((await submit(id)).status).toBe(202);
  });

  it('refuses minors', async () => {
    const { id } = await world.complete({
      applicant: { ...person, dateOfBirth: '2015-01-01', taxId: { type: 'cpf', value: newCpf() } },
    });
    expect(code(await submit(id))).toEqual([422, 'underage_applicant']);
  });

  it('happens once: of two at the same time one is accepted', async () => {
    const { id } = await world.complete();
    const answers = await Promise.all([submit(id), submit(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    const refused = answers.find(({ status }) => status === 409) as Answer<unknown>;
    expect(refused.body).toMatchObject({
      code: 'invalid_state_transition',
      currentStatus: 'in_review',
      allowedTransitions: ['needs_information', 'approved', 'rejected', 'pending_approval', 'withdrawn'],
    });
  });

  it('is refused while the person has another active application', async () => {
    const applicant = { ...person, taxId: { type: 'cpf', value: newCpf() } };
    const [first, second] = [await world.complete({ applicant }), await world.complete({ applicant })];
    await submit(first.id);
    const answer = await submit(second.id);
    expect(code(answer)).toEqual([409, 'duplicate_active_application']);
    expect(answer.body).toMatchObject({ existingId: first.id });
    await withdraw(first.id);
    expect((await submit(second.id)).status).toBe(202);
  });

  it('succeeds for one of many applications of a person that race', async () => {
    const applicant = { ...person, taxId: { type: 'cpf', value: newCpf() } };
    const rivals = await Promise.all(Array.from({ length: 4 }, () => world.complete({ applicant })));
    const answers = await Promise.all(rivals.map(({ id }) => submit(id)));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    for (const lost of answers.filter((answer) => answer !== accepted[0]))
      expect(lost.body).toMatchObject({ code: 'duplicate_active_application', existingId: accepted[0]?.body.id });
  });

  it('treats equal numbers of two countries as two people', async () => {
    const of = (country: string) => ({
      applicant: { ...person, taxId: { type: 'other', value: 'AB-12345', country } },
    });
    const [german, austrian] = [await world.complete(of('DE')), await world.complete(of('AT'))];
    expect([(await submit(german.id)).status, (await submit(austrian.id)).status]).toEqual([202, 202]);
  });

  it('honours If-Match', async () => {
    const { id } = await world.complete();
    expect(code(await submit(id, { 'If-Match': '"7"' }))).toEqual([412, 'version_conflict']);
    expect((await submit(id, { 'If-Match': '"1"' })).status).toBe(202);
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
