/** API tests of what happens to pictures of the body when the consent to them is withdrawn. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { shared, type Credential } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { type Application, refusal } from './applications-world.ts';
import { exposed, startDecisionWorld } from './decisions-world.ts';

type Consent = components['schemas']['ConsentRecord'];

const world = await shared(startDecisionWorld());
const REFUSED = [409, 'consent_withdrawn', '/type consent_withdrawn'];
let pictures = 0;
/** Uploads another picture on each call. */
const selfie = (id: string, fields: Record<string, string> = {}, file = jpeg({ text: `selfie ${++pictures}` })) =>
  world.upload(id, file, { type: 'selfie', ...fields });
const consent = (id: string, action: Consent['action'], body: object = {}, as: Credential = world.key) =>
  world.request<Consent>('POST', `/v1/applications/${id}/consents`, {
    as,
    body: {
      action,
      purpose: 'biometric_processing',
      legalBasis: 'consent',
      textVersion: '1',
      textSha256: 'ab'.repeat(32),
      locale: 'pt-BR',
      channel: 'web',
      capturedAt: world.running.services.clock().toISOString(),
      ...body,
    },
  });
const documents = async (id: string) =>
  ((await world.get(id)).body.documents ?? []).map(({ type, status, rejectionCode }) => [type, status, rejectionCode]);

describe('when the consent to biometrics is withdrawn', () => {
  it('pictures of the body are no longer used, and none is accepted, whatever else is', async () => {
    const { id } = await world.inReview();
    await consent(id, 'granted');
    for (const type of ['selfie', 'selfie_video', 'id_card']) expect((await selfie(id, { type })).status).toBe(201);
    expect((await consent(id, 'withdrawn')).status).toBe(201);
    const rejected = ['rejected', 'consent_withdrawn'];
    expect(await documents(id)).toEqual([
      ['id_card', 'uploaded', null],
      ['selfie_video', ...rejected],
      ['selfie', ...rejected],
    ]);
    const { body: before } = await world.get(id);
    expect(refusal(await selfie(id))).toEqual(REFUSED);
    expect(refusal(await selfie(id, { type: 'selfie_video' }))).toEqual(REFUSED);
    expect((await world.get(id)).body).toEqual(before);
    expect((await selfie(id, { type: 'proof_of_address' })).status).toBe(201);
  });

  it('a picture is accepted again once there is a new consent, or another legal basis, and never the same picture', async () => {
    for (const legalBasis of ['consent', 'fraud_prevention']) {
      const { id } = await world.complete();
      await consent(id, 'granted');
      const picture = jpeg({ text: `the same ${id}` });
      await selfie(id, {}, picture);
      await consent(id, 'withdrawn');
      expect(refusal(await selfie(id, {}, picture))).toEqual(REFUSED);
      await consent(id, 'granted', { legalBasis });
      expect(refusal(await selfie(id, {}, picture))).toEqual(REFUSED);
      expect(refusal(await selfie(id, { type: 'other' }, picture))).toEqual(REFUSED);
      expect((await selfie(id)).body).toMatchObject({ status: 'uploaded', rejectionCode: null });
      expect(await documents(id)).toEqual([
        ['selfie', 'uploaded', null],
        ['selfie', 'rejected', 'consent_withdrawn'],
      ]);
    }
  });

  it('the record that was captured last decides: a paper form that arrives late grants nothing', async () => {
    const { id } = await world.complete();
    await consent(id, 'granted', { capturedAt: '2026-11-01T08:00:00.000Z' });
    await consent(id, 'withdrawn', { capturedAt: '2026-11-03T08:00:00.000Z' });
    await consent(id, 'granted', { capturedAt: '2026-11-02T08:00:00.000Z' });
    expect(refusal(await selfie(id))).toEqual(REFUSED);
  });

  it('pictures are unaffected if another purpose is withdrawn, or none was ever recorded', async () => {
    const { id } = await world.complete();
    expect((await selfie(id)).status).toBe(201);
    await consent(id, 'granted', { purpose: 'marketing' });
    await consent(id, 'withdrawn', { purpose: 'marketing' });
    expect((await selfie(id)).status).toBe(201);
    expect((await documents(id)).map(([, status]) => status)).toEqual(['uploaded', 'uploaded']);
  });

  it('a refused withdrawal leaves the pictures as they are', async () => {
    const { id } = await world.complete();
    await selfie(id);
    expect(refusal(await consent(id, 'withdrawn'))).toEqual([422, 'withdraw_without_grant', '/purpose no_grant']);
    expect(await documents(id)).toEqual([['selfie', 'uploaded', null]]);
  });

  it('a waiting decision ends, and the list of changes names the picture, too', async () => {
    const { id } = await world.inReview(exposed);
    await consent(id, 'granted');
    const { body: picture } = await selfie(id);
    const { body: read } = await world.get(id);
    const { body: decision } = await world.decide(read);
    const { body: record } = await consent(id, 'withdrawn');
    expect((await world.review(read, decision)).body).toMatchObject({
      code: 'evidence_changed',
      changed: [
        { kind: 'consent', id: record.id, change: 'added' },
        { kind: 'document', id: picture.id, change: 'changed' },
      ],
    });
    expect((await world.get(id)).body).toMatchObject({ status: 'in_review', statusReason: 'evidence_changed' });
  });

  it('the timeline and the log record it, once, also after the decision', async () => {
    const application = await world.inReview();
    await consent(application.id, 'granted');
    const { body: picture } = await selfie(application.id);
    await world.decide((await world.get(application.id)).body);
    await consent(application.id, 'withdrawn');
    expect((await world.get(application.id)).body).toMatchObject({
      status: 'approved',
      documents: [{ status: 'rejected' }],
    });
    const {
      body: { items },
    } = await world.request<{ items: object[] }>('GET', `/v1/applications/${application.id}/timeline?limit=2`, {
      as: world.key,
    });
    expect(items).toMatchObject([
      { type: 'document.rejected', documentId: picture.id, documentType: 'selfie' },
      { type: 'consent.withdrawn' },
    ]);
    await consent(application.id, 'granted');
    await consent(application.id, 'withdrawn');
    const events = (await world.acme.audit()).filter(
      ({ action, resource_id: about }) => action === 'document.rejected' && about === picture.id,
    );
    expect(events).toHaveLength(1);
  });

  it('no usable picture is left after an upload and a withdrawal at once', async () => {
    const { id } = await world.complete();
    await consent(id, 'granted');
    const [, ...uploads] = await Promise.all([
      consent(id, 'withdrawn'),
      ...Array.from({ length: 4 }, () => selfie(id)),
    ]);
    for (const upload of uploads) expect([201, 409]).toContain(upload.status);
    expect((await documents(id)).filter(([, status]) => status === 'uploaded')).toEqual([]);
  });

  it('another application of the same person keeps its pictures', async () => {
    const [one, other] = await Promise.all([world.complete(), world.complete()]);
    for (const { id } of [one, other] satisfies Application[]) {
      await consent(id, 'granted');
      await selfie(id);
    }
    await consent(one.id, 'withdrawn');
    expect([await documents(one.id), await documents(other.id)]).toEqual([
      [['selfie', 'rejected', 'consent_withdrawn']],
      [['selfie', 'uploaded', null]],
    ]);
  });
});
