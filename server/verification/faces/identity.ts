/**
 * Finds faces in pictures and tells how alike they are. Descriptions of faces stay in the process that made them: only
 * distances leave it.
 */
import type { Picture } from '../reader/picture.ts';
import { cut, wholeOf } from './squares.ts';
import type { IdentityNets } from './tensors.ts';

/** Face in a picture, in its pixels: its centre, its width and height. */
export interface PlacedFace {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Side of the square in which faces are looked for. The net keeps all of its layers until it is done, so that the
 * memory of the process grows with the square of this; 608 pixels found one portrait more on 39 specimens.
 */
const LOOKED_AT = 416;
const LANDMARKS_SIDE = 112;
const DESCRIBED_SIDE = 150;
/** A face of at least this share of the largest counts as another face; smaller ones are watermarks and posters. */
const RIVAL_SHARE = 0.6;

/** Returns the places of a picture that may be faces. */
export async function facesIn(nets: IdentityNets, picture: Picture): Promise<PlacedFace[]> {
  const whole = wholeOf(picture);
  const scale = whole.side / LOOKED_AT;
  const [left, top] = [whole.x - whole.side / 2, whole.y - whole.side / 2];
  const found = await nets.locate(cut(picture, whole, LOOKED_AT));
  return found.map(({ x, y, width, height }) => ({
    x: left + x * scale,
    y: top + y * scale,
    width: width * scale,
    height: height * scale,
  }));
}

/** Returns faces from the largest to the smallest, without those that are much smaller than the largest. */
export function withoutSmall<Face extends { readonly width: number }>(faces: readonly Face[]): Face[] {
  const sorted = faces.toSorted((one, other) => other.width - one.width);
  return sorted.filter(({ width }) => width >= RIVAL_SHARE * sorted[0]!.width);
}

/** Ranges of the 68 landmarks whose middles say where a face is: the eyes and the mouth. */
const PARTS = [
  [36, 42],
  [42, 48],
  [48, 68],
] as const;
/** How far the eyes are from the mouth, and where the middle of the three is, in a square that is described. */
const EYES_TO_MOUTH = 0.45;
const MIDDLE = { x: 0.5, y: 0.43 };

/** Returns the numbers that describe a face. */
export async function describe(nets: IdentityNets, picture: Picture, face: PlacedFace): Promise<Float32Array> {
  const side = Math.max(face.width, face.height);
  const points = await nets.landmarks(cut(picture, { x: face.x, y: face.y, side }, LANDMARKS_SIDE));
  const scale = side / LANDMARKS_SIDE;
  const parts = PARTS.map(([from, to]) => {
    const { x, y } = middle(points.slice(from, to));
    return { x: face.x - side / 2 + x * scale, y: face.y - side / 2 + y * scale };
  });
  const [one, other, mouth] = parts as [Point, Point, Point];
  const toMouth = (eye: Point): number => Math.hypot(mouth.x - eye.x, mouth.y - eye.y);
  const size = (toMouth(one) + toMouth(other)) / 2 / EYES_TO_MOUTH;
  const centre = middle(parts);
  const place = { x: centre.x + (0.5 - MIDDLE.x) * size, y: centre.y + (0.5 - MIDDLE.y) * size, side: size };
  return nets.describe(cut(picture, place, DESCRIBED_SIDE));
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const middle = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

const PLACES = 1_000;

/** Returns how far two described faces are apart, to three places: 0 for the same picture, about 1 for strangers. */
export function distance(one: Float32Array, other: Float32Array): number {
  const sum = one.reduce((total, value, index) => total + (value - other[index]!) ** 2, 0);
  return Math.round(Math.sqrt(sum) * PLACES) / PLACES;
}
