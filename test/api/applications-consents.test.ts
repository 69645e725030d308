/** API tests of recording consents and withdrawals of an applicant. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { shared, type Credential } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { refusal, startWorld } from './applications-world.ts';

type Consent = components['schemas']['ConsentRecord'];

const world = await shared(startWorld());
const NOWHERE = '0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01';

const granted = {
  action: 'granted',
  purpose: 'marketing',
  legalBasis: 'consent',
  textVersion: 'marketing-1',
  textSha256: 'ab'.repeat(32),
  locale: 'pt-BR',
  channel: 'mobile',
  capturedAt: '2026-11-03T09:00:00-03:00',
  ip: '203.0.113.24',
  userAgent: 'Onboarding/4.2',
};
const withdrawn = { ...granted, action: 'withdrawn', capturedAt: '2026-11-04T12:00:00.000Z' };

const record = (id: string, body: object, as: Credential = world.key, headers: Record<string, string> = {}) =>
  world.request<Consent>('POST', `/v1/applications/${id}/consents`, { as, body, headers });
const draft = async (): Promise<string> => (await world.create()).body.id;
const consentsOf = async (id: string, as?: Credential): Promise<Consent[]> =>
  (await world.get(id, as)).body.consents ?? [];
const inMinutes = (minutes: number): string =>
  new Date(world.running.services.clock().getTime() + minutes * 60_000).toISOString();

describe('a consent', () => {
  it('is recorded as it was captured, in UTC, and found at its Location', async () => {
    const id = await draft();
    const {
      body: { id: evidenceDocumentId },
    } = await world.upload(id, jpeg({ text: 'signed form' }), { type: 'other' });
    const { status, headers, body } = await record(id, { ...granted, evidenceDocumentId });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...granted,
      id: body.id,
      capturedAt: '2026-11-03T12:00:00.000Z',
      evidenceDocumentId,
      createdAt: body.createdAt,
    });
    expect(headers.get('location')).toBe(`/v1/applications/${id}`);
    expect(await consentsOf(id)).toEqual([body]);
  });

  it('needs no address, program or evidence', async () => {
    const { ip, userAgent, ...bare } = granted;
    expect((await record(await draft(), bare)).body).toMatchObject({
      ip: null,
      userAgent: null,
      evidenceDocumentId: null,
    });
  });

  it('is shown in the application newest first, also among records of one moment, and not in lists', async () => {
    const id = await draft();
    const made = [
      (await record(id, granted)).body,
      (await record(id, withdrawn)).body,
      (await record(id, { ...granted, capturedAt: '2026-11-05T00:00:00Z' })).body,
    ];
    expect(await consentsOf(id)).toEqual(made.reverse());
    expect(new Set(made.map(({ createdAt }) => createdAt)).size).toBe(3);
    const {
      body: { items },
    } = await world.request<{ items: { id: string }[] }>('GET', '/v1/applications', { as: world.key });
    expect(items.find((item) => item.id === id)).not.toHaveProperty('consents');
  });

  it('is recorded once however often it is sent with one key', async () => {
    const id = await draft();
    const answers = [
      await record(id, granted, world.key, { 'Idempotency-Key': 'one-consent' }),
      await record(id, granted, world.key, { 'Idempotency-Key': 'one-consent' }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
      [201, null],
      [201, 'true'],
    ]);
    expect(await consentsOf(id)).toHaveLength(1);
  });

  it('shows its address and program only to callers who see personal data', async () => {
    const id = await draft();
    const masked = await world.acme.key(['read', 'write'], { personalData: 'masked' });
    expect((await record(id, granted, masked)).body).toMatchObject({ ip: null, userAgent: null, purpose: 'marketing' });
    expect(await consentsOf(id, await world.acme.user('viewer'))).toMatchObject([{ ip: null, userAgent: null }]);
    expect(await consentsOf(id, await world.acme.user('auditor'))).toMatchObject([
      { ip: '203.0.113.24', userAgent: 'Onboarding/4.2' },
    ]);
  });

  it('is audited and shown in the timeline without personal data', async () => {
    const id = await draft();
    const { body: grant } = await record(id, granted);
    const { body: end } = await record(id, withdrawn);
    const events = (await world.acme.audit()).filter(
      ({ resource_id }) => resource_id === grant.id || resource_id === end.id,
    );
    expect(events.map(({ action }) => action)).toEqual(['consent.granted', 'consent.withdrawn']);
    const changes = await world.database.sql('SELECT changes FROM audit_event WHERE resource_id = $1', [grant.id]);
    expect(JSON.stringify(changes)).not.toMatch(/203\.0\.113\.24|Onboarding\/4\.2/);
    const {
      body: { items },
    } = await world.request<{ items: components['schemas']['ApplicationEvent'][] }>(
      'GET',
      `/v1/applications/${id}/timeline`,
      { as: world.key },
    );
    expect(
      items.map(({ type, consentId, consentPurpose, documentId }) => [type, consentId, consentPurpose, documentId]),
    ).toEqual([
      ['consent.withdrawn', end.id, 'marketing', null],
      ['consent.granted', grant.id, 'marketing', null],
      ['application.created', null, null, null],
    ]);
  });
});

describe('a withdrawal', () => {
  it('needs a consent of the same purpose that is in effect', async () => {
    const id = await draft();
    const without = [422, 'withdraw_without_grant', '/purpose no_grant'];
    expect(refusal(await record(id, withdrawn))).toEqual(without);
    await record(id, granted);
    expect(refusal(await record(id, { ...withdrawn, purpose: 'screening' }))).toEqual(without);
    expect((await record(id, withdrawn)).status).toBe(201);
    expect(refusal(await record(id, { ...withdrawn, capturedAt: '2026-11-05T00:00:00Z' }))).toEqual(without);
  });

  it('cannot be captured before the consent', async () => {
    const id = await draft();
    await record(id, granted);
    expect(refusal(await record(id, { ...withdrawn, capturedAt: '2026-11-03T11:59:59.999Z' }))[1]).toBe(
      'withdraw_without_grant',
    );
  });

  it('is not undone by an older consent that arrives late, only by a newer one', async () => {
    const id = await draft();
    await record(id, granted);
    await record(id, withdrawn);
    expect((await record(id, { ...granted, capturedAt: '2026-11-03T13:00:00Z' })).status).toBe(201);
    expect(refusal(await record(id, { ...withdrawn, capturedAt: '2026-11-06T00:00:00Z' }))[1]).toBe(
      'withdraw_without_grant',
    );
    await record(id, { ...granted, capturedAt: '2026-11-05T00:00:00Z' });
    expect((await record(id, { ...withdrawn, capturedAt: '2026-11-06T00:00:00Z' })).status).toBe(201);
  });

  it('is recorded once if two are sent at once', async () => {
    const id = await draft();
    await record(id, granted);
    const answers = await Promise.all(
      ['04', '05', '06', '07'].map((day) => record(id, { ...withdrawn, capturedAt: `2026-11-${day}T00:00:00Z` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    expect((await consentsOf(id)).map(({ action }) => action)).toEqual(['withdrawn', 'granted']);
  });
});

describe('a consent is refused', () => {
  it('if it lies more than five minutes ahead', async () => {
    const id = await draft();
    expect((await record(id, { ...granted, capturedAt: inMinutes(4) })).status).toBe(201);
    expect(refusal(await record(id, { ...granted, capturedAt: inMinutes(6) }))).toEqual([
      422,
      'capture_time_in_future',
      '/capturedAt range',
    ]);
  });

  it.each([
    [{ ip: '999.1.1.1' }, '/ip format'],
    [{ ip: 'fe80::1::2' }, '/ip format'],
    [{ capturedAt: '0000-01-01T00:00:00Z' }, '/capturedAt format'],
    [{ locale: 'pt_BR' }, '/locale pattern'],
    [{ textSha256: 'AB'.repeat(32) }, '/textSha256 pattern'],
    [{ evidenceDocumentId: NOWHERE }, '/evidenceDocumentId unknown_document'],
  ])('if it has %o', async (change, where) => {
    expect(refusal(await record(await draft(), { ...granted, ...change }))).toEqual([422, 'validation_failed', where]);
  });

  it('if it names a document of another application', async () => {
    const {
      body: { id: evidenceDocumentId },
    } = await world.upload(await draft(), jpeg({ text: 'elsewhere' }));
    expect(refusal(await record(await draft(), { ...granted, evidenceDocumentId }))).toEqual([
      422,
      'validation_failed',
      '/evidenceDocumentId unknown_document',
    ]);
  });

  it('beyond fifty grants, after which a withdrawal is still accepted', async () => {
    const id = await draft();
    for (let i = 0; i < 50; i++) expect((await record(id, granted)).status).toBe(201);
    expect(refusal(await record(id, granted))).toEqual([409, 'consent_limit']);
    expect((await record(id, withdrawn)).status).toBe(201);
  });

  it('if the application was withdrawn or has expired, but not if it is decided', async () => {
    const [ended, lapsed, decided] = [await draft(), await draft(), await draft()];
    await world.request('POST', `/v1/applications/${ended}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'duplicate' },
    });
    await world.database.sql(`UPDATE application SET status = 'expired' WHERE id = $1`, [lapsed]);
    await world.database.sql(`UPDATE application SET status = 'approved' WHERE id = $1`, [decided]);
    for (const id of [ended, lapsed]) expect(refusal(await record(id, granted))).toEqual([409, 'application_closed']);
    expect((await record(decided, granted)).status).toBe(201);
  });

  it('if the caller does not see the application', async () => {
    expect(refusal(await record(await draft(), granted, await world.other.key(['write'])))).toEqual([404, 'not_found']);
  });
});
