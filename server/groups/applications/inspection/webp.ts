import type { ImageSize } from './image-size.ts';
import { corrupt } from './refusal.ts';

const RIFF_HEADER = 8;
const FIRST_CHUNK = 12;
const CHUNK_HEADER = 8;

/** Walks the RIFF container of a WebP (RFC 9649 §2), which must fill the file exactly; returns the size of the canvas. */
export function inspectWebp(bytes: Buffer): ImageSize {
  if (bytes.length < FIRST_CHUNK + CHUNK_HEADER) throw corrupt('The WebP is cut off.');
  if (bytes.readUInt32LE(4) + RIFF_HEADER !== bytes.length) throw corrupt('The length that the WebP states is not that of the file.');
  let size: ImageSize | null = null;
  let hasImage = false;
  for (const { type, data } of chunksOf(bytes)) {
    size ??= sizeIn(type, data);
    if (type === 'VP8 ' || type === 'VP8L' || type === 'ANMF') hasImage = true;
  }
  if (size === null || !hasImage) throw corrupt('The WebP has no image data.');
  return size;
}

function* chunksOf(bytes: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let offset = FIRST_CHUNK; offset < bytes.length;) {
    if (offset + CHUNK_HEADER > bytes.length) throw corrupt('A WebP chunk is cut off.');
    const length = bytes.readUInt32LE(offset + 4);
    const end = offset + CHUNK_HEADER + length;
    if (end > bytes.length) throw corrupt('A WebP chunk is cut off.');
    yield { type: bytes.toString('latin1', offset, offset + 4), data: bytes.subarray(offset + CHUNK_HEADER, end) };
    offset = end + (length % 2);
  }
}

/** The canvas of an extended file, or the frame of a simple one; null for chunks that have no size. */
function sizeIn(type: string, data: Buffer): ImageSize | null {
  if (type === 'VP8X' && data.length >= 10) return { width: 1 + data.readUIntLE(4, 3), height: 1 + data.readUIntLE(7, 3) };
  if (type === 'VP8L' && data.length >= 5 && data[0] === 0x2f) {
    const bits = data.readUInt32LE(1);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  // RFC 6386 §9.1: a key frame has its start code after three bytes, then two 14-bit sizes.
  if (type === 'VP8 ' && data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a) {
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  return null;
}
