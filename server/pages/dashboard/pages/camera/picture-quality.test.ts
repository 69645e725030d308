/** Tests of judging pictures in the browser. */
import { describe, expect, it } from 'vitest';
import { flawsOf, type Pixels } from './picture-quality.ts';

const [WIDTH, HEIGHT] = [320, 240];

/** Returns a picture of one brightness for each place. */
function picture(brightness: (x: number, y: number) => number): Pixels {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    data.fill(brightness(i % WIDTH, Math.floor(i / WIDTH)), 4 * i, 4 * i + 3);
    data[4 * i + 3] = 255;
  }
  return { width: WIDTH, height: HEIGHT, data };
}
/** Strokes of ink on grey paper. `fade` is the width of each border in pixels. */
const print = (x: number, fade: number): number => {
  const away = Math.abs((x % 16) - 8);
  return 60 + 140 * Math.min(1, Math.max(0, (away - 3) / fade + 0.5));
};

describe('a picture', () => {
  it('of sharp print on grey paper has no flaw', () => {
    expect(flawsOf(picture((x) => print(x, 1)))).toEqual([]);
  });

  it.each([
    ['blurred print', (x: number) => 130 + 30 * Math.sin((x * Math.PI) / 20), ['blurred']],
    ['print in the dark', (x: number) => print(x, 1) / 6, ['dark', 'blurred']],
    ['print with a reflection', (x: number, y: number) => (x < 96 && y < 96 ? 255 : print(x, 1)), ['glare']],
  ] as const)('of %s says so', (_, brightness, flaws) => {
    expect(flawsOf(picture(brightness))).toEqual(flaws);
  });

  it('of bright paper is no reflection', () => {
    expect(flawsOf(picture((x) => Math.min(245, print(x, 1) + 45)))).toEqual([]);
  });
});
