/**
 * Draws pages of passports and Brazilian cards of nobody, in a font of strokes, with the distortions of a photograph,
 * all by a seed. Used by tests and by the benchmark of the reader. No font and no picture of anybody is needed for it.
 */
import { deflateSync } from 'node:zlib';
import { checkDigit } from '../../server/verification/mrz/check-digit.ts';
import { type Point, STROKES } from './printed-glyphs.ts';
import { randomOf } from './random.ts';
import { pngChunk, pngHeader } from './specimens/png.ts';

/** Person on a page. */
export interface PrintedPerson {
  readonly lastName: string;
  readonly firstNames: string;
  readonly number: string;
  /** YYYY-MM-DD */
  readonly dateOfBirth: string;
  readonly dateOfExpiry: string;
}

/** Picture of a page (PNG), and what it says. */
export interface PrintedPage {
  readonly bytes: Buffer;
  readonly lines: readonly string[];
  readonly person: PrintedPerson;
}

/** What a photograph does to a page. */
export interface Distortion {
  /** Pixels for each character of the zone. */
  readonly pitch: number;
  readonly degrees: number;
  /** Brightness of ink and of paper, from 0 to 255. */
  readonly ink: number;
  readonly paper: number;
  readonly noise: number;
  /** Pixels over which a stroke fades. */
  readonly blur: number;
}

const LAST = [
  'OLIVEIRA',
  'SOUZA',
  'KOWALSKI',
  'BERGMANN',
  'VASQUEZ',
  'HUXLEY',
  'JIMENEZ',
  'QUADROS',
  'WOJCIK',
  'FIGUEIRA',
];
const FIRST = ['ANNA', 'MARIA', 'JOAQUIM', 'XAVIER', 'BEATRIZ', 'DIEGO', 'FELIX', 'GABRIELA', 'ZELIA', 'KATARINA'];
const SYMBOLS = '0123456789ABCDEFGHIJKLMNPQRSTUVWXYZ';

function personOf(random: () => number): PrintedPerson {
  const pick = <T>(values: ArrayLike<T>): T => values[Math.floor(random() * values.length)]!;
  const two = (least: number, most: number): string =>
    String(least + Math.floor(random() * (most - least + 1))).padStart(2, '0');
  return {
    lastName: pick(LAST),
    firstNames: `${pick(FIRST)} ${pick(FIRST)}`,
    number: Array.from({ length: 9 }, (_, index) => (index < 2 ? pick('ABCDEFGHKLMNPRSTUVWXYZ') : pick(SYMBOLS))).join(
      '',
    ),
    dateOfBirth: `19${two(40, 99)}-${two(1, 12)}-${two(1, 28)}`,
    dateOfExpiry: `20${two(28, 35)}-${two(1, 12)}-${two(1, 28)}`,
  };
}

/** Returns the two lines of a passport (ICAO Doc 9303-4). */
export function zoneLines({ lastName, firstNames, number, dateOfBirth, dateOfExpiry }: PrintedPerson): string[] {
  const short = (date: string): string => date.slice(2).replaceAll('-', '');
  const checked = (field: string): string => field + checkDigit(field);
  const [document, birth, expiry] = [
    checked(number.padEnd(9, '<')),
    checked(short(dateOfBirth)),
    checked(short(dateOfExpiry)),
  ];
  const personal = `${'<'.repeat(14)}0`;
  const composite = checkDigit(document + birth + expiry + personal);
  return [
    `P<UTO${lastName}<<${firstNames.replaceAll(' ', '<')}`.padEnd(44, '<'),
    `${document}UTO${birth}F${expiry}${personal}${composite}`,
  ];
}

/** Returns a distortion as of a telephone, by a seed. */
function distortionOf(random: () => number): Distortion {
  return {
    pitch: 12 + random() * 12,
    degrees: (random() - 0.5) * 6,
    ink: 20 + random() * 60,
    paper: 180 + random() * 70,
    noise: random() * 16,
    blur: 0.8 + random() * 1.2,
  };
}

/** A text at a place, which counts in characters of the zone; `size` is that of its characters. */
interface Placed {
  readonly text: string;
  readonly at: Point;
  readonly size: number;
}

const slashed = (date: string): string => date.split('-').toReversed().join('/');

/** Draws texts on a sheet that is so many characters of the zone wide and high. */
function drawn(texts: readonly Placed[], [columns, rows]: Point, distortion: Distortion, random: () => number): Buffer {
  const { pitch, degrees } = distortion;
  const sheet: Point = [pitch * columns, pitch * rows];
  const isOnItsSide = Math.abs(Math.sin((degrees * Math.PI) / 180)) > 0.7;
  const [width, height] = (isOnItsSide ? sheet.toReversed() : sheet).map(Math.ceil) as [number, number];
  const canvas: Canvas = {
    width,
    height,
    sheet,
    darkness: new Float32Array(width * height),
    distortion,
  };
  for (const { text, at, size } of texts) write(canvas, text, [at[0] * pitch, at[1] * pitch], size * pitch);
  return encoded(canvas, random);
}

/** Draws the page of a passport. Whose and how follows from the seed; single distortions may be set. */
export function printedPage(seed: number, set: Partial<Distortion> = {}): PrintedPage {
  const random = randomOf(seed);
  const person = personOf(random);
  const distortion = { ...distortionOf(random), ...set };
  const lines = zoneLines(person);
  const { lastName, firstNames, number, dateOfBirth, dateOfExpiry } = person;
  const texts = [
    ...[lastName, firstNames, number, slashed(dateOfBirth), slashed(dateOfExpiry)].map(
      (text, row): Placed => ({ text, at: [18, 4 + row * 3.4], size: 1.1 }),
    ),
    ...lines.map((text, row): Placed => ({ text, at: [3, 26 + row * 2.4], size: 1 })),
  ];
  return { bytes: drawn(texts, [50, 33], distortion, random), lines, person };
}

/** Picture of a Brazilian card without a zone (PNG), and what it says. */
export interface PrintedCard {
  readonly bytes: Buffer;
  readonly name: string;
  readonly cpf: string;
  readonly dateOfBirth: string;
}

/** Places of name, CPF and date of birth, of which each has its label above it. */
const LAYOUTS: readonly (readonly [name: Point, cpf: Point, birth: Point])[] = [
  [
    [4, 6],
    [4, 14],
    [26, 14],
  ],
  [
    [4, 6],
    [26, 14],
    [4, 14],
  ],
  [
    [16, 5],
    [16, 12],
    [16, 19],
  ],
  [
    [4, 20],
    [4, 6],
    [26, 6],
  ],
  [
    [20, 6],
    [20, 13],
    [36, 13],
  ],
];

/** Draws a card in one of five layouts. Whose and how follows from the seed; single distortions may be set. */
export function printedCard(seed: number, set: Partial<Distortion> = {}): PrintedCard {
  const random = randomOf(seed);
  const { lastName, firstNames, dateOfBirth } = personOf(random);
  const distortion = { ...distortionOf(random), ...set };
  const name = `${firstNames} ${lastName}`;
  const cpf = withDigits(Array.from({ length: 9 }, () => Math.floor(random() * 10)));
  const shown = cpf.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
  const layout = LAYOUTS[seed % LAYOUTS.length]!;
  const texts = [
    ['NOME', name],
    ['CPF', shown],
    ['DATA NASCIMENTO', slashed(dateOfBirth)],
  ].flatMap(([label, value], index): Placed[] => {
    const [x, y] = layout[index]!;
    return [
      { text: label!, at: [x, y - 2.2], size: 0.8 },
      { text: value!, at: [x, y], size: 1.1 },
    ];
  });
  return {
    bytes: drawn(texts, [56, 30], distortion, random),
    name,
    cpf,
    dateOfBirth,
  };
}

/** Draws lines of text, one below the other, on a sheet that is 56 characters of a zone wide. */
export function printedLines(lines: readonly string[], seed: number, set: Partial<Distortion> = {}): Buffer {
  const random = randomOf(seed);
  const distortion = { ...distortionOf(random), ...set };
  const texts = lines.map((text, index): Placed => ({ text, at: [3, 4 + 3 * index], size: 1.1 }));
  return drawn(texts, [56, 8 + 3 * lines.length], distortion, random);
}

/** Returns a CPF with its two check digits (mod 11). */
function withDigits(digits: readonly number[]): string {
  const digitAfter = (before: readonly number[]): number => {
    const rest = before.reduce((sum, digit, index) => sum + digit * (before.length + 1 - index), 0) % 11;
    return rest < 2 ? 0 : 11 - rest;
  };
  const first = digitAfter(digits);
  return [...digits, first, digitAfter([...digits, first])].join('');
}

interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Width and height of what is photographed, in pixels. */
  readonly sheet: Point;
  /** Share of ink on each pixel. */
  readonly darkness: Float32Array;
  readonly distortion: Distortion;
}

/** Writes a text at a place, its characters `pitch` pixels apart. */
function write(canvas: Canvas, text: string, [left, top]: Point, pitch: number): void {
  const [across, down] = [(pitch * 0.6) / 4, (pitch * 0.95) / 6];
  for (const [index, character] of [...text].entries())
    for (const stroke of STROKES.get(character) ?? [])
      for (const [at, to] of stroke.slice(1).entries()) {
        const place = ([x, y]: Point): Point => turnedOn(canvas, [left + index * pitch + x * across, top + y * down]);
        ink(canvas, place(stroke[at]!), place(to), pitch * 0.055);
      }
}

function turnedOn({ width, height, sheet, distortion: { degrees } }: Canvas, [x, y]: Point): Point {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [dx, dy] = [x - sheet[0] / 2, y - sheet[1] / 2];
  return [width / 2 + dx * cos - dy * sin, height / 2 + dx * sin + dy * cos];
}

/** Draws one line with soft borders. */
function ink({ width, height, darkness, distortion }: Canvas, [ax, ay]: Point, [bx, by]: Point, half: number): void {
  const reach = half + distortion.blur;
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  for (
    let y = Math.max(0, Math.floor(Math.min(ay, by) - reach));
    y <= Math.min(height - 1, Math.max(ay, by) + reach);
    y++
  )
    for (
      let x = Math.max(0, Math.floor(Math.min(ax, bx) - reach));
      x <= Math.min(width - 1, Math.max(ax, bx) + reach);
      x++
    ) {
      const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
      const away = Math.hypot(x - ax - along * dx, y - ay - along * dy);
      const share = Math.min(1, Math.max(0, (reach - away) / (2 * distortion.blur) + 0.25));
      const at = y * width + x;
      if (share > darkness[at]!) darkness[at] = share;
    }
}

/** Encodes a canvas as a grey PNG (ISO/IEC 15948), with noise. */
function encoded({ width, height, darkness, distortion }: Canvas, random: () => number): Buffer {
  const { ink: dark, paper, noise } = distortion;
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const share = darkness[y * width + x]!;
      const value = paper * (1 - share) + dark * share + (random() - 0.5) * 2 * noise;
      rows[y * (width + 1) + 1 + x] = Math.min(255, Math.max(0, Math.round(value)));
    }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngHeader(width, height),
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
