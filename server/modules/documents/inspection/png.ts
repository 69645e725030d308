/**
 * Inspects PNG files: walks all chunks, verifies their checksums and unpacks the pixels, so that nothing can hide
 * there. Used by inspect.ts.
 */
import { crc32 } from 'node:zlib';
import { assertNoForeignFormatInMetadata, assertPixels, corrupt, type ImageSize } from './checks.ts';
import { inflated, inflatedSize } from './inflate.ts';

interface Header {
  readonly size: ImageSize;
  readonly bitsPerPixel: number;
  readonly interlaced: boolean;
  readonly needsPalette: boolean;
}

const IHDR_BYTES = 13;
/** Samples per pixel and allowed bit depths for each colour type (ISO/IEC 15948 §11.2.2). */
const COLOURS: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** Passes of Adam7 interlacing (§8.2): first column, first row, column step, row step. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function headerIn(data: Buffer): Header {
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = data.subarray(8);
  const kind = COLOURS[colour];
  const size = data.length === IHDR_BYTES ? { width: data.readUInt32BE(0), height: data.readUInt32BE(4) } : null;
  if (
    size === null ||
    kind?.depths.includes(depth) !== true ||
    compression !== 0 ||
    filter !== 0 ||
    interlace > 1 ||
    size.width === 0 ||
    size.height === 0
  ) {
    throw corrupt('The IHDR chunk of the PNG is damaged.');
  }
  return {
    size,
    bitsPerPixel: kind.samples * depth,
    interlaced: interlace === 1,
    needsPalette: colour === 3,
  };
}

/**
 * Returns the size of the unpacked pixels. Each row has a filter byte and fills whole bytes. An interlaced picture has
 * seven passes of rows.
 */
function expectedBytes({ size: { width, height }, bitsPerPixel, interlaced }: Header): number {
  const passes = interlaced
    ? PASSES.map(([x, y, dx, dy]) => [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)] as const)
    : [[width, height] as const];
  return passes.reduce(
    (sum, [columns, rows]) =>
      sum + (columns > 0 && rows > 0 ? rows * (1 + Math.ceil((columns * bitsPerPixel) / 8)) : 0),
    0,
  );
}

const SIGNATURE_BYTES = 8;
const CHUNK_OVERHEAD = 12;
const MAX_CHUNKS = 20_000;
/** Highest unpacked size of all metadata. A colour profile or a text has a few hundred kilobytes at most. */
const MAX_UNPACKED_NOTES = 4 * 1024 * 1024;
const ANIMATION: ReadonlySet<string> = new Set(['acTL', 'fcTL', 'fdAT']);

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  readonly end: number;
}

/**
 * Walks all chunks of a PNG (ISO/IEC 15948 §5) to the end of the file: one header, the chunks that describe the
 * picture, the picture in one piece, and the end chunk. Checks each CRC, that the pixels unpack to exactly the size
 * that the header implies, and that metadata contains no other format.
 */
export async function inspectPng(bytes: Buffer): Promise<ImageSize> {
  let header: Header | null = null;
  let previous = '';
  let unpackable = MAX_UNPACKED_NOTES;
  const once = new Set<string>();
  const pixels: Buffer[] = [];
  for (const { type, data, end } of chunksOf(bytes)) {
    if ((type === 'IHDR') !== (header === null)) throw corrupt('A PNG starts with one IHDR chunk.');
    if (type === 'IHDR') header = headerIn(data);
    else if (type === 'IDAT') {
      if (pixels.length > 0 && previous !== 'IDAT') throw corrupt('The image data of the PNG is not in one piece.');
      pixels.push(data);
    } else if (type === 'PLTE') {
      if (once.has(type) || pixels.length > 0 || data.length % 3 !== 0 || data.length > 768)
        throw corrupt('The palette of the PNG is damaged.');
    } else if (type === 'IEND') {
      if (end !== bytes.length || data.length > 0) throw corrupt('Something follows the end of the PNG.');
      await assertPixelsOf(header as Header, pixels, once.has('PLTE'));
      return (header as Header).size;
    } else {
      if (ANIMATION.has(type)) throw corrupt('The PNG is an animation: a document is one picture.');
      // An upper-case first letter marks a critical chunk (§5.4), which readers must understand. Unknown critical
      // chunks belong to one program only.
      if (/^[A-Z]/.test(type)) throw corrupt('The PNG has a chunk that readers do not know.');
      unpackable -= notesIn(type, data, unpackable);
    }
    once.add(type);
    previous = type;
  }
  throw corrupt('The PNG ends before its IEND chunk.');
}

function* chunksOf(bytes: Buffer): Generator<Chunk> {
  let count = 0;
  for (let offset = SIGNATURE_BYTES; offset + CHUNK_OVERHEAD <= bytes.length; ) {
    const end = offset + CHUNK_OVERHEAD + bytes.readUInt32BE(offset);
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    if (end > bytes.length) throw corrupt('A PNG chunk is cut off.');
    if (!/^[A-Za-z]{2}[A-Z][A-Za-z]$/.test(type) || ++count > MAX_CHUNKS)
      throw corrupt('The chunks of the PNG are damaged.');
    if (crc32(bytes.subarray(offset + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw corrupt('The checksum of a PNG chunk is wrong.');
    yield { type, data: bytes.subarray(offset + 8, end - 4), end };
    offset = end;
  }
}

async function assertPixelsOf(header: Header, pixels: readonly Buffer[], hasPalette: boolean): Promise<void> {
  if (pixels.length === 0 || (header.needsPalette && !hasPalette)) throw corrupt('The PNG has no image data.');
  // The size is checked before unpacking, because the header determines how much is unpacked.
  assertPixels(header.size);
  const expected = expectedBytes(header);
  const found = await inflatedSize(pixels, expected);
  const packed = pixels.reduce((sum, { length }) => sum + length, 0);
  if (typeof found === 'string' || found.size !== expected || found.consumed !== packed)
    throw corrupt('The image data of the PNG does not fit its header.');
}

/** Checks a chunk of metadata and its compressed part. Returns the unpacked size of that part. */
function notesIn(type: string, data: Buffer, unpackable: number): number {
  assertNoForeignFormatInMetadata(data);
  const packed = packedIn(type, data);
  if (packed === null) return 0;
  const text = inflated(packed, unpackable);
  if (typeof text === 'string') throw corrupt('A note in the PNG cannot be unpacked, or is too large.');
  assertNoForeignFormatInMetadata(text.bytes);
  return text.bytes.length;
}

/**
 * Returns the compressed part of a text or colour profile (§11.3.3), after its keyword or name; null if it has none.
 */
function packedIn(type: string, data: Buffer): Buffer | null {
  const keyword = data.indexOf(0);
  if (type === 'zTXt' || type === 'iCCP') return data.subarray(keyword + 2);
  if (type !== 'iTXt' || data[keyword + 1] !== 1) return null;
  const language = data.indexOf(0, keyword + 3);
  const translated = data.indexOf(0, language + 1);
  return data.subarray(translated + 1);
}
