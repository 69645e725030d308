/** API tests of attestations that are refused. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { refusal } from './applications-world.ts';
import { DAY, startAttestationWorld } from './attestations-world.ts';

const world = await shared(startAttestationWorld());

describe('an attestation is refused', () => {
  const range = '/lookedUpAt range';
  it.each([
    [{ requirementKey: 'colour_of_eyes' }, ['unknown_requirement', '/requirementKey unknown']],
    ...['identity_data', 'tax_id_valid', 'screening_clear', 'id_document'].map((requirementKey): [object, string[]] => [
      { requirementKey },
      ['validation_failed', '/requirementKey not_attestable'],
    ]),
    [
      { evidenceDocumentId: '0197f2c9-02bc-7f10-9a6e-3c5d8e7f1b32' },
      ['validation_failed', '/evidenceDocumentId unknown_document'],
    ],
    [{ outcome: 'maybe' }, ['validation_failed', '/outcome enum']],
    [{ note: 'Too short' }, ['validation_failed', '/note too_short']],
    [{ source: '' }, ['validation_failed', '/source too_short', '/source pattern']],
    [{ source: 'x'.repeat(301) }, ['validation_failed', '/source too_long']],
    [{ source: 'One\nTwo' }, ['validation_failed', '/source pattern']],
    [{ lookedUpAt: 'yesterday' }, ['validation_failed', '/lookedUpAt format']],
  ])('if it has %o', async (body, [code, ...faults]) => {
    const { id } = await world.inReview();
    const { body: before } = await world.get(id);
    expect(refusal(await world.attest(id, body))).toEqual([422, code, ...faults]);
    expect((await world.get(id)).body).toEqual(before);
  });

  it('if it lies too far back or ahead, and names everything that is wrong at once', async () => {
    const { id } = await world.inReview();
    for (const seconds of [-91 * DAY, 6 * 60])
      expect(refusal(await world.attest(id, { lookedUpAt: world.at(seconds) }))).toEqual([
        422,
        'validation_failed',
        range,
      ]);
    for (const seconds of [-90 * DAY, 4 * 60])
      expect((await world.attest(id, { lookedUpAt: world.at(seconds) })).status).toBe(201);
    const wrong = { requirementKey: 'screening_clear', lookedUpAt: world.at(-91 * DAY), evidenceDocumentId: id };
    expect(refusal(await world.attest(id, wrong))).toEqual([
      422,
      'validation_failed',
      '/requirementKey not_attestable',
      range,
      '/evidenceDocumentId unknown_document',
    ]);
  });

  it('if it names the document of another application', async () => {
    const [one, other] = await Promise.all([world.inReview(), world.inReview()]);
    const { body: document } = await world.upload(other.id, jpeg({ text: other.id }));
    expect(refusal(await world.attest(one.id, { evidenceDocumentId: document.id }))).toEqual([
      422,
      'validation_failed',
      '/evidenceDocumentId unknown_document',
    ]);
  });

  it('if the policy requires something that no person can look up', async () => {
    await world.setPolicy(world.other, { requiredChecks: { basic: ['face_match_passed'] } });
    const [key, analyst] = [await world.other.key(['read', 'write']), await world.other.user('analyst')];
    const { id } = await world.inReview({}, key);
    expect(refusal(await world.attest(id, { requirementKey: 'face_match_passed' }, analyst))).toEqual([
      422,
      'validation_failed',
      '/requirementKey not_attestable',
    ]);
  });

  it('if the application is decided or has ended, if a program records it, and if the person does not review', async () => {
    const { id } = await world.inReview();
    expect(refusal(await world.attest(id, {}, world.key))).toEqual([403, 'human_required']);
    for (const role of ['owner', 'auditor', 'viewer'] as const)
      expect(refusal(await world.attest(id, {}, await world.acme.user(role)))).toEqual([403, 'role_forbidden']);
    await world.decide((await world.get(id)).body, {
      outcome: 'reject',
      rejectType: 'final',
      reasonCodes: ['adverse_information'],
    });
    expect(refusal(await world.attest(id))).toEqual([409, 'application_closed']);
  });

  it('beyond a hundred records', async () => {
    const { id } = await world.inReview();
    for (let n = 0; n < 100; n += 1) expect((await world.attest(id)).status).toBe(201);
    expect(refusal(await world.attest(id))).toEqual([422, 'validation_failed', '/requirementKey too_many']);
    expect((await world.get(id)).body.attestations).toHaveLength(100);
  });
});
