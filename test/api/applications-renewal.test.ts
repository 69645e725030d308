/** API tests of renewing an approval: what is copied, and when the former approval ends. */
import { describe, expect, it } from 'vitest';
import { applicationsDue } from '../../server/modules/applications/life/expire-applications.ts';
import { runDue } from '../../server/tasks/due.ts';
import { newCpf } from '../support/cpf.ts';
import { shared } from '../support/service.ts';
import { type Application, refusal } from './applications-world.ts';
import { rejection, startDecisionWorld, unlisted } from './decisions-world.ts';

const world = await shared(startDecisionWorld());
const officer = await world.acme.user('compliance_officer', { secondFactor: true });

async function approve({ id }: Pick<Application, 'id'>): Promise<Application> {
  await world.decide(await world.screened((await world.get(id)).body));
  return (await world.get(id)).body;
}

const approved = async () => approve(await world.inReview());
const renew = (renewsApplicationId: string, more: object = {}, as = world.key) =>
  world.request<Application>('POST', '/v1/applications', {
    as,
    body: {
      purpose: 'periodic_review',
      applicant: { fullName: unlisted.fullName },
      renewsApplicationId,
      ...more,
    },
  });
const submit = (id: string) => world.request('POST', `/v1/applications/${id}/submit`, { as: world.key });
const faults = ({ status, body }: { status: number; body: unknown }) => [
  status,
  ...((body as { errors?: { pointer: string; code: string }[] }).errors ?? []).map(
    ({ pointer, code }) => `${pointer} ${code}`,
  ),
];

describe('a renewal', () => {
  it('copies the data of the approval and none of its evidence, and sent members take precedence', async () => {
    const before = await approved();
    const { status, body } = await renew(before.id, {
      applicant: { fullName: 'Maria da Silva Souza', occupation: 'Engineer' },
      metadata: { branch: '7' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'draft',
      purpose: 'periodic_review',
      level: before.level,
      productCodes: before.productCodes,
      renewsApplicationId: before.id,
      externalId: null,
      applicant: { ...before.applicant, fullName: 'Maria da Silva Souza', occupation: 'Engineer' },
      metadata: { branch: '7' },
      documents: [],
      consents: [],
      decisions: [],
    });
    expect((await world.get(before.id)).body).toMatchObject({ status: 'approved', renewsApplicationId: null });
  });

  it('ends the approval that it renews when it is approved itself, and records this in the timeline and in the log', async () => {
    const before = await approved();
    const {
      body: { id },
    } = await renew(before.id);
    expect((await submit(id)).status).toBe(202);
    expect((await world.get(before.id)).body.status).toBe('approved');
    await approve({ id });
    const { body: after } = await world.get(before.id);
    expect(after).toMatchObject({
      status: 'expired',
      statusReason: 'renewed',
      validUntil: before.validUntil,
      version: before.version + 1,
    });
    const {
      body: { items },
    } = await world.request<{ items: object[] }>('GET', `/v1/applications/${before.id}/timeline`, { as: world.key });
    expect(items[0]).toMatchObject({ type: 'application.expired', status: 'expired' });
    expect(
      (await world.acme.audit())
        .filter(({ resource_id: about }) => about === before.id)
        .slice(-2)
        .map(({ action }) => action),
    ).toEqual(['application.expired', 'application.status_changed']);
    const {
      body: { id: next },
    } = await renew(before.id);
    expect((await world.get(next)).body.renewsApplicationId).toBe(before.id);
  });

  it('ends it only after a second person has confirmed, and a rejected one does not end it', async () => {
    const before = await approved();
    const { body: rejected } = await renew(before.id);
    await submit(rejected.id);
    await world.decide((await world.get(rejected.id)).body, rejection);
    expect((await world.get(before.id)).body.status).toBe('approved');
    const {
      body: { id },
    } = await renew(before.id, {
      applicant: { fullName: 'Maria da Silva', pepDeclaration: { isPep: true, role: 'Mayor' } },
    });
    await submit(id);
    const { body: decision } = await world.decide((await world.get(id)).body);
    expect([(await world.get(id)).body.status, (await world.get(before.id)).body.status]).toEqual([
      'pending_approval',
      'approved',
    ]);
    await world.review((await world.get(id)).body, decision);
    expect((await world.get(before.id)).body).toMatchObject({ status: 'expired', statusReason: 'renewed' });
  });

  it('leaves an approval alone that is being decided anew', async () => {
    const before = await approved();
    const {
      body: { id },
    } = await renew(before.id);
    await world.reopen(before);
    expect(refusal(await submit(id))).toEqual([409, 'duplicate_active_application']);
    await world.decide((await world.get(before.id)).body, rejection);
    await submit(id);
    await approve({ id });
    expect((await world.get(before.id)).body.status).toBe('rejected');
  });

  it('ends, with its own relationship, the relationship of everything that it renewed, from which the law counts', async () => {
    const first = await approved();
    const { body: second } = await renew(first.id);
    await submit(second.id);
    await approve(second);
    const { body: third } = await renew(second.id);
    await submit(third.id);
    await approve(third);
    const erase = () =>
      world.request('POST', `/v1/applications/${first.id}/erase`, {
        as: officer,
        body: { reason: 'data_subject_request' },
      });
    expect((await erase()).body).toMatchObject({ code: 'retention_hold', holdUntil: null });
    const {
      body: { relationshipEndedAt },
    } = await world.request<Application>('POST', `/v1/applications/${third.id}/end-relationship`, {
      as: world.key,
      body: { reasonCode: 'customer_request' },
    });
    for (const { id } of [first, second, third])
      expect((await world.get(id)).body.relationshipEndedAt).toBe(relationshipEndedAt);
    expect((await erase()).body).toMatchObject({
      code: 'retention_hold',
      holdUntil: expect.stringMatching(/^20\d\d-12-31$/),
    });
    expect(
      (await world.acme.audit())
        .filter(({ action }) => action === 'application.relationship_ended')
        .map(({ resource_id: about }) => about)
        .slice(-3)
        .sort(),
    ).toEqual([first.id, second.id, third.id].sort());
  });
});

describe('a renewal is refused', () => {
  it('if the original is missing, of another environment, of another tenant or erased, always in the same way', async () => {
    const gone = (await world.create()).body.id;
    await world.request('POST', `/v1/applications/${gone}/erase`, {
      as: officer,
      body: { reason: 'data_subject_request' },
    });
    const foreign = await world.other.key(['read', 'write']);
    const theirs = await world.inReview({}, foreign);
    await world.decide(theirs, {}, await world.other.user('analyst'));
    await world.request('POST', '/v1/sandbox/enable', { as: await world.other.key(['admin']) });
    const sandboxed = await world.other.key(['read', 'write'], { environment: 'test', personalData: 'full' });
    const answers = await Promise.all([
      renew('0197f2d0-3b1a-7c55-9c7e-1f2a3b4c5d6e'),
      renew(gone),
      renew(theirs.id),
      renew(theirs.id, {}, sandboxed),
    ]);
    expect(new Set(answers.map((answer) => faults(answer).join(' ')))).toEqual(
      new Set(['422 /renewsApplicationId unknown']),
    );
  });

  it.each(['draft', 'in_review', 'rejected', 'withdrawn'] as const)(
    'if the original is %s: nothing was approved',
    async (status) => {
      const application = status === 'draft' ? await world.complete() : await world.inReview();
      if (status === 'rejected') await world.decide(application, rejection);
      if (status === 'withdrawn')
        await world.request('POST', `/v1/applications/${application.id}/withdraw`, {
          as: world.key,
          body: { reasonCode: 'duplicate' },
        });
      expect((await world.get(application.id)).body.status).toBe(status);
      expect(faults(await renew(application.id))).toEqual([422, '/renewsApplicationId not_renewable']);
    },
  );

  it('if the draft expired before anything was approved', async () => {
    const {
      body: { id, expiresAt },
    } = await world.create();
    await runDue(
      world.database.database,
      applicationsDue,
      { id: world.acme.id, sandboxAheadMilliseconds: 0 },
      { now: new Date(Date.parse(expiresAt!) + 60_000), signal: new AbortController().signal },
    );
    expect((await world.get(id)).body.status).toBe('expired');
    expect(faults(await renew(id))).toEqual([422, '/renewsApplicationId not_renewable']);
  });

  it('if it is for another person, at once and when the draft is edited', async () => {
    const before = await approved();
    const another = { taxId: { type: 'cpf', value: newCpf() } };
    expect(faults(await renew(before.id, { applicant: { fullName: 'Maria da Silva', ...another } }))).toEqual([
      422,
      '/applicant/taxId other_person',
    ]);
    const {
      body: { id },
    } = await renew(before.id, {
      applicant: { fullName: 'Maria da Silva', taxId: { type: 'cpf', value: before.applicant.taxId!.value } },
    });
    const patch = (applicant: object) =>
      world.request<Application>('PATCH', `/v1/applications/${id}`, { as: world.key, body: { applicant } });
    expect(faults(await patch(another))).toEqual([422, '/applicant/taxId other_person']);
    expect(faults(await patch({ taxId: null }))).toEqual([422, '/applicant/taxId other_person']);
    expect((await patch({ occupation: 'Pilot' })).status).toBe(200);
  });

  it('if the caller sees personal data masked, because the answers would reveal it', async () => {
    const masked = await world.acme.key(['read', 'write'], { personalData: 'masked' });
    expect(refusal(await renew((await approved()).id, {}, masked))).toEqual([403, 'personal_data_masked']);
  });
});
