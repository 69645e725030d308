/**
 * Judges whether a selfie shows the person of a document, by what was read from both. What a doubtful picture says
 * against somebody is a warning and no failure.
 */
import { type Check, check } from './check.ts';
import type { Comparison, SeenFaces } from './faces/read-faces.ts';

/** Up to this distance two faces are of the same person. */
export const MATCHING_DISTANCE = 0.55;
/** Up to this distance they may be; beyond it, no pair of the same person was seen. */
export const DOUBTFUL_DISTANCE = 0.65;
/** Below this distance two faces come from one photograph: a person never looks the same twice. */
const PHOTOGRAPH_DISTANCE = 0.15;
/** Below so many pixels, faces of the same person are found apart too often. */
export const LEAST_FACE = 100;

/** Checks that a comparison of faces must pass. */
export const REQUIRED_OF_FACES = ['image_quality', 'face_similarity', 'injection_signals'] as const;
type FaceCheck = (typeof REQUIRED_OF_FACES)[number];

/** What was compared. */
export interface ComparedFaces extends Comparison {
  /** Whether the selfie is, byte by byte, a file of the document. */
  readonly isSameFile: boolean;
}

/** Judges a comparison of faces. */
export function judgeFaces(compared: ComparedFaces): readonly Check<FaceCheck>[] {
  const quality = qualityCheck(compared);
  return [quality, similarityCheck(compared, quality), injectionCheck(compared)];
}

/** Checks of files of which no picture is read. */
export const facesNotRead = (reasonCode: string): readonly Check<FaceCheck>[] => [
  check('image_quality', 'not_run', reasonCode),
  check('face_similarity', 'not_run', reasonCode),
  check('injection_signals', 'not_run', reasonCode),
];

function qualityCheck({ sides, selfie }: ComparedFaces): Check<'image_quality'> {
  const code = 'image_quality';
  if (selfie === 'unreadable' || sides.includes('unreadable')) return check(code, 'warn', 'picture_unreadable');
  const portrait = portraitOf(sides);
  if (selfie.faces === 0) return check(code, 'warn', 'no_face');
  if (portrait === null) return check(code, 'warn', 'no_portrait');
  if (selfie.faces > 1 || portrait.faces > 1) return check(code, 'warn', 'several_faces');
  const least = Math.min(selfie.width, portrait.width);
  const measured = { score: least, threshold: LEAST_FACE };
  if (least >= LEAST_FACE) return { ...check(code, 'pass'), ...measured };
  return { ...check(code, 'warn', portrait.width < LEAST_FACE ? 'portrait_too_small' : 'face_too_small'), ...measured };
}

type ReadFaces = Exclude<SeenFaces, 'unreadable'>;

/** Returns the side of a document that shows the largest face. */
function portraitOf(sides: readonly SeenFaces[]): ReadFaces | null {
  const read = sides.filter((side): side is ReadFaces => side !== 'unreadable' && side.faces > 0);
  return read.toSorted((one, other) => other.width - one.width)[0] ?? null;
}

function similarityCheck({ distance }: ComparedFaces, quality: Check): Check<'face_similarity'> {
  const code = 'face_similarity';
  if (distance === null) return check(code, 'not_run', quality.reasonCode);
  const measured = { score: distance, threshold: MATCHING_DISTANCE };
  if (distance <= MATCHING_DISTANCE) return { ...check(code, 'pass'), ...measured };
  if (distance <= DOUBTFUL_DISTANCE) return { ...check(code, 'warn', 'faces_uncertain'), ...measured };
  return { ...check(code, quality.outcome === 'pass' ? 'fail' : 'warn', 'faces_differ'), ...measured };
}

/** Checks that the selfie was taken for itself, and is not the picture that it is compared with. */
function injectionCheck({ isSameFile, isSamePicture, distance }: ComparedFaces): Check<'injection_signals'> {
  const code = 'injection_signals';
  if (isSameFile || (isSamePicture && distance !== null)) return check(code, 'fail', 'equal_pictures');
  if (distance === null) return check(code, 'not_run', 'no_face');
  return distance < PHOTOGRAPH_DISTANCE ? check(code, 'warn', 'picture_of_the_portrait') : check(code, 'pass');
}
