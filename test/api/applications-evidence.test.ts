/** API tests of the digest of the evidence on which decisions rest: what changes it, and who may see it. */
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { startWorld } from './applications-world.ts';

const world = await shared(startWorld());

const digestOf = async (id: string, as = world.key): Promise<string | undefined> =>
  (await world.get(id, as)).body.evidenceDigest;
const consent = {
  action: 'granted',
  purpose: 'marketing',
  legalBasis: 'consent',
  textVersion: '1',
  textSha256: '0'.repeat(64),
  locale: 'pt-BR',
  channel: 'web',
  capturedAt: '2026-11-01T08:00:00.000Z',
};

/** Performs an action and tells whether the digest has changed. */
async function changes(id: string, what: () => Promise<{ readonly status: number }>): Promise<boolean> {
  const before = await digestOf(id);
  expect((await what()).status).toBeLessThan(300);
  return (await digestOf(id)) !== before;
}

async function changeSettings(body: object): Promise<{ readonly status: number }> {
  const as = await world.acme.user('owner', { secondFactor: true });
  const { headers } = await world.request('GET', '/v1/settings', { as });
  return world.request('PATCH', '/v1/settings', { as, body, headers: { 'If-Match': headers.get('etag') ?? '' } });
}

describe('the digest of the evidence', () => {
  it('is the same in every answer that shows the application, and absent in lists', async () => {
    const { id, evidenceDigest } = await world.complete({
      applicant: {
        fullName: 'José Antônio d’Ávila',
        dateOfBirth: '1990-04-12',
        taxId: { type: 'other', value: 'X-1', country: 'US' },
        address: {
          line1: 'Rua 1',
          city: 'Recife',
          state: 'PE',
          country: 'BR',
        },
        pepDeclaration: { isPep: false },
      },
    });
    expect(evidenceDigest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(await digestOf(id)).toBe(evidenceDigest);
    const submitted = await world.request<{ evidenceDigest?: string }>('POST', `/v1/applications/${id}/submit`, {
      as: world.key,
    });
    // The submission adds the level of risk to the evidence.
    expect([submitted.status, submitted.body.evidenceDigest]).toEqual([202, await digestOf(id)]);
    expect(submitted.body.evidenceDigest).not.toBe(evidenceDigest);
    const {
      body: { items },
    } = await world.request<{ items: object[] }>('GET', '/v1/applications', { as: world.key });
    expect(items.filter((item) => 'evidenceDigest' in item)).toEqual([]);
  });

  it('is hidden from readers who see persons masked, because comparing digests would reveal hidden data', async () => {
    const { id } = await world.complete();
    const masked = await world.get(id, await world.acme.user('viewer'));
    expect([masked.body.personalDataMasked, 'evidenceDigest' in masked.body]).toEqual([true, false]);
  });

  it('changes with the person, a document, a consent, the decision policy and the first assessment of the risk', async () => {
    const { id } = await world.complete();
    expect(
      await changes(id, () =>
        world.request('PATCH', `/v1/applications/${id}`, {
          as: world.key,
          body: { applicant: { occupation: 'Carpenter' } },
        }),
      ),
    ).toBe(true);
    expect(await changes(id, () => world.upload(id, jpeg({ text: id })))).toBe(true);
    expect(
      await changes(id, () =>
        world.request('POST', `/v1/applications/${id}/consents`, { as: world.key, body: consent }),
      ),
    ).toBe(true);
    expect(await changes(id, () => changeSettings({ decisionPolicy: { minimumAge: 21 } }))).toBe(true);
    expect(await changes(id, () => world.request('POST', `/v1/applications/${id}/submit`, { as: world.key }))).toBe(
      true,
    );
  });

  it('returns to its former value when a document is removed again, but not when a policy is restored', async () => {
    const { id, evidenceDigest } = await world.complete();
    const {
      body: { id: documentId },
    } = await world.upload(id, jpeg({ text: id }));
    await world.request('DELETE', `/v1/applications/${id}/documents/${documentId}`, { as: world.key });
    expect(await digestOf(id)).toBe(evidenceDigest);
    for (const informationDueDays of [20, 15]) await changeSettings({ decisionPolicy: { informationDueDays } });
    expect(await digestOf(id)).not.toBe(evidenceDigest);
  });

  it('does not change with anything that is not evidence', async () => {
    const { id } = await world.complete();
    expect(
      await changes(id, () =>
        world.request('PATCH', `/v1/applications/${id}`, {
          as: world.key,
          body: { metadata: { campaign: 'december' } },
        }),
      ),
    ).toBe(false);
    expect(await changes(id, () => changeSettings({ branding: { displayName: 'Acme' } }))).toBe(false);
    expect(await changes(id, () => changeSettings({ decisionPolicy: { minimumAge: 21 } }))).toBe(false);
    expect(
      await changes(id, () =>
        world.request('POST', `/v1/applications/${id}/withdraw`, { as: world.key, body: { reasonCode: 'other' } }),
      ),
    ).toBe(false);
  });
});
