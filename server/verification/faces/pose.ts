/** Finds the face of a frame and tells how far it is turned. */
import type { Picture } from '../reader/picture.ts';
import { type PlacedFace, withoutSmall } from './identity.ts';
import { cut, wholeOf } from './squares.ts';
import type { PoseNets } from './tensors.ts';

/** How a face is turned. */
export interface Pose {
  /** Degrees by which the head is turned to the person's own left. */
  readonly yaw: number;
  /**
   * Distance of the outer corners of the eyes, divided by the length of the nose. A flat picture that is turned becomes
   * narrower in it without being turned itself.
   */
  readonly proportion: number;
}

const DETECTOR_SIDE = 256;
/** Cells of the detector: pixels of each, and faces that each may hold. */
const CELLS = [
  { pixels: 16, faces: 2 },
  { pixels: 32, faces: 6 },
] as const;
const VALUES_OF_FACE = 16;
const LEAST_SCORE = 0.5;
const OVERLAP = 0.3;
const MESH_SIDE = 192;
const MARGIN = 1.4;

/** Points of the mesh, whose numbers its net defines. */
const RIGHT_CHEEK = 234;
const LEFT_CHEEK = 454;
const RIGHT_EYE = 33;
const LEFT_EYE = 263;
const NOSE_ROOT = 168;
const NOSE_BASE = 2;

interface Candidate extends PlacedFace {
  readonly score: number;
}

/** Returns the faces of a frame, the largest first, without those that are much smaller. */
export function facesInFrame({ detector }: PoseNets, frame: Picture): PlacedFace[] {
  const whole = wholeOf(frame);
  const scale = whole.side / DETECTOR_SIDE;
  const [left, top] = [whole.x - whole.side / 2, whole.y - whole.side / 2];
  const outputs = detector(cut(frame, whole, DETECTOR_SIDE));
  // From the smallest to the largest: scores of large cells and of small ones, then faces of large and of small ones.
  const [largeScores, smallScores, largeFaces, smallFaces] = outputs as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const candidates = [
    ...candidatesOf(smallScores, smallFaces, CELLS[0]),
    ...candidatesOf(largeScores, largeFaces, CELLS[1]),
  ].toSorted((one, other) => other.score - one.score);
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    if (kept.every((one) => overlap(one, candidate) < OVERLAP)) kept.push(candidate);
  }
  return withoutSmall(
    kept.map(({ x, y, width, height }) => ({
      x: left + x * scale,
      y: top + y * scale,
      width: width * scale,
      height: height * scale,
    })),
  );
}

function candidatesOf(
  scores: Float32Array,
  faces: Float32Array,
  { pixels, faces: each }: (typeof CELLS)[number],
): Candidate[] {
  const columns = DETECTOR_SIDE / pixels;
  const found: Candidate[] = [];
  for (const [index, value] of scores.entries()) {
    const score = 1 / (1 + Math.exp(-value));
    if (score < LEAST_SCORE) continue;
    const cell = Math.floor(index / each);
    const at = index * VALUES_OF_FACE;
    found.push({
      score,
      x: faces[at]! + pixels * ((cell % columns) + 0.5),
      y: faces[at + 1]! + pixels * (Math.floor(cell / columns) + 0.5),
      width: faces[at + 2]!,
      height: faces[at + 3]!,
    });
  }
  return found;
}

/** Returns the share of two faces that both cover. */
function overlap(one: PlacedFace, other: PlacedFace): number {
  const shared = (centres: number, sides: number, least: number): number =>
    Math.max(0, Math.min(sides / 2 - centres, least));
  const width = shared(Math.abs(one.x - other.x), one.width + other.width, Math.min(one.width, other.width));
  const height = shared(Math.abs(one.y - other.y), one.height + other.height, Math.min(one.height, other.height));
  const both = width * height;
  return both / (one.width * one.height + other.width * other.height - both);
}

const PLACES = 100;
const rounded = (value: number): number => Math.round(value * PLACES) / PLACES;

/** Returns how a face of a frame is turned; null if it is no face after all. */
export function poseOf({ mesh }: PoseNets, frame: Picture, { x, y, width, height }: PlacedFace): Pose | null {
  const square = cut(frame, { x, y, side: Math.max(width, height) * MARGIN }, MESH_SIDE);
  const [confidence, ...larger] = mesh(square);
  const points = larger.at(-1)!;
  if (confidence![0]! < LEAST_SCORE) return null;
  const point = (number: number) => [points[3 * number]!, points[3 * number + 1]!, points[3 * number + 2]!] as const;
  const [right, left] = [point(RIGHT_CHEEK), point(LEFT_CHEEK)];
  const across = flat(right, left);
  // The third number of a point grows away from the camera.
  const yaw = (Math.atan2(left[2] - right[2], across) * 180) / Math.PI;
  const nose = flat(point(NOSE_ROOT), point(NOSE_BASE));
  return { yaw: rounded(yaw), proportion: rounded(flat(point(RIGHT_EYE), point(LEFT_EYE)) / nose) };
}

const flat = (one: readonly number[], other: readonly number[]): number =>
  Math.hypot(one[0]! - other[0]!, one[1]! - other[1]!);
