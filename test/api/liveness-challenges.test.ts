/** Tests of liveness challenges: their frames, their single use, and what ends them. */
import { describe, expect, it } from 'vitest';
import { sixFrames } from '../operations/verification-records.ts';
import { png } from '../support/specimens.ts';
import { startVerificationWorld } from './verifications-world.ts';

const world = await startVerificationWorld();
const tenant = await world.sandbox();
const key = await tenant.key(['read', 'write'], { environment: 'test' });
const analyst = await tenant.user('analyst');

/** Returns an application with a basis for biometric data, and a challenge for it. */
async function challenged() {
  const applicationId = await world.apply(key);
  await world.basis(tenant, applicationId, key);
  const { status, body, text } = await world.challenge(key, applicationId);
  expect(status, text).toBe(201);
  return { applicationId, challenge: body };
}
const verify = (applicationId: string, challengeId: string, outcome = 'passed') =>
  world.start(key, {
    applicationId,
    type: 'liveness',
    inputs: { challengeId },
    sandbox: { outcome },
  });

describe('a challenge', () => {
  it('asks for three movements, of which no two that follow each other are the same', async () => {
    const { challenge } = await challenged();
    const { actions, nonce, status } = challenge;
    expect(actions).toHaveLength(3);
    expect(actions.slice(1).every((action, index) => action !== actions[index])).toBe(true);
    expect([status, nonce.length]).toEqual(['issued', 22]);
  });

  it('needs a basis for biometric data, when it is issued and when its frames come', async () => {
    const bare = await world.challenge(key, await world.apply(key));
    expect([bare.status, bare.body.code]).toEqual([409, 'biometric_basis_missing']);
    const { applicationId, challenge } = await challenged();
    await withdraw(applicationId);
    const late = await world.frames(key, challenge);
    expect([late.status, late.body.code]).toEqual([409, 'biometric_basis_missing']);
  });

  it('is one of twenty for an application', async () => {
    const { applicationId } = await challenged();
    for (let made = 1; made < 20; made++) expect((await world.challenge(key, applicationId)).status).toBe(201);
    const { status, body } = await world.challenge(key, applicationId);
    expect([status, body.code]).toEqual([409, 'attempt_limit']);
  });

  it('is used by its frames, once', async () => {
    const { challenge } = await challenged();
    const used = await world.frames(key, challenge);
    expect([used.status, used.body.status, used.body.frameCount]).toEqual([200, 'consumed', 6]);
    const again = await world.frames(key, challenge);
    expect([again.status, again.body.code]).toEqual([422, 'challenge_expired']);
  });

  it('expires after 120 seconds', async () => {
    const { challenge } = await challenged();
    world.advance(121_000);
    const late = await world.frames(key, challenge);
    expect([late.status, late.body.code]).toEqual([422, 'challenge_expired']);
  });
});

describe('frames are refused', () => {
  it('with the nonce of another challenge', async () => {
    const [{ challenge }, other] = await Promise.all([challenged(), challenged()]);
    const { status, body } = await world.frames(key, { id: challenge.id, nonce: other.challenge.nonce });
    expect([status, body.errors?.[0]]).toMatchObject([422, { pointer: '/nonce', code: 'nonce' }]);
  });

  it('if there are five, or one is missing before a later one, or there are seventeen', async () => {
    const { challenge } = await challenged();
    const { frame6, ...five } = sixFrames();
    const few = await world.frames(key, challenge, five);
    expect(few.status, few.text).toBe(400);
    const gap = await world.frames(key, challenge, { ...sixFrames(), frame8: frame6 });
    expect([gap.status, gap.body.errors?.[0]]).toMatchObject([422, { pointer: '/frame7', code: 'required' }]);
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`frame${index + 1}`, frame6]));
    expect((await world.frames(key, challenge, many)).status).toBeGreaterThanOrEqual(400);
  });

  it('if one is a PNG, or is damaged', async () => {
    const { challenge } = await challenged();
    const mixed = await world.frames(key, challenge, { ...sixFrames(), frame3: png() });
    expect([mixed.status, mixed.body.code]).toEqual([415, 'unsupported_file_type']);
    const cut = await world.frames(key, challenge, { ...sixFrames(), frame2: sixFrames().frame2.subarray(0, 60) });
    expect([cut.status, cut.body.code]).toEqual([422, 'corrupt_file']);
    expect((await world.frames(key, challenge)).status).toBe(200);
  });
});

describe('an upload of frames is refused', () => {
  it('if it is no form, is cut off, or is larger than 15 MiB', async () => {
    const { challenge } = await challenged();
    const path = `/v1/verifications/liveness-challenges/${challenge.id}/frames`;
    const cut = await world.request('POST', path, {
      as: key,
      body: '--x\r\nContent-Disposition: form-data; name="frame1"; filename="a"\r\n\r\n',
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    });
    expect([cut.status, cut.body.code]).toEqual([400, 'multipart_malformed']);
    const large = Buffer.concat([sixFrames().frame1, Buffer.alloc(15 * 1024 * 1024)]);
    const tooLarge = await world.frames(key, challenge, { ...sixFrames(), frame1: large });
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'file_too_large']);
    const json = await world.request('POST', path, { as: key, body: { nonce: challenge.nonce } });
    expect(json.status).toBe(415);
  });
});

describe('a verification of liveness', () => {
  it('uses the frames of one challenge, which no other verification can use', async () => {
    const { applicationId, challenge } = await challenged();
    const unused = await verify(applicationId, challenge.id);
    expect([unused.status, unused.body.code]).toEqual([422, 'challenge_expired']);
    await world.frames(key, challenge);
    const { status, body } = await verify(applicationId, challenge.id);
    expect([status, body.frameCount]).toEqual([202, 6]);
    expect(await world.ended(key, body.id)).toMatchObject({ status: 'passed' });
    const again = await verify(applicationId, challenge.id);
    expect([again.status, again.body.code]).toEqual([422, 'challenge_expired']);
  });

  it('takes no challenge of another application', async () => {
    const [{ challenge }, other] = await Promise.all([challenged(), challenged()]);
    await world.frames(key, challenge);
    const { status, body } = await verify(other.applicationId, challenge.id);
    expect([status, body.code]).toEqual([422, 'challenge_expired']);
  });

  it('fails if one still stands in place of all frames, whatever else is found', async () => {
    const { applicationId, challenge } = await challenged();
    const { frame1 } = sixFrames();
    const still = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`frame${index + 1}`, frame1]));
    expect((await world.frames(key, challenge, still)).status).toBe(200);
    const { body } = await verify(applicationId, challenge.id);
    const { status, result } = await world.ended(key, body.id);
    expect(status).toBe('failed');
    expect(result?.checks).toContainEqual(
      expect.objectContaining({ code: 'injection_signals', outcome: 'fail', reasonCode: 'equal_frames' }),
    );
  });

  it('is cancelled if the basis is withdrawn before it ends, and uses no attempt', async () => {
    const { applicationId, challenge } = await challenged();
    await world.frames(key, challenge);
    const { body } = await verify(applicationId, challenge.id);
    await withdraw(applicationId);
    expect(await world.ended(key, body.id)).toMatchObject({ status: 'cancelled', result: null });
    await world.basis(tenant, applicationId, key, '2026-11-03T08:00:00.000Z');
    const again = await verify(applicationId, challenge.id);
    expect([again.status, again.body.attempt]).toEqual([202, 1]);
  });

  it('shows its frames to whoever sees personal data, until their retention ends', async () => {
    const { applicationId, challenge } = await challenged();
    const frames = sixFrames();
    await world.frames(key, challenge, frames);
    const { body } = await verify(applicationId, challenge.id);
    const download = async (number: number) =>
      fetch(`${world.url}/v1/verifications/${body.id}/frames/${number}/content`, { headers: analyst });
    const third = await download(3);
    expect([third.status, third.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(Buffer.from(await third.arrayBuffer())).toEqual(frames.frame3);
    expect((await download(7)).status).toBe(404);
    await world.request('POST', `/v1/applications/${applicationId}/withdraw`, {
      as: key,
      body: { reasonCode: 'applicant_request' },
    });
    await world.database.sql(`UPDATE application SET updated_at = updated_at - interval '91 days' WHERE id = $1`, [
      applicationId,
    ]);
    await world.running.runJob('verifications.frames');
    expect((await download(3)).status).toBe(404);
    expect((await world.read(key, body.id)).body.frameCount).toBe(0);
  });
});

async function withdraw(applicationId: string): Promise<void> {
  const { status, text } = await world.request('POST', `/v1/applications/${applicationId}/consents`, {
    as: key,
    body: {
      action: 'withdrawn',
      purpose: 'biometric_processing',
      legalBasis: 'consent',
      textVersion: '1',
      textSha256: '0'.repeat(64),
      locale: 'pt-BR',
      channel: 'web',
      capturedAt: '2026-11-02T08:00:00.000Z',
    },
  });
  expect(status, text).toBe(201);
}
