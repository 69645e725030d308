/** Tests of judging the frames of a challenge by what was read from them. */
import { describe, expect, it } from 'vitest';
import { conclude } from './check.ts';
import type { SeenFrame } from './faces/read-faces.ts';
import type { Movement } from './liveness.ts';
import { judgeFrames, REQUIRED_OF_FRAMES } from './movements.ts';

const LEFT_RIGHT: readonly Movement[] = ['look_left', 'look_right', 'look_ahead'];
type Posed = Exclude<SeenFrame, 'unreadable'>;

/** Returns frames of one person, with the head turned to the left by so many degrees. */
const turned = (...yaws: readonly number[]): Posed[] =>
  yaws.map((yaw, index) => ({
    faces: 1,
    width: 220,
    pose: { yaw, proportion: 1.8 },
    distance: index === 0 ? null : 0.2,
  }));
const NO_FACE: SeenFrame = {
  faces: 0,
  width: 0,
  pose: null,
  distance: null,
};
const PERFORMED = turned(2, 12, 25, 5, -22, -6, 3);

/** Returns the status of a challenge, and the outcome and reason of each of its checks. */
function judged(frames: readonly SeenFrame[], actions = LEFT_RIGHT, hashes = frames.map((_, index) => `${index}`)) {
  const checks = judgeFrames({ actions, hashes, frames });
  const outcomes = Object.fromEntries(checks.map(({ code, outcome, reasonCode }) => [code, [outcome, reasonCode]]));
  return { status: conclude(checks, REQUIRED_OF_FRAMES), outcomes, checks };
}
const binding = (frames: readonly SeenFrame[], actions = LEFT_RIGHT) => {
  const { outcomes, status } = judged(frames, actions);
  return [...outcomes['liveness_challenge_binding']!, status];
};
const changed = (frames: readonly Posed[], at: number, changes: Partial<Posed>): SeenFrame[] =>
  frames.map((frame, index) => (index === at ? { ...frame, ...changes } : frame));

describe('the frames of a challenge', () => {
  it('pass if one person makes the movements in their order, and claim nothing that was not measured', () => {
    const { status, outcomes, checks } = judged(PERFORMED);
    expect(status).toBe('passed');
    expect(outcomes['liveness_passive']).toEqual(['not_run', 'not_measured']);
    expect(checks.map(({ code }) => code)).toEqual([
      'image_quality',
      'liveness_challenge_binding',
      'identity_continuity',
      'injection_signals',
      'liveness_passive',
    ]);
  });

  it.each<[string, readonly Movement[], readonly number[]]>([
    ['that begins ahead', ['look_ahead', 'look_right', 'look_left'], [0, -20, 0, 18, 18, 18]],
    ['that returns to a side', ['look_left', 'look_ahead', 'look_left'], [1, 16.5, 30, 2, 19, 22]],
    ['of a person who looks aside at rest', ['look_right', 'look_left', 'look_right'], [9, -8, 9, 26, 8, -9]],
  ])('pass a challenge %s', (_, actions, yaws) => {
    expect(binding(turned(...yaws), actions)).toEqual(['pass', null, 'passed']);
  });

  it.each<[string, readonly number[], string]>([
    ['in another order', [0, -20, 0, 20, 0, 0], 'wrong_order'],
    ['with one more', [0, 20, 0, -20, 0, 20], 'wrong_order'],
    ['of which one is missing', [0, 20, 20, 20, 0, 0], 'movement_missing'],
    ['that end turned', [0, 20, 0, -20, -20, -20], 'movement_missing'],
    ['too small to tell a head from a picture', [0, 14, 0, -14, 0, 0], 'head_not_turned'],
    ['of one still for all frames', [3, 3, 3, 3, 3, 3], 'head_not_turned'],
  ])('fail with movements %s', (_, yaws, reason) => {
    expect(binding(turned(...yaws))).toEqual(['fail', reason, 'failed']);
  });

  it('fail with a flat picture that is turned: it becomes narrow, and its head does not turn', () => {
    const flat = turned(1, -3, -5, 2, 5, 4).map((frame, index) => ({
      ...frame,
      pose: { ...frame.pose!, proportion: 1.8 * Math.cos((index * Math.PI) / 20) },
    }));
    expect(binding(flat)).toEqual(['fail', 'flat_picture', 'failed']);
  });

  it('fail with frames of two people, wherever the second begins', () => {
    for (const at of [1, 4, 6]) {
      const { status, outcomes } = judged(changed(PERFORMED, at, { distance: 0.651 }));
      expect([outcomes['identity_continuity'], status]).toEqual([['fail', 'other_person'], 'failed']);
    }
    expect(judged(changed(PERFORMED, 4, { distance: 0.65 })).status).toBe('passed');
  });

  it('fail with a frame that is there twice', () => {
    const { status, outcomes } = judged(PERFORMED, LEFT_RIGHT, ['a', 'b', 'c', 'd', 'e', 'f', 'a']);
    expect([outcomes['injection_signals'], status]).toEqual([['fail', 'equal_frames'], 'failed']);
  });

  it.each<[string, readonly SeenFrame[], string]>([
    ['of which one cannot be decoded', ['unreadable', ...PERFORMED], 'picture_unreadable'],
    ['of which many show no face', [...PERFORMED, NO_FACE, NO_FACE, NO_FACE], 'no_face'],
    ['without any face', Array.from({ length: 6 }, () => NO_FACE), 'no_face'],
    ['with somebody else beside the person', changed(PERFORMED, 3, { faces: 2 }), 'several_faces'],
    ['with a face of few pixels', changed(PERFORMED, 3, { width: 99 }), 'face_too_small'],
  ])('are left to a person %s', (_, frames, reason) => {
    const { status, outcomes } = judged(frames);
    expect([outcomes['image_quality'], status]).toEqual([['warn', reason], 'inconclusive']);
  });

  it('may show no face for a moment', () => {
    expect(judged([...PERFORMED, NO_FACE]).status).toBe('passed');
  });

  it('fail nobody by doubtful frames', () => {
    const { status, outcomes } = judged(changed(turned(0, -20, 0, 20, 0, 0), 2, { faces: 2, distance: 0.9 }));
    expect(outcomes).toMatchObject({
      liveness_challenge_binding: ['warn', 'wrong_order'],
      identity_continuity: ['warn', 'other_person'],
    });
    expect(status).toBe('inconclusive');
  });

  it('are left to a person if the first shows no pose at rest', () => {
    expect(binding(turned(25, 0, 25, 0, -20, 0))).toEqual(['warn', 'no_pose_at_rest', 'inconclusive']);
    expect(binding([NO_FACE, ...PERFORMED])).toEqual(['not_run', 'no_face', 'inconclusive']);
  });
});
