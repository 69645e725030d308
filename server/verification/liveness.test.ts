/** Tests of the checks of frames that need no model. */
import { expect, it } from 'vitest';
import { FEWEST_FRAMES, injectionCheck } from './liveness.ts';

const frames = Array.from({ length: FEWEST_FRAMES }, (_, index) => `hash ${index}`);

it('Frames that are all different pass, because a camera never takes a picture twice', () => {
  expect(injectionCheck(frames)).toMatchObject({ outcome: 'pass', reasonCode: null });
});

it('One still in place of all frames fails, and so does a single repeated frame', () => {
  expect(injectionCheck(frames.map(() => 'the same'))).toMatchObject({ outcome: 'fail', reasonCode: 'equal_frames' });
  expect(injectionCheck([...frames.slice(1), frames[3]!])).toMatchObject({ outcome: 'fail' });
});

it('Too few frames are not judged', () => {
  expect(injectionCheck(frames.slice(1))).toMatchObject({ outcome: 'not_run', reasonCode: 'too_few_frames' });
});
