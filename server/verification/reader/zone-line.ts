/**
 * Reads one line of a machine-readable zone by a net of our own, which was trained on lines that scripts/zone-net drew
 * in OCR-B. The line is cut into a strip in which a character is as wide as in the training. The net tells for each
 * place of the strip which character is centred there, and the likeliest row of equally spaced characters is the line.
 */
import { MRZ_ALPHABET } from '../mrz/check-digit.ts';
import type { Models } from './models.ts';
import { type Box, type Picture, sample } from './picture.ts';

/** Character with its likelihood. */
export interface Likelihood {
  readonly character: string;
  readonly confidence: number;
}

/** Character of a line, with the likeliest digit and letter at its place, where a format allows only one kind. */
export interface ZoneCharacter extends Likelihood {
  readonly digit: Likelihood;
  readonly letter: Likelihood;
}

/** Reading of a line. `fit` is the mean logarithm of its likelihoods: 0 is certain. */
export interface LineReading {
  readonly characters: readonly ZoneCharacter[];
  readonly fit: number;
}

/** Measures of the strips on which the net was trained, in pixels. */
const STRIP = {
  pitch: 16,
  height: 32,
  window: 24,
  step: 2,
} as const;
/** Pitches by which a strip is longer than its line at each end, as the ends are known roughly at first. */
const MARGIN = { first: 2.5, second: 1.5 } as const;
/** Heights of the strips of the first search, in pitches: print and camera make characters of different shape. */
const HEIGHTS = [2, 1.7, 2.4];
/** Changes of height, and shifts down in pitches, that make three readings of a line which was found. */
const VARIANTS = [
  { height: 1, shift: 0 },
  { height: 0.9, shift: 0.06 },
  { height: 1.1, shift: -0.06 },
] as const;
/** Steps from one character to the next, and what a step away from the usual one costs. */
const SEARCHED = { least: 6, most: 10, cost: 0.35 };
const FOUND = { least: 7, most: 9, cost: 0.3 };
/** Print of another kind, or of another width, fits worse than this. */
const WORST_FIT = -0.5;
const LEAST_LIKELY = 1e-9;

/**
 * What the net says of a strip: a logarithm of likelihood for each class and place. The classes are those of the
 * alphabet, and one for places between characters.
 */
interface Sight {
  readonly values: Float32Array;
  readonly places: number;
}

interface Path {
  readonly places: readonly number[];
  readonly score: number;
}

/** Cuts a strip around a box and shades it as in the training: its middle has mean 0 and deviation 1. */
function strip(picture: Picture, box: Box, columns: number): Float32Array {
  const planes = sample(picture, box, [columns, STRIP.height], (value) => value);
  const size = columns * STRIP.height;
  const grey = new Float32Array(size);
  for (let i = 0; i < size; i++) {
    grey[i] = 0.299 * planes[i]! + 0.587 * planes[size + i]! + 0.114 * planes[2 * size + i]!;
  }
  const middle = grey.subarray(size / 4, (size * 3) / 4);
  const mean = middle.reduce((sum, value) => sum + value, 0) / middle.length;
  const deviation = Math.sqrt(middle.reduce((sum, value) => sum + (value - mean) ** 2, 0) / middle.length);
  return grey.map((value) => (value - mean) / (deviation + 0.25));
}

/** Lets the net look at strips of equal width. */
async function sightsOf({ zoneNet }: Models, strips: readonly Float32Array[], columns: number): Promise<Sight[]> {
  const all = new Float32Array(strips.length * columns * STRIP.height);
  for (const [i, one] of strips.entries()) all.set(one, i * one.length);
  const { data, dims } = await zoneNet(all, [strips.length, 1, STRIP.height, columns]);
  const [classes, places] = [dims[1]!, dims[3]!];
  const size = classes * places;
  return strips.map((_, i) => ({ values: data.slice(i * size, (i + 1) * size).map(logarithm), places }));
}

const logarithm = (likelihood: number): number => Math.log(likelihood + LEAST_LIKELY);

/** Returns the likeliest of some classes at a place, as its index. */
function likeliest({ values, places }: Sight, place: number, classes: readonly number[]): number {
  return classes.reduce((best, one) => (values[one * places + place]! > values[best * places + place]! ? one : best));
}

const EVERY = [...MRZ_ALPHABET].map((_, index) => index);
const DIGITS = EVERY.filter((index) => /\d/.test(MRZ_ALPHABET[index]!));
const LETTERS = EVERY.filter((index) => /[A-Z]/.test(MRZ_ALPHABET[index]!));

/** Finds the likeliest row of so many characters that are about one pitch apart. */
function likeliestPath(sight: Sight, count: number, { least, most, cost }: typeof SEARCHED): Path {
  const { values, places } = sight;
  const usual = STRIP.pitch / STRIP.step;
  const worth = new Float32Array(places);
  for (let place = 0; place < places; place++) worth[place] = values[likeliest(sight, place, EVERY) * places + place]!;
  let before = worth.slice();
  const steps: Uint8Array[] = [];
  for (let index = 1; index < count; index++) {
    const now = new Float32Array(places).fill(Number.NEGATIVE_INFINITY);
    const taken = new Uint8Array(places);
    for (let place = least; place < places; place++) {
      for (let step = least; step <= Math.min(most, place); step++) {
        const score = before[place - step]! - cost * Math.abs(step - usual);
        if (score > now[place]!) {
          now[place] = score;
          taken[place] = step;
        }
      }
      now[place]! += worth[place]!;
    }
    steps.push(taken);
    before = now;
  }
  const score = Math.max(...before);
  const found = [before.indexOf(score)];
  for (const taken of steps.toReversed()) found.push(found.at(-1)! - taken[found.at(-1)!]!);
  return { places: found.toReversed(), score };
}

/** Reads the characters at the places of a path. */
function readingOf(sight: Sight, { places, score }: Path): LineReading {
  const at = (place: number, index: number): Likelihood => ({
    character: MRZ_ALPHABET[index]!,
    confidence: Math.exp(sight.values[index * sight.places + place]!),
  });
  const characters = places.map((place) => ({
    ...at(place, likeliest(sight, place, EVERY)),
    digit: at(place, likeliest(sight, place, DIGITS)),
    letter: at(place, likeliest(sight, place, LETTERS)),
  }));
  return { characters, fit: score / places.length };
}

/** Moves a box along its line and down across it. */
function moved(box: Box, along: number, down: number): Box {
  const [cos, sin] = [Math.cos(box.angle), Math.sin(box.angle)];
  return { ...box, x: box.x + along * cos - down * sin, y: box.y + along * sin + down * cos };
}

const columnsOf = (pitches: number): number => Math.round((pitches * STRIP.pitch) / 2) * 2;

/**
 * Reads a line of so many characters three times. `box` is where the line lies, roughly. Returns null if the print
 * there is no such line.
 */
export async function readZoneLine(
  models: Models,
  picture: Picture,
  box: Box,
  width: number,
): Promise<readonly LineReading[] | null> {
  const pitch = (2 * box.along) / width;
  const searched = columnsOf(width + 2 * MARGIN.first);
  const wide = { ...box, along: (searched / STRIP.pitch / 2) * pitch };
  const [height, path] = await search(models, picture, {
    box: wide,
    pitch,
    columns: searched,
    width,
  });
  if (path.score / width < WORST_FIT) return null;

  // The strip of the first search told where the first and the last character are centred.
  const at = (place: number): number => ((STRIP.window / 2 + STRIP.step * place - searched / 2) / STRIP.pitch) * pitch;
  const [first, last] = [at(path.places[0]!), at(path.places.at(-1)!)];
  const exact = (last - first) / (width - 1);
  const columns = columnsOf(width + 2 * MARGIN.second);
  const line = { ...moved(box, (first + last) / 2, 0), along: (columns / STRIP.pitch / 2) * exact };
  const strips = VARIANTS.map((variant) =>
    strip(
      picture,
      { ...moved(line, 0, variant.shift * exact), across: (height * variant.height * pitch) / 2 },
      columns,
    ),
  );
  const sights = await sightsOf(models, strips, columns);
  return sights.map((sight) => readingOf(sight, likeliestPath(sight, width, FOUND)));
}

/** Finds the height of strip, in pitches, at which a line reads best, and where its characters are. */
async function search(
  models: Models,
  picture: Picture,
  {
    box,
    pitch,
    columns,
    width,
  }: {
    box: Box;
    pitch: number;
    columns: number;
    width: number;
  },
): Promise<[height: number, path: Path]> {
  const strips = HEIGHTS.map((height) => strip(picture, { ...box, across: (height * pitch) / 2 }, columns));
  const sights = await sightsOf(models, strips, columns);
  const found = sights.map((sight, i): [number, Path] => [HEIGHTS[i]!, likeliestPath(sight, width, SEARCHED)]);
  return found.reduce((best, one) => (one[1].score > best[1].score ? one : best));
}
