/** API tests of submitting an application: what must be there, and that it happens once. */
import { describe, expect, it } from 'vitest';
import { shared, type Answer } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newCpf } from '../support/cpf.ts';
import { person, startWorld, type Application } from './applications-world.ts';

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
