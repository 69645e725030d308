/** Tests of the providers that read faces, with readers that behave and readers that do not. */
import { describe, expect, it } from 'vitest';
import type { FaceAnswer, FaceRequest } from '../../verification/faces/process.ts';
import type { Failed } from '../../verification/reader/readers.ts';
import { faceProvider, type FaceReader, livenessProvider } from './embedded-faces.ts';
import { type JobDocument, ProviderError, type VerificationJob } from './provider.ts';

const JOB: VerificationJob = {
  idempotencyKey: 'f'.repeat(64),
  environment: 'live',
  type: 'face_match',
  registrySource: null,
  person: { fullName: 'Anna Maria Eriksson', dateOfBirth: '1974-08-12', cpf: null },
  proves: 'identity',
  address: null,
  wantedOutcome: null,
  mrzLines: null,
  documents: [],
  selfie: null,
  challenge: null,
  earlierErrors: 0,
  today: '2026-11-20',
};
const going = new AbortController().signal;
const file = (content: string, mediaType: JobDocument['mediaType'] = 'image/jpeg'): JobDocument => ({
  side: 'single',
  mediaType,
  bytes: Buffer.from(content),
});
const comparison = {
  sides: [{ faces: 1, width: 150 }],
  selfie: { faces: 1, width: 250 },
  distance: 0.42,
  isSamePicture: false,
};
const frame = (yaw: number, distance: number | null) => ({
  faces: 1,
  width: 220,
  pose: { yaw, proportion: 1.8 },
  distance,
});
const CHALLENGE: VerificationJob['challenge'] = {
  actions: ['look_left', 'look_right', 'look_ahead'],
  frames: ['a', 'b', 'c', 'd', 'e', 'f'],
  pictures: Array.from({ length: 6 }, (_, index) => Buffer.of(index)),
};
const FRAMES = [frame(0, null), frame(20, 0.3), frame(0, 0.3), frame(-20, 0.3), frame(1, 0.3), frame(0, 0.1)];

function readerOf(answer: FaceAnswer | Failed): FaceReader & { readonly asked: FaceRequest[] } {
  const asked: FaceRequest[] = [];
  return {
    asked,
    gap: () => null,
    read: (request) => {
      asked.push(request);
      return Promise.resolve(answer);
    },
    close: () => undefined,
  };
}
const compared = (reader: FaceReader, documents: readonly JobDocument[], selfie: JobDocument) =>
  faceProvider(reader).verify({ ...JOB, documents, selfie }, going);
const performed = (reader: FaceReader) =>
  livenessProvider(reader).verify({ ...JOB, type: 'liveness', challenge: CHALLENGE }, going);

describe('the service compares faces', () => {
  it('of every picture of a document with the selfie', async () => {
    const reader = readerOf({ comparison });
    const { status, checks } = await compared(reader, [file('front'), file('back', 'image/png')], file('selfie'));
    expect([status, checks.map(({ outcome }) => outcome)]).toEqual(['passed', ['pass', 'pass', 'pass']]);
    expect(reader.asked).toEqual([
      { sides: [Buffer.from('front'), Buffer.from('back')], selfie: Buffer.from('selfie') },
    ]);
  });

  it('and fails a selfie that is the file of the document', async () => {
    const { status, checks } = await compared(readerOf({ comparison }), [file('front'), file('back')], file('back'));
    expect(status).toBe('failed');
    expect(checks).toContainEqual(expect.objectContaining({ outcome: 'fail', reasonCode: 'equal_pictures' }));
  });

  it('but reads no PDF, and then says that nothing was run', async () => {
    const reader = readerOf({ comparison });
    const pdf = file('%PDF-1.7', 'application/pdf');
    for (const [documents, selfie] of [
      [[pdf], file('selfie')],
      [[file('front')], pdf],
    ] as const) {
      const { status, checks } = await compared(reader, documents, selfie);
      expect([status, checks.map(({ outcome, reasonCode }) => `${outcome} ${reasonCode}`)]).toEqual([
        'inconclusive',
        Array.from({ length: 3 }, () => 'not_run format_not_read'),
      ]);
    }
    expect(reader.asked).toEqual([]);
  });
});

describe('the service judges frames', () => {
  it('in their order, with the movements of the challenge', async () => {
    const reader = readerOf({ frames: FRAMES });
    expect((await performed(reader)).status).toBe('passed');
    expect(reader.asked).toEqual([{ frames: CHALLENGE?.pictures }]);
    expect((await performed(readerOf({ frames: FRAMES.toReversed() }))).status).toBe('failed');
  });

  it('and answers the same about the same frames', async () => {
    const [one, other] = [await performed(readerOf({ frames: FRAMES })), await performed(readerOf({ frames: FRAMES }))];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });
});

describe('a process that has ended', () => {
  it.each([
    ['died', 'provider_unavailable'],
    ['too_large', 'provider_unavailable'],
    ['late', 'provider_timeout'],
  ] as const)('says nothing about anybody: %s', async (failure, code) => {
    for (const answer of [
      compared(readerOf({ failure }), [file('front')], file('selfie')),
      performed(readerOf({ failure })),
    ]) {
      const failed = await answer.catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(ProviderError);
      expect(failed).toMatchObject({ code });
    }
  });
});
