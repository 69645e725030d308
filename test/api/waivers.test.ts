/** API tests of waiving a requirement and taking that back. */
import { describe, expect, it } from 'vitest';
import { shared, type Credential } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { type Application, type Refusal, refusal, type Schemas } from './applications-world.ts';
import { rejection, startDecisionWorld } from './decisions-world.ts';

type Waiver = Schemas['Waiver'];
const world = await shared(startDecisionWorld());
const NOTE = 'The branch has seen the declaration.';

const address = {
  line1: 'Rua das Flores',
  city: 'Curitiba',
  state: 'PR',
  postalCode: '80010000',
  country: 'BR',
};

const wealth = { monthlyIncome: { amount: 850_000, currency: 'BRL' }, sourceOfFunds: ['salary'], address };

const waive = (id: string, body: object = {}, as: Credential = world.officer) =>
  world.request<Waiver & Refusal>('POST', `/v1/applications/${id}/waivers`, {
    as,
    body: {
      action: 'granted',
      requirementKey: 'proof_of_address',
      reasonCode: 'not_obtainable',
      note: NOTE,
      ...body,
    },
  });

const revoke = (id: string, body: object = {}) =>
  waive(id, { action: 'revoked', reasonCode: 'error_correction', ...body });

const requirement = ({ requirements: { items } }: Application, key = 'proof_of_address') =>
  items.find((item) => item.key === key);

/** Returns a draft at the highest level that lacks only a proof of address. */
async function lacking(): Promise<string> {
  const { id } = await world.complete({ level: 'enhanced' });
  await world.request('PATCH', `/v1/applications/${id}`, { as: world.key, body: { applicant: wealth } });
  await world.upload(id, jpeg({ text: id }));
  return id;
}

const submit = (id: string) => world.request<Refusal>('POST', `/v1/applications/${id}/submit`, { as: world.key });

describe('a waiver', () => {
  it('counts a requirement as met that the applicant cannot meet, is evidence, and requires a second person', async () => {
    const id = await lacking();
    expect((await submit(id)).body).toMatchObject({
      code: 'requirements_missing',
      items: [{ key: 'proof_of_address', kind: 'provided', status: 'missing' }],
    });
    const { body: before } = await world.get(id);
    const { status, body: waiver, headers } = await waive(id);
    expect([status, headers.get('location'), waiver]).toEqual([
      201,
      `/v1/applications/${id}`,
      {
        id: expect.any(String),
        action: 'granted',
        requirementKey: 'proof_of_address',
        reasonCode: 'not_obtainable',
        note: NOTE,
        createdBy: expect.objectContaining({ type: 'user' }),
        createdAt: expect.any(String),
      },
    ]);
    const { body: after } = await world.get(id);
    expect([requirement(after), after.waivers, after.requirements.met]).toEqual([
      {
        ...requirement(before),
        status: 'waived',
        reasonCode: null,
        alternatives: [],
      },
      [waiver],
      true,
    ]);
    expect(after.evidenceDigest).not.toBe(before.evidenceDigest);
    expect((await submit(id)).status).toBe(202);
    const { body: decision } = await world.decide((await world.get(id)).body);
    expect([decision.status, decision.fourEyesReasons]).toEqual([
      'pending_review',
      ['not_screened', 'requirement_waived'],
    ]);
  });

  it('requires a second person by itself, for an approval alone', async () => {
    await world.setPolicy(world.other, { requiredChecks: { basic: ['screening_clear'] } });
    const [key, analyst, officer] = [
      await world.other.key(['read', 'write']),
      await world.other.user('analyst'),
      await world.other.user('compliance_officer'),
    ];
    const approve = async (id: string, body: object = {}) =>
      world.decide((await world.get(id, key)).body, body, analyst);
    const { id } = await world.submitted({}, key);
    expect((await approve(id)).body).toMatchObject({
      code: 'checks_incomplete',
      items: [
        {
          key: 'screening_clear',
          kind: 'established',
          status: 'missing',
          reasonCode: 'not_established',
          satisfiedBy: [],
        },
      ],
    });
    await waive(id, { requirementKey: 'screening_clear', reasonCode: 'verified_elsewhere' }, officer);
    expect((await approve(id)).body).toMatchObject({
      status: 'pending_review',
      fourEyesReasons: ['not_screened', 'requirement_waived'],
    });
    const { id: other } = await world.submitted({}, key);
    await waive(other, { requirementKey: 'screening_clear' }, officer);
    expect((await approve(other, rejection)).body).toMatchObject({ status: 'effective', fourEyesReasons: [] });
  });

  it('is revoked by a record of its own, after which the requirement is open again', async () => {
    const id = await lacking();
    const { body: granted } = await waive(id);
    const { status, body: revoked } = await revoke(id);
    const {
      body: { waivers, requirements },
    } = await world.get(id);
    expect([status, waivers, requirements.met]).toEqual([201, [revoked, granted], false]);
    expect((await waive(id)).status).toBe(201);
  });

  it('invalidates a decision that waits, which rests on other evidence then', async () => {
    const id = await lacking();
    await waive(id);
    await submit(id);
    const { body: decision } = await world.decide((await world.get(id)).body);
    const { body: read } = await world.get(id);
    const { body: revoked } = await revoke(id);
    const verdict = await world.review(read, decision);
    expect([verdict.status, verdict.body]).toMatchObject([
      409,
      {
        code: 'evidence_changed',
        changed: [
          {
            kind: 'waiver',
            id: revoked.id,
            change: 'added',
            before: null,
          },
        ],
      },
    ]);
    const { body } = await world.get(id);
    expect(body).toMatchObject({
      status: 'in_review',
      statusReason: 'evidence_changed',
      decisions: [{ id: decision.id, status: 'invalidated' }],
    });
    expect((await world.decide(body)).body).toMatchObject({
      code: 'checks_incomplete',
      items: [{ key: 'proof_of_address' }],
    });
  });

  it('is shown in the timeline, in lists and in the log, without its note, and is masked for readers who see persons masked', async () => {
    const id = await lacking();
    const { body: waiver } = await waive(id);
    const {
      body: { items },
    } = await world.request<{ items: object[] }>('GET', `/v1/applications/${id}/timeline`, { as: world.key });
    expect(items[0]).toMatchObject({ type: 'requirement.waived', status: null, requirementKey: 'proof_of_address' });
    const { body: list } = await world.request<{ items: Application[] }>('GET', '/v1/applications?limit=1', {
      as: world.key,
    });
    expect([list.items[0]!.id, requirement(list.items[0]!)?.status, list.items[0]!.waivers]).toEqual([
      id,
      'waived',
      undefined,
    ]);
    const event = (await world.acme.audit()).find(
      ({ action, resource_id: about }) => action === 'requirement.waived' && about === waiver.id,
    );
    expect(JSON.stringify(event)).not.toContain('declaration');
    const masked = await world.acme.key(['read'], { personalData: 'masked' });
    expect((await world.get(id, masked)).body.waivers?.[0]?.note).toBe('***');
  });

  it('is one if two are recorded at once', async () => {
    const id = await lacking();
    const answers = await Promise.all(Array.from({ length: 4 }, () => waive(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    expect((await world.get(id)).body.waivers).toHaveLength(1);
  });
});

describe('a waiver is refused', () => {
  it('if the requirement identifies the person, is met, is no requirement, or is waived already; and nothing is revoked that is not waived', async () => {
    const id = await lacking();
    const { body: before } = await world.get(id);
    expect(refusal(await waive(id, { requirementKey: 'identity_data' }))).toEqual([
      422,
      'validation_failed',
      '/requirementKey not_waivable',
    ]);
    expect(refusal(await waive(id, { requirementKey: 'tax_id_valid' }))).toEqual([
      422,
      'validation_failed',
      '/requirementKey not_waivable',
    ]);
    expect(refusal(await waive(id, { requirementKey: 'address' }))).toEqual([
      422,
      'validation_failed',
      '/requirementKey met',
    ]);
    expect(refusal(await waive(id, { requirementKey: 'colour_of_eyes' }))).toEqual([
      422,
      'unknown_requirement',
      '/requirementKey unknown',
    ]);
    expect(refusal(await revoke(id))).toEqual([422, 'validation_failed', '/requirementKey not_waived']);
    expect((await world.get(id)).body).toEqual(before);
    await waive(id);
    expect(refusal(await waive(id))).toEqual([422, 'validation_failed', '/requirementKey already_waived']);
  });

  it.each([
    [{ note: 'Too short' }, '/note too_short'],
    [{ reasonCode: 'because' }, '/reasonCode enum'],
    [{ action: 'maybe' }, '/action enum'],
    [{ requirementKey: 'Proof of address' }, '/requirementKey pattern'],
  ])('with %o', async (body, fault) => {
    expect(refusal(await waive((await world.complete()).id, body))).toEqual([422, 'validation_failed', fault]);
  });

  it('if the application is decided or has ended, if the caller is no compliance officer, and if the caller is a program', async () => {
    const decided = await world.inReview();
    await world.decide(decided);
    expect(refusal(await waive(decided.id))).toEqual([409, 'application_closed']);
    const id = await lacking();
    expect(refusal(await waive(id, {}, world.analyst))).toEqual([403, 'role_forbidden']);
    expect(refusal(await waive(id, {}, world.key))).toEqual([403, 'human_required']);
  });

  it('beyond a hundred records', async () => {
    const id = await lacking();
    for (let n = 0; n < 50; n += 1) {
      await waive(id);
      await revoke(id);
    }
    expect(refusal(await waive(id))).toEqual([422, 'validation_failed', '/action too_many']);
    expect((await world.get(id)).body.waivers).toHaveLength(100);
  });
});
