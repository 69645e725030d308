/**
 * Inspects WebP files: walks the chunks of the container, so that nothing can hide between or after them. Used by
 * inspect.ts.
 */
import { assertNoForeignFormatInMetadata, corrupt, type ImageSize } from './checks.ts';

const RIFF_HEADER = 8;
const FIRST_CHUNK = 12;
const CHUNK_HEADER = 8;
const CANVAS_BYTES = 10;
const ANIMATED = 0b10;
/**
 * Order of the chunks in an extended file, each at most once (RFC 9649 §2.7). Metadata and unknown chunks come last.
 */
const ORDER: readonly string[] = ['VP8X', 'ICCP', 'ALPH', 'image'];

/**
 * Walks the RIFF container of a WebP (RFC 9649 §2), which must fill the file exactly and contain one picture. Returns
 * the size of the picture. Frame and canvas must state the same size, because readers differ in which of the two they
 * use.
 */
export function inspectWebp(bytes: Buffer): ImageSize {
  if (bytes.length < FIRST_CHUNK + CHUNK_HEADER) throw corrupt('The WebP is cut off.');
  if (bytes.readUInt32LE(4) + RIFF_HEADER !== bytes.length)
    throw corrupt('The length that the WebP states is not that of the file.');
  let canvas: ImageSize | null = null;
  let frame: ImageSize | null = null;
  let latest = -1;
  const seen = new Set<string>();
  for (const { type, data } of chunksOf(bytes)) {
    const size = type === 'VP8 ' || type === 'VP8L' ? frameIn(type, data) : null;
    const part = size === null ? type : 'image';
    const rank = rankOf(part);
    if (rank < latest || seen.has(part)) throw corrupt('The chunks of the WebP are not in order, or one stands twice.');
    if (seen.size === 0 && part !== 'VP8X' && part !== 'image') throw corrupt('The WebP has no image data.');
    if (seen.size > 0 && canvas === null) throw corrupt('Something follows the picture of the WebP.');
    latest = rank;
    seen.add(part);
    if (type === 'VP8X') canvas = canvasIn(data);
    else if (size !== null) frame = size;
    else if (type !== 'ALPH') assertNoForeignFormatInMetadata(data);
  }
  if (frame === null) throw corrupt('The WebP has no image data.');
  if (canvas !== null && (canvas.width !== frame.width || canvas.height !== frame.height))
    throw corrupt('The canvas of the WebP is not as large as its picture.');
  return frame;
}

function* chunksOf(bytes: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let offset = FIRST_CHUNK; offset < bytes.length; ) {
    if (offset + CHUNK_HEADER > bytes.length) throw corrupt('A WebP chunk is cut off.');
    const length = bytes.readUInt32LE(offset + 4);
    const end = offset + CHUNK_HEADER + length;
    if (end + (length % 2) > bytes.length) throw corrupt('A WebP chunk is cut off.');
    yield { type: bytes.toString('latin1', offset, offset + 4), data: bytes.subarray(offset + CHUNK_HEADER, end) };
    offset = end + (length % 2);
  }
}

function rankOf(type: string): number {
  if (type === 'ANIM' || type === 'ANMF') throw corrupt('The WebP is an animation: a document is one picture.');
  const rank = ORDER.indexOf(type);
  return rank === -1 ? ORDER.length : rank;
}

function canvasIn(data: Buffer): ImageSize {
  if (data.length !== CANVAS_BYTES) throw corrupt('The header of the WebP is damaged.');
  if (((data[0] as number) & ANIMATED) !== 0) throw corrupt('The WebP is an animation: a document is one picture.');
  return { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) };
}

function frameIn(type: string, data: Buffer): ImageSize {
  if (type === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  // RFC 6386 §9.1: a key frame has its start code after three bytes, then two 14-bit sizes.
  if (type === 'VP8 ' && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a && ((data[0] as number) & 1) === 0) {
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  throw corrupt('The picture of the WebP is damaged.');
}
