/** API tests of how an applicant answers a request for information, or does not. */
import { describe, expect, it } from 'vitest';
import { applicationsDue } from '../../server/modules/applications/life/expire-applications.ts';
import { runDue } from '../../server/tasks/due.ts';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { type Application, refusal } from './applications-world.ts';
import { type InformationRequest, item, startDecisionWorld } from './decisions-world.ts';

const world = await shared(startDecisionWorld());

interface Waiting {
  readonly id: string;
  readonly request: InformationRequest;
}

/** Returns an application whose applicant was asked for the date of birth, or for the given items. */
async function waiting(items: readonly object[] = [item], overrides: object = {}): Promise<Waiting> {
  const { id } = await world.inReview(overrides);
  const { body, text, status } = await world.ask({ id }, { items });
  if (status !== 201) throw new Error(text);
  return { id, request: body };
}

const address = {
  line1: 'Rua 1',
  city: 'Recife',
  state: 'PE',
  country: 'BR',
};

/** Returns the same with a passport, at the level that requires one. */
async function withPassport(items: readonly object[]): Promise<Waiting & { readonly passport: string }> {
  const { id } = await world.complete({
    level: 'standard',
    applicant: {
      fullName: 'Maria da Silva',
      dateOfBirth: '1990-04-12',
      taxId: { type: 'other', value: crypto.randomUUID().slice(0, 12), country: 'US' },
      address,
    },
  });
  const { body } = await world.upload(id, jpeg({ text: id }));
  await submit(id);
  return { id, passport: body.id, request: (await world.ask({ id }, { items })).body };
}

const patch = (id: string, body: object) =>
  world.request<Application & { editableFields?: string[] }>('PATCH', `/v1/applications/${id}`, {
    as: world.key,
    body,
  });
const submit = (id: string) => world.request<Application>('POST', `/v1/applications/${id}/submit`, { as: world.key });

describe('while information is requested', () => {
  it('what is requested may change, and nothing else', async () => {
    const { id } = await waiting();
    for (const body of [
      { applicant: { fullName: 'Ana Souza' } },
      { level: 'enhanced' },
      { applicant: { dateOfBirth: '1991-01-01', email: 'a@example.com' } },
    ]) {
      const {
        status,
        body: { editableFields, ...problem },
      } = await patch(id, body);
      expect([status, problem, editableFields]).toMatchObject([
        409,
        { code: 'application_not_editable' },
        ['/applicant/dateOfBirth'],
      ]);
    }
    expect((await world.get(id)).body).toMatchObject({
      version: 2,
      applicant: { dateOfBirth: '1990-04-12', email: null },
    });
    expect((await patch(id, { applicant: { dateOfBirth: '1991-01-01' } })).body).toMatchObject({
      status: 'needs_information',
      applicant: { dateOfBirth: '1991-01-01' },
    });
  });

  it('only requested documents are accepted, and a new one replaces the old one', async () => {
    const { id, passport } = await withPassport([{ ...item, requirementKey: 'id_document', documentType: 'passport' }]);
    expect(refusal(await world.upload(id, jpeg({ text: `card ${id}` }), { type: 'id_card', side: 'front' }))).toEqual([
      422,
      'validation_failed',
      '/type not_requested',
    ]);
    const { status, body } = await world.upload(id, jpeg({ text: `new ${id}` }));
    expect(status).toBe(201);
    expect((await world.get(id)).body.documents?.map((document) => [document.id, document.status])).toEqual([
      [body.id, 'uploaded'],
      [passport, 'superseded'],
    ]);
    expect((await submit(id)).body).toMatchObject({ status: 'in_review', resubmissionCount: 1 });
  });

  it('a document names the items that it answers, and the same file again answers nothing', async () => {
    const { id, passport, request } = await withPassport([
      { ...item, requirementKey: 'id_document', documentType: 'passport' },
      item,
    ]);
    const { body: before } = await world.get(id);
    expect(before.documents?.map(({ answers }) => answers)).toEqual([null]);
    const again = await world.upload(id, jpeg({ text: id }));
    expect([again.status, again.body]).toMatchObject([200, { id: passport, answers: null }]);
    expect((await submit(id)).body).toMatchObject({
      code: 'requirements_missing',
      items: [{ key: 'identity_data' }, { key: 'id_document' }],
    });
    const answers = { informationRequestId: request.id, requirementKeys: ['id_document'] };
    const { status, body } = await world.upload(id, jpeg({ text: `new ${id}` }));
    expect([status, body.answers]).toEqual([201, answers]);
    const repeated = await world.upload(id, jpeg({ text: `new ${id}` }));
    expect([repeated.status, repeated.body.answers], 'an upload that is repeated still answers').toEqual([
      200,
      answers,
    ]);
    expect((await world.get(id)).body.documents?.map((document) => [document.id, document.answers])).toEqual([
      [body.id, answers],
      [passport, null],
    ]);
  });

  it('withdrawing cancels the request', async () => {
    const { id, request } = await waiting();
    const { body } = await world.request<Application>('POST', `/v1/applications/${id}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'applicant_request' },
    });
    expect([body.status, body.informationRequests?.[0]]).toMatchObject([
      'withdrawn',
      { id: request.id, status: 'cancelled', answeredAt: null },
    ]);
  });
});

describe('an answer', () => {
  it('needs everything that was requested, and names what was not sent', async () => {
    const { id } = await waiting([item, { ...item, requirementKey: 'tax_id_valid' }]);
    await patch(id, { applicant: { dateOfBirth: '1991-01-01' } });
    const { status, body } = await submit(id);
    expect([status, body]).toMatchObject([
      422,
      {
        code: 'requirements_missing',
        items: [{ key: 'tax_id_valid', status: 'missing', reasonCode: 'requested_anew' }],
        errors: [{ pointer: '/applicant/taxId' }],
      },
    ]);
    expect((await world.get(id)).body).toMatchObject({ status: 'needs_information', resubmissionCount: 0 });
  });

  it('takes the application back into the review, also with a confirmed value', async () => {
    const { id, request } = await waiting();
    const {
      body: { submittedAt },
    } = await world.get(id);
    await patch(id, { applicant: { dateOfBirth: '1990-04-12' } });
    const { status, body } = await submit(id);
    expect([status, body]).toMatchObject([
      202,
      {
        status: 'in_review',
        statusReason: 'information_provided',
        resubmissionCount: 1,
        expiresAt: null,
        submittedAt,
        informationRequests: [{ id: request.id, status: 'answered' }],
      },
    ]);
    const { body: after } = await world.get(id);
    expect([after.evidenceDigest, after.informationRequests?.[0]?.answeredAt]).toEqual([
      body.evidenceDigest,
      expect.any(String),
    ]);
    const {
      body: { items },
    } = await world.request<{ items: { type: string; informationRequestId: string | null }[] }>(
      'GET',
      `/v1/applications/${id}/timeline`,
      { as: world.key },
    );
    expect(items.slice(0, 2).map(({ type, informationRequestId }) => [type, informationRequestId])).toEqual([
      ['information_request.answered', request.id],
      ['application.submitted', null],
    ]);
  });

  it('cannot be an earlier document', async () => {
    const { id } = await withPassport([{ ...item, requirementKey: 'id_document' }]);
    expect((await submit(id)).body).toMatchObject({
      code: 'requirements_missing',
      items: [{ key: 'id_document', reasonCode: 'requested_anew' }],
    });
  });

  it('may be requested as often as the policy says', async () => {
    const { id } = await waiting();
    for (let round = 1; round <= 3; round++) {
      if (round > 1) expect((await world.ask({ id })).status).toBe(201);
      await patch(id, { applicant: { dateOfBirth: '1990-04-12' } });
      expect((await submit(id)).body.resubmissionCount).toBe(round);
    }
    expect(refusal(await world.ask({ id }))).toEqual([409, 'resubmission_limit']);
  });
});

describe('an applicant who does not answer', () => {
  it('has one day more than announced; then the request is overdue and the application expires', async () => {
    const { id, request } = await waiting();
    const at = (hours: number) =>
      runDue(
        world.database.database,
        applicationsDue,
        { id: world.acme.id, sandboxAheadMilliseconds: 0 },
        { now: new Date(Date.parse(request.dueAt) + hours * 3_600_000), signal: new AbortController().signal },
      );
    await at(23);
    expect((await world.get(id)).body.status).toBe('needs_information');
    await at(24);
    const { body } = await world.get(id);
    expect([body.status, body.statusReason, body.informationRequests?.[0]?.status]).toEqual([
      'expired',
      'information_overdue',
      'overdue',
    ]);
    const {
      body: { items },
    } = await world.request<{ items: { type: string }[] }>('GET', `/v1/applications/${id}/timeline`, { as: world.key });
    expect(
      items
        .slice(0, 2)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['application.expired', 'information_request.overdue']);
  });
});
