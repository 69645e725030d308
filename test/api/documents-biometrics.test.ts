/** API tests of erasing pictures of the body some time after the decision, and of what holds that back. */
import { beforeEach, describe, expect, it } from 'vitest';
import { biometricsDue } from '../../server/modules/applications/life/biometric-retention.ts';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { type Application, refusal } from './applications-world.ts';
import { exposed, rejection, startDecisionWorld } from './decisions-world.ts';
import { businessTimeAt } from '../support/business-time.ts';

const DAY = 86_400_000;
const world = await shared(startDecisionWorld());
const { acme, database, running } = world;
let pictures = 0;
const selfie = async (id: string, type = 'selfie', file = jpeg({ text: `selfie ${++pictures}` })) =>
  (await world.upload(id, file, { type })).body;
const content = (id: string, documentId: string) =>
  world.request(`GET`, `/v1/applications/${id}/documents/${documentId}/content`, { as: world.officer });
const documentOf = async (id: string, documentId: string) =>
  (await world.get(id)).body.documents!.find((document) => document.id === documentId)!;
/** Runs the erasure `days` days after an instant, and returns the number of changed records. */
const passed = async (instant: string, days: number): Promise<number> => {
  const moment = {
    environment: 'live',
    businessTime: businessTimeAt(Date.parse(instant) + days * DAY),
    now: running.services.clock(),
  } as const;
  return (await database.database.transaction({ tenantId: acme.id }, (tx) => biometricsDue.run(tx, moment))).length;
};

/** Returns a rejected application with a passport, a selfie and a video. */
async function decided() {
  const { id } = await world.inReview();
  const passport = (await world.upload(id, jpeg({ text: `passport ${++pictures}` }))).body;
  const [picture, video] = [await selfie(id), await selfie(id, 'selfie_video')];
  expect((await world.decide((await world.get(id)).body, rejection)).body.status).toBe('effective');
  return {
    id,
    passport,
    picture,
    video,
    application: (await world.get(id)).body,
  };
}

/** Returns whether the storage has the files of these documents. */
async function stored(documents: readonly { readonly id: string }[]): Promise<boolean[]> {
  const rows = await database.sql<{ storage_key: string }>('SELECT storage_key FROM document WHERE id = ANY ($1)', [
    documents.map(({ id }) => id),
  ]);
  return Promise.all(
    rows.map(({ storage_key: key }) =>
      running.services.files.open(key).then(
        (file) => file.destroy() !== null,
        () => false,
      ),
    ),
  );
}

describe('pictures of the body', () => {
  it('are erased a number of days after the decision, with their files, and their hashes, status and evidence stay', async () => {
    const { id, passport, picture, video, application } = await decided();
    expect(await stored([picture, video])).toEqual([true, true]);
    await passed(application.decidedAt!, 89.99);
    expect((await content(id, picture.id)).status).toBe(200);
    expect(await passed(application.decidedAt!, 90)).toBeGreaterThanOrEqual(2);
    for (const one of [picture, video]) {
      expect(await documentOf(id, one.id)).toEqual({ ...one, fileErasedAt: expect.stringMatching(/Z$/) as string });
      expect(refusal(await content(id, one.id))).toEqual([410, 'erased']);
    }
    expect([await documentOf(id, passport.id), (await content(id, passport.id)).status]).toEqual([passport, 200]);
    const { body: after } = await world.get(id);
    expect([after.evidenceDigest, after.version, after.decisions]).toEqual([
      application.evidenceDigest,
      application.version,
      application.decisions,
    ]);
    await running.runTasks();
    expect(await stored([picture, video])).toEqual([false, false]);
    expect(await passed(application.decidedAt!, 91)).toBe(0);
    const {
      body: { items },
    } = await world.request<{ items: object[] }>('GET', `/v1/applications/${id}/timeline?limit=5`, { as: world.key });
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'document.file_erased',
          documentId: picture.id,
          documentType: 'selfie',
          actor: { type: 'system', id: 'documents.biometrics', display: 'Retention of biometric data' },
        }),
      ]),
    );
  });

  it('are held while a review is open, and while an attestation or a consent rests on them', async () => {
    const reopened = await decided();
    expect((await world.reopen(reopened.application)).status).toBe(200);
    const attested = await world.inReview();
    const evidence = await selfie(attested.id);
    const lookedUpAt = running.services.clock().toISOString();
    const recorded = await world.request('POST', `/v1/applications/${attested.id}/attestations`, {
      as: world.analyst,
      body: {
        requirementKey: 'cpf_status_ok',
        outcome: 'pass',
        source: 'Tax register',
        lookedUpAt,
        note: 'Regular at that time.',
        evidenceDocumentId: evidence.id,
      },
    });
    expect(recorded.status).toBe(201);
    const consented = await selfie(attested.id);
    const withdrawn = await world.request('POST', `/v1/applications/${attested.id}/consents`, {
      as: world.key,
      body: {
        action: 'granted',
        purpose: 'marketing',
        legalBasis: 'consent',
        textVersion: '1',
        textSha256: 'ab'.repeat(32),
        locale: 'pt-BR',
        channel: 'web',
        capturedAt: lookedUpAt,
        evidenceDocumentId: consented.id,
      },
    });
    expect(withdrawn.status).toBe(201);
    const free = await selfie(attested.id);
    await world.decide((await world.get(attested.id)).body, rejection);
    await passed((await world.get(attested.id)).body.decidedAt!, 400);
    for (const [id, { id: held }] of [
      [reopened.id, reopened.picture],
      [attested.id, evidence],
      [attested.id, consented],
    ] as const)
      expect((await documentOf(id, held)).fileErasedAt).toBeNull();
    expect((await documentOf(attested.id, free.id)).fileErasedAt).not.toBeNull();
  });

  it('are held while a renewal is open, because its reviewers compare them', async () => {
    const { id } = await world.inReview(exposed);
    const picture = await selfie(id);
    const { body: read } = await world.get(id);
    await world.review(read, (await world.decide(read)).body);
    const {
      body: { status, decidedAt },
    } = await world.get(id);
    expect(status).toBe('approved');
    const { body: renewal } = await world.create({
      purpose: 'periodic_review',
      renewsApplicationId: id,
      applicant: { fullName: 'Maria da Silva' },
      submit: true,
    });
    expect(renewal.status).toBe('in_review');
    await passed(decidedAt!, 400);
    expect((await documentOf(id, picture.id)).fileErasedAt).toBeNull();
    await world.request('POST', `/v1/applications/${renewal.id}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'applicant_request' },
    });
    await passed(decidedAt!, 400);
    expect((await documentOf(id, picture.id)).fileErasedAt).not.toBeNull();
  });

  it('are erased after the end of an undecided application, and after the number of days that the tenant has set', async () => {
    const { id } = await world.inReview();
    const picture = await selfie(id);
    const {
      body: { updatedAt },
    } = await world.request<Application>('POST', `/v1/applications/${id}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'applicant_request' },
    });
    const as = await acme.user('owner', { secondFactor: true });
    const set = async (biometricDays: number) => {
      const { headers } = await world.request('GET', '/v1/settings', { as });
      const answer = await world.request('PATCH', '/v1/settings', {
        as,
        body: { retention: { biometricDays } },
        headers: { 'If-Match': headers.get('etag')! },
      });
      expect(answer.status).toBe(200);
    };
    await set(10);
    await passed(updatedAt, 9.99);
    expect((await documentOf(id, picture.id)).fileErasedAt).toBeNull();
    await passed(updatedAt, 10);
    expect((await documentOf(id, picture.id)).fileErasedAt).not.toBeNull();
    await set(90);
  });

  it('may be uploaded again after that, if the application is reopened', async () => {
    const { id } = await world.inReview();
    const file = jpeg({ text: 'the same again' });
    const first = await selfie(id, 'selfie', file);
    await world.decide((await world.get(id)).body, rejection);
    const { body: application } = await world.get(id);
    await passed(application.decidedAt!, 90);
    await world.reopen((await world.get(id)).body);
    const again = await world.upload(id, file, { type: 'selfie' });
    expect([again.status, again.body.id === first.id, (await content(id, again.body.id)).status]).toEqual([
      201,
      false,
      200,
    ]);
  });
});

describe('the evidence pack', () => {
  const parts = async (id: string) => {
    world.advance(11_000);
    const answer = await fetch(`${world.url}/v1/applications/${id}/evidence-pack`, { headers: world.officer });
    const zip = Buffer.from(await answer.arrayBuffer());
    const entries = new Map<string, string>();
    for (let at = zip.readUInt32LE(zip.length - 6); zip.readUInt32LE(at) === 0x02014b50; ) {
      const [size, length, start] = [zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)];
      entries.set(
        zip.toString('utf8', at + 46, at + 46 + length),
        zip.toString('latin1', start + 30 + length, start + 30 + length + size),
      );
      at += 46 + length;
    }
    return entries;
  };

  it('says of the document that its file is erased, and is otherwise the same byte for byte', async () => {
    const { id, picture, video, application } = await decided();
    const before = await parts(id);
    await passed(application.decidedAt!, 90);
    const after = await parts(id);
    expect([...before.keys()].filter((name) => !after.has(name)).sort()).toEqual(
      [picture, video].map((one) => `documents/${one.id}.jpg`).sort(),
    );
    // Only the log and the list of files differ, because the download and the erasure added events.
    const changed = [...after].filter(([name, bytes]) => before.get(name) !== bytes).map(([name]) => name);
    expect(changed.sort()).toEqual(['application.json', 'audit/events.ndjson', 'manifest.json', 'signature.json']);
    const [was, is] = [before, after].map((pack) => JSON.parse(pack.get('application.json')!) as Application);
    const shown = is!.documents!.filter(({ fileErasedAt }) => fileErasedAt !== null).map((one) => one.id);
    expect(shown.sort()).toEqual([picture.id, video.id].sort());
    expect({ ...is!, documents: is!.documents!.map((one) => ({ ...one, fileErasedAt: null })) }).toEqual(was);
  });
});

describe('the clock of the sandbox', () => {
  beforeEach(async () => {
    await world.request('POST', '/v1/sandbox/enable', { as: await acme.key(['admin']) });
  });

  it('erases what is due by then, and records it', async () => {
    const { id, picture, application } = await decided();
    expect(application.environment).toBe('sandbox');
    const advance = async (days: number) =>
      (
        await world.request<{ effects: object[] }>('POST', '/v1/sandbox/simulations', {
          as: await acme.key(['admin']),
          body: { type: 'advance_clock', parameters: { seconds: days * 86_400 } },
        })
      ).body.effects;
    expect(await advance(89)).not.toContainEqual({
      resource: { type: 'document', id: picture.id },
      change: 'file erased',
    });
    expect(await advance(2)).toContainEqual({ resource: { type: 'document', id: picture.id }, change: 'file erased' });
    expect(refusal(await content(id, picture.id))).toEqual([410, 'erased']);
  });
});
