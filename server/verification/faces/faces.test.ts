/**
 * Tests of reading faces in the process, with the models that `make verification` installs. No picture of a person is
 * in the project, so that these show no face; what is concluded from faces is tested with values beside the rules.
 */
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { printedCard } from '../../../test/support/printed-page.ts';
import { distance, withoutSmall } from './identity.ts';
import { FACE_PACKAGES, FaceProcess } from './face-process.ts';
import type { FaceAnswer, FaceRequest } from './process.ts';
import { areModelsIn, type Failed } from '../reader/readers.ts';
import { isSame } from './same-picture.ts';
import { cut, wholeOf } from './squares.ts';

const MODELS = fileURLToPath(new URL('../../../build/verification', import.meta.url));
/** Other tests may keep the processors busy meanwhile. */
const LIMIT = 60_000;
const going = new AbortController().signal;
const faces = new FaceProcess({ folder: MODELS, limitMilliseconds: LIMIT });
afterAll(() => faces.close());
const read = (request: FaceRequest): Promise<FaceAnswer | Failed> => faces.read(request, going);
const [card, other] = [printedCard(1).bytes, printedCard(2).bytes];
const NOTHING = { faces: 0, width: 0 };
const NO_FACE = { ...NOTHING, pose: null, distance: null };

describe('the process that reads faces', () => {
  it('has its models', () => {
    expect(areModelsIn(MODELS, FACE_PACKAGES)).toBe(true);
  });

  it(
    'finds no face where there is none, and tells two pictures from one',
    async () => {
      const comparison = { sides: [NOTHING], selfie: NOTHING, distance: null };
      expect(await read({ sides: [card], selfie: other })).toEqual({
        comparison: { ...comparison, isSamePicture: false },
      });
      expect(await read({ sides: [card], selfie: card })).toEqual({
        comparison: { ...comparison, isSamePicture: true },
      });
    },
    3 * LIMIT,
  );

  it(
    'says of each frame whether it can be decoded and shows a face',
    async () => {
      const answer = await read({ frames: [card, Buffer.from('no picture'), other] });
      expect(answer).toEqual({ frames: [NO_FACE, 'unreadable', NO_FACE] });
      const unreadable = await read({ sides: [Buffer.from('no picture')], selfie: card });
      expect(unreadable).toMatchObject({ comparison: { sides: ['unreadable'], selfie: NOTHING } });
    },
    3 * LIMIT,
  );

  it(
    'says nothing if it is ended, and reads on in another one',
    async () => {
      const reading = read({ frames: [card, other] });
      setTimeout(() => faces.close(), 20);
      expect(await reading).toEqual({ failure: 'died' });
      expect(await read({ frames: [card] })).toEqual({ frames: [NO_FACE] });
    },
    3 * LIMIT,
  );
});

/** Returns a picture whose pixels are given by their place. */
function drawn(width: number, height: number, colour: (x: number, y: number) => number) {
  const pixels = new Uint8Array(width * height * 3);
  for (let i = 0; i < pixels.length; i++) {
    const pixel = Math.floor(i / 3);
    pixels[i] = colour(pixel % width, Math.floor(pixel / width));
  }
  return { width, height, pixels };
}

describe('pictures', () => {
  const slope = (size: number) => drawn(size, size, (x, y) => ((x + y) * 127) / size);

  it('are the same at another size and with small differences, but not with others', () => {
    expect(isSame(slope(400), slope(250))).toBe(true);
    expect(
      isSame(
        slope(400),
        drawn(400, 400, (x, y) => ((x + y) * 127) / 400 + (x % 2)),
      ),
    ).toBe(true);
    expect(
      isSame(
        slope(400),
        drawn(400, 400, (x, y) => ((400 - x + y) * 127) / 400),
      ),
    ).toBe(false);
    expect(
      isSame(
        slope(400),
        drawn(400, 200, () => 127),
      ),
    ).toBe(false);
  });

  it('are cut with black beyond their borders', () => {
    const wide = drawn(200, 100, () => 100);
    const { values } = cut(wide, wholeOf(wide), 4);
    expect([...values].filter((_, index) => index % 12 === 0)).toEqual([0, 100, 100, 0]);
  });
});

describe('faces', () => {
  it('that are much smaller than the largest do not count', () => {
    expect(withoutSmall([{ width: 50 }, { width: 100 }, { width: 61 }])).toEqual([{ width: 100 }, { width: 61 }]);
    expect(withoutSmall([])).toEqual([]);
  });

  it('are as far apart as the numbers that describe them, to three places', () => {
    expect(distance(Float32Array.of(0, 0, 1), Float32Array.of(0, 0, 1))).toBe(0);
    expect(distance(Float32Array.of(0, 0.3), Float32Array.of(0.4, 0))).toBe(0.5);
    expect(distance(Float32Array.of(1 / 3), Float32Array.of(0))).toBe(0.333);
  });
});
