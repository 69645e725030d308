/** Tests of judging faces by what was read from a document and a selfie. */
import { describe, expect, it } from 'vitest';
import { conclude } from './check.ts';
import { type ComparedFaces, judgeFaces, REQUIRED_OF_FACES } from './face-match.ts';

const face = (width = 180, faces = 1) => ({ faces, width });
const NO_FACE = { faces: 0, width: 0 };

/** Returns the status of a comparison, and the outcome and reason of each of its checks. */
function judged(changes: Partial<ComparedFaces>) {
  const checks = judgeFaces({
    sides: [face()],
    selfie: face(),
    distance: 0.4,
    isSamePicture: false,
    isSameFile: false,
    ...changes,
  });
  const outcomes = Object.fromEntries(checks.map(({ code, outcome, reasonCode }) => [code, [outcome, reasonCode]]));
  return { status: conclude(checks, REQUIRED_OF_FACES), outcomes, checks };
}

describe('a selfie and a document', () => {
  it.each([
    [0.15, 'pass', null, 'passed'],
    [0.55, 'pass', null, 'passed'],
    [0.551, 'warn', 'faces_uncertain', 'inconclusive'],
    [0.65, 'warn', 'faces_uncertain', 'inconclusive'],
    [0.651, 'fail', 'faces_differ', 'failed'],
    [1.2, 'fail', 'faces_differ', 'failed'],
  ])('whose faces are %d apart: %s', (distance, outcome, reason, status) => {
    const { status: found, outcomes, checks } = judged({ distance });
    expect([outcomes['face_similarity'], found]).toEqual([[outcome, reason], status]);
    expect(checks).toContainEqual(
      expect.objectContaining({ code: 'face_similarity', score: distance, threshold: 0.55 }),
    );
  });

  it.each<[string, Partial<ComparedFaces>, string]>([
    ['without a face on the selfie', { selfie: NO_FACE, distance: null }, 'no_face'],
    ['without a face on the document', { sides: [NO_FACE, NO_FACE], distance: null }, 'no_portrait'],
    ['with two people on the selfie', { selfie: face(180, 2) }, 'several_faces'],
    ['with two faces of one size on the document', { sides: [face(180, 2)] }, 'several_faces'],
    ['with a portrait of few pixels', { sides: [NO_FACE, face(99)] }, 'portrait_too_small'],
    ['with a face of few pixels', { selfie: face(99) }, 'face_too_small'],
    ['of which one cannot be decoded', { selfie: 'unreadable', distance: null }, 'picture_unreadable'],
  ])('%s are left to a person', (_, changes, reason) => {
    const { status, outcomes } = judged(changes);
    expect([outcomes['image_quality'], status]).toEqual([['warn', reason], 'inconclusive']);
  });

  it('fail nobody by a face of few pixels, however far it is from the other', () => {
    const { status, outcomes } = judged({ sides: [face(80)], distance: 0.9 });
    expect([outcomes['face_similarity'], status]).toEqual([['warn', 'faces_differ'], 'inconclusive']);
  });

  it('take the larger face of two sides', () => {
    expect(judged({ sides: [face(90, 2), face(140)] }).status).toBe('passed');
  });

  it.each([
    [
      'the same file',
      {
        isSameFile: true,
        isSamePicture: true,
        distance: null,
        selfie: NO_FACE,
      },
    ],
    ['the same picture, stored anew', { isSamePicture: true, distance: 0.01 }],
  ])('fail if they are %s', (_, changes) => {
    const { status, outcomes } = judged(changes);
    expect([outcomes['injection_signals'], status]).toEqual([['fail', 'equal_pictures'], 'failed']);
  });

  it('are left to a person if one photograph seems to be on both', () => {
    const { status, outcomes } = judged({ distance: 0.149 });
    expect([outcomes['injection_signals'], status]).toEqual([['warn', 'picture_of_the_portrait'], 'inconclusive']);
  });
});
