/**
 * Judges the frames of a liveness challenge: whether one living person performed its movements in their order. Turns
 * are measured from the person's own pose at rest, which the first frame shows. That nothing contradicts it is no
 * proof: a video that happens to show the movements passes.
 */
import { type Check, check } from './check.ts';
import { DOUBTFUL_DISTANCE, LEAST_FACE } from './face-match.ts';
import type { SeenFrame } from './faces/read-faces.ts';
import { injectionCheck, type Movement } from './liveness.ts';

/** Degrees from the pose at rest by which a head is turned. A flat picture that is turned moves by six at most. */
const TURNED = 15;
/** Degrees up to which a head looks ahead. */
const AHEAD = 8;
/** Degrees up to which the first frame can be a pose at rest. */
const AT_REST = 20;
/** A face that becomes narrower by this factor, but does not turn, is flat. */
const NARROWED = 1.12;
/** Share of frames that may show no face, because somebody blurred or left the picture for a moment. */
const WITHOUT_FACE = 0.25;

/** Checks that frames must pass. `liveness_passive` is none of them: nothing measured stands behind it. */
export const REQUIRED_OF_FRAMES = [
  'image_quality',
  'liveness_challenge_binding',
  'identity_continuity',
  'injection_signals',
] as const;
type FrameCheck = (typeof REQUIRED_OF_FRAMES)[number] | 'liveness_passive';

/** A challenge and what its frames show. */
export interface Performed {
  readonly actions: readonly Movement[];
  /** SHA-256 hashes of the frames. */
  readonly hashes: readonly string[];
  readonly frames: readonly SeenFrame[];
}

/** Frame that shows a face. */
interface Posed {
  readonly yaw: number;
  readonly proportion: number;
}

/** Judges the frames of a challenge. What doubtful frames say against somebody is a warning and no failure. */
export function judgeFrames({ actions, hashes, frames }: Performed): readonly Check<FrameCheck>[] {
  const quality = qualityCheck(frames);
  const certain = <Code extends string>(one: Check<Code>): Check<Code> =>
    one.outcome === 'fail' && quality.outcome !== 'pass' ? { ...one, outcome: 'warn' } : one;
  return [
    quality,
    certain(bindingCheck(actions, frames)),
    certain(continuityCheck(frames)),
    injectionCheck(hashes),
    check('liveness_passive', 'not_run', 'not_measured'),
  ];
}

function qualityCheck(frames: readonly SeenFrame[]): Check<'image_quality'> {
  const code = 'image_quality';
  const read = frames.filter((frame) => frame !== 'unreadable');
  if (read.length < frames.length) return check(code, 'warn', 'picture_unreadable');
  const faces = read.filter((frame) => frame.faces > 0);
  if (frames.length - faces.length > WITHOUT_FACE * frames.length) return check(code, 'warn', 'no_face');
  if (faces.some((frame) => frame.faces > 1)) return check(code, 'warn', 'several_faces');
  const least = Math.min(...faces.map(({ width }) => width));
  const measured = { score: least, threshold: LEAST_FACE };
  return { ...(least < LEAST_FACE ? check(code, 'warn', 'face_too_small') : check(code, 'pass')), ...measured };
}

const poseOf = (frame: SeenFrame | undefined): Posed | null =>
  frame === undefined || frame === 'unreadable' ? null : frame.pose;

/** Checks that the head made the movements of the challenge in their order, and no others. */
function bindingCheck(actions: readonly Movement[], frames: readonly SeenFrame[]): Check<'liveness_challenge_binding'> {
  const code = 'liveness_challenge_binding';
  const rest = poseOf(frames[0]);
  if (rest === null) return check(code, 'not_run', 'no_face');
  if (Math.abs(rest.yaw) > AT_REST) return check(code, 'warn', 'no_pose_at_rest');
  const poses = frames.map(poseOf).filter((pose): pose is Posed => pose !== null);
  const turns = poses.map(({ yaw }) => yaw - rest.yaw);
  const measured = { score: Math.round(Math.max(...turns.map(Math.abs)) * 10) / 10, threshold: TURNED };
  const fault = measured.score < TURNED ? withoutTurn(poses) : orderFault(actions, turns);
  return { ...(fault === null ? check(code, 'pass') : check(code, 'fail', fault)), ...measured };
}

/** Tells a flat picture that was turned from a head that was kept still. */
function withoutTurn(poses: readonly Posed[]): 'flat_picture' | 'head_not_turned' {
  const proportions = poses.map(({ proportion }) => proportion);
  return Math.max(...proportions) >= NARROWED * Math.min(...proportions) ? 'flat_picture' : 'head_not_turned';
}

/** Returns what is wrong with the order of movements. On the way from one side to the other, a head looks ahead. */
function orderFault(actions: readonly Movement[], turns: readonly number[]): 'wrong_order' | 'movement_missing' | null {
  let done = 0;
  for (const movement of movementsOf(turns)) {
    if (movement === actions[done]) done++;
    else if (movement !== 'look_ahead') return 'wrong_order';
  }
  return done === actions.length ? null : 'movement_missing';
}

/** Returns where a head looked, one place after another. Between places it looked nowhere. */
function movementsOf(turns: readonly number[]): readonly Movement[] {
  const looked: Movement[] = [];
  for (const turn of turns) {
    const movement = movementOf(turn);
    if (movement !== null && movement !== looked.at(-1)) looked.push(movement);
  }
  return looked;
}

function movementOf(turn: number): Movement | null {
  if (turn >= TURNED) return 'look_left';
  if (turn <= -TURNED) return 'look_right';
  return Math.abs(turn) <= AHEAD ? 'look_ahead' : null;
}

/** Checks that frames that follow each other show the same person. */
function continuityCheck(frames: readonly SeenFrame[]): Check<'identity_continuity'> {
  const code = 'identity_continuity';
  const distances = frames.flatMap((frame) =>
    frame === 'unreadable' || frame.distance === null ? [] : [frame.distance],
  );
  if (distances.length === 0) return check(code, 'not_run', 'no_face');
  const measured = { score: Math.max(...distances), threshold: DOUBTFUL_DISTANCE };
  return {
    ...(measured.score > DOUBTFUL_DISTANCE ? check(code, 'fail', 'other_person') : check(code, 'pass')),
    ...measured,
  };
}
