/**
 * The part of the service that compares the faces of a document and a selfie, and judges the frames of a liveness
 * challenge. Made by index.ts. Its assurance is low: it knows no masks, no videos and no pictures that were computed.
 */
import { conclude } from '../../verification/check.ts';
import { facesNotRead, judgeFaces, REQUIRED_OF_FACES } from '../../verification/face-match.ts';
import type { FaceAnswer, FaceRequest } from '../../verification/faces/process.ts';
import { judgeFrames, REQUIRED_OF_FRAMES } from '../../verification/movements.ts';
import type { Failed } from '../../verification/reader/readers.ts';
import { type JobDocument, type ProviderAnswer, type VerificationProvider, withoutAnswer } from './provider.ts';

/** Reads faces in pictures. */
export interface FaceReader {
  /** Returns why no face can be read now, in words for the caller; null if faces can be read. */
  gap(): string | null;
  read(request: FaceRequest, signal: AbortSignal): Promise<FaceAnswer | Failed>;
  close(): void;
}

/** Time for one job, and for one that waits before it. */
const WITHIN = 60_000;

const isPicture = ({ mediaType }: JobDocument): boolean => mediaType !== 'application/pdf';

function answerOf(checks: ProviderAnswer['checks'], required: readonly string[]): ProviderAnswer {
  return {
    status: conclude(checks, required),
    confidence: null,
    checks,
    extracted: null,
  };
}

/** Compares the face of a document with that of a selfie. */
export const faceProvider = (reader: FaceReader): VerificationProvider => ({
  id: 'embedded',
  version: '1',
  within: WITHIN,
  verify: async ({ documents, selfie }, signal) => {
    const sides = documents.filter(isPicture);
    if (selfie === null || !isPicture(selfie) || sides.length === 0)
      return answerOf(facesNotRead('format_not_read'), REQUIRED_OF_FACES);
    const request = { sides: sides.map(({ bytes }) => bytes), selfie: selfie.bytes };
    const read = await reader.read(request, signal);
    if (!('comparison' in read)) return withoutAnswer(read as Failed, signal);
    const isSameFile = sides.some(({ bytes }) => Buffer.compare(bytes, selfie.bytes) === 0);
    return answerOf(judgeFaces({ ...read.comparison, isSameFile }), REQUIRED_OF_FACES);
  },
});

/** Judges whether one living person performed the movements of a challenge. */
export const livenessProvider = (reader: FaceReader): VerificationProvider => ({
  id: 'embedded',
  version: '1',
  within: WITHIN,
  verify: async ({ challenge }, signal) => {
    const { actions = [], frames: hashes = [], pictures = [] } = challenge ?? {};
    const read = await reader.read({ frames: pictures }, signal);
    if (!('frames' in read)) return withoutAnswer(read as Failed, signal);
    return answerOf(judgeFrames({ actions, hashes, frames: read.frames }), REQUIRED_OF_FRAMES);
  },
});
