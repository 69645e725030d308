/** API tests of erasing an application: what it frees, when the law forbids it, and that it happens once. */
import { describe, expect, it } from 'vitest';
import { sweepFiles } from '../../server/modules/documents/file-store.ts';
import { newCpf } from '../support/cpf.ts';
import { fileDigests } from '../support/production.ts';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { refusal, type Schemas } from './applications-world.ts';
import { startErasureWorld } from './applications-erasure-world.ts';
import { rejection } from './decisions-world.ts';

const world = await shared(startErasureWorld());

const storedFiles = async (): Promise<number> =>
  Object.keys(await fileDigests(world.running.services.config.dataDir)).length;

describe('an erasure', () => {
  it('frees the external id and the person, who may apply again with the same files', async () => {
    const taxId = { type: 'cpf', value: newCpf() };
    const first = await world.complete({
      externalId: 'cust-again',
      applicant: { fullName: 'Ana Souza', dateOfBirth: '1990-04-12', taxId },
    });
    const picture = jpeg({ text: 'the same picture' });
    await world.upload(first.id, picture);
    expect((await world.erase(first.id)).status).toBe(202);
    const second = await world.complete({
      externalId: 'cust-again',
      applicant: { fullName: 'Ana Souza', dateOfBirth: '1990-04-12', taxId },
    });
    expect((await world.upload(second.id, picture)).body.signals).toEqual([]);
  });

  it('happens once, however many request it at once', async () => {
    const { id } = await world.complete();
    const answers = await Promise.all(Array.from({ length: 4 }, () => world.erase(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 410, 410, 410]);
  });

  it('gives the same answer to a repetition with the same key', async () => {
    const { id } = await world.complete();
    const [first, again] = [
      await world.erase(id, undefined, world.eraser, { 'Idempotency-Key': 'erase-once' }),
      await world.erase(id, undefined, world.eraser, { 'Idempotency-Key': 'erase-once' }),
    ];
    expect([first.status, again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
      202,
      202,
      first.body,
      'true',
    ]);
  });

  it('removes files later if the storage is down', async () => {
    const before = await storedFiles();
    const { id } = await world.complete();
    await world.upload(id, jpeg({ text: id }));
    const { files } = world.running.services;
    const removal = files.delete.bind(files);
    files.delete = () => Promise.reject(new Error('the disk is gone'));
    expect((await world.erase(id)).status).toBe(202);
    files.delete = removal;
    expect(await storedFiles()).toBe(before + 1);
    await sweepFiles(world.database.database, files, new Date(Date.now() + 2 * 3_600_000));
    expect(await storedFiles()).toBe(before);
  });

  it.each([
    ['somebody who is no compliance officer', 'analyst', [403, 'role_forbidden']],
    ['an owner', 'owner', [403, 'role_forbidden']],
  ] as const)('is refused to %s', async (_, role, expected) => {
    const { id } = await world.complete();
    expect(refusal(await world.erase(id, undefined, await world.acme.user(role, { secondFactor: true })))).toEqual(
      expected,
    );
    expect((await world.get(id)).status).toBe(200);
  });

  it('is refused to a key, to another tenant, and without a fresh second factor', async () => {
    const { id } = await world.complete();
    expect(refusal(await world.erase(id, undefined, await world.acme.key(['admin'])))).toEqual([403, 'human_required']);
    expect(
      refusal(await world.erase(id, undefined, await world.other.user('compliance_officer', { secondFactor: true }))),
    ).toEqual([404, 'not_found']);
    expect(refusal(await world.erase(id, undefined, world.officer))).toEqual([403, 'step_up_required']);
    expect((await world.get(id)).status).toBe(200);
  });

  it.each([
    [{}, '/reason required'],
    [{ reason: 'boredom' }, '/reason enum'],
    [{ reason: 'data_subject_request', requestRef: 'Maria da Silva' }, '/requestRef pattern'],
    [{ reason: 'data_subject_request', requestRef: 'x'.repeat(101) }, '/requestRef too_long'],
  ])('is refused with %o', async (body, fault) => {
    const { id } = await world.complete();
    const [status, code, ...faults] = refusal(await world.erase(id, body));
    expect([status, code, faults]).toEqual([422, 'validation_failed', expect.arrayContaining([fault])]);
  });

  it('is refused while the application is under review: it must be withdrawn first', async () => {
    const application = await world.inReview();
    expect((await world.erase(application.id)).body).toMatchObject({
      code: 'invalid_state_transition',
      currentStatus: 'in_review',
      allowedTransitions: expect.arrayContaining(['withdrawn']),
    });
  });
});

describe('the law requires keeping a record', () => {
  const hold = async (id: string) => {
    const { status, body } = await world.erase(id);
    const { code, holdUntil, legalBasis } = body as Partial<Schemas['Problem']>;
    return [status, code, holdUntil, legalBasis?.split(',')[0]];
  };

  it('of a customer without end, and for ten years once the relationship has ended', async () => {
    const { id } = await world.approved();
    expect(await hold(id)).toEqual([409, 'retention_hold', null, 'Circular BCB 3.978/2020']);
    await world.endRelationship(id);
    await world.age(id, '2026-03-15T12:00:00Z');
    expect(await hold(id)).toEqual([409, 'retention_hold', '2036-12-31', 'Circular BCB 3.978/2020']);
    await world.age(id, '2015-03-15T12:00:00Z');
    expect((await hold(id))[0]).toBe(202);
  });

  it('of a rejected person for five years, from the decision, to the last day', async () => {
    const application = await world.inReview();
    await world.decide(application, rejection);
    const year = Number(
      new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: 'America/Sao_Paulo' }).format(new Date()),
    );
    await world.age(application.id, `${year - 5}-01-01T03:00:00Z`);
    expect(await hold(application.id)).toEqual([409, 'retention_hold', `${year}-12-31`, 'Lei 9.613/1998']);
    await world.age(application.id, `${year - 5}-01-01T02:59:59Z`);
    expect((await hold(application.id))[0]).toBe(202);
  });

  it('of an applicant who withdrew, from then on; and not of a draft that was never submitted', async () => {
    const { id } = await world.inReview();
    await world.request('POST', `/v1/applications/${id}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'applicant_request' },
    });
    expect((await hold(id)).slice(0, 2)).toEqual([409, 'retention_hold']);
    const draft = await world.complete();
    await world.request('POST', `/v1/applications/${draft.id}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'applicant_request' },
    });
    expect((await hold(draft.id))[0]).toBe(202);
  });
});
