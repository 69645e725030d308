import { crc32 } from 'node:zlib';
import type { ImageSize } from './image-size.ts';
import { corrupt } from './refusal.ts';

const SIGNATURE_BYTES = 8;
const CHUNK_OVERHEAD = 12;
const IHDR_BYTES = 13;

/** Walks all chunks of a PNG (ISO/IEC 15948 §5) to its very end, checks each CRC and returns the size of the image. */
export function inspectPng(bytes: Buffer): ImageSize {
  let size: ImageSize | null = null;
  let hasData = false;
  for (const { type, data, end } of chunksOf(bytes)) {
    if ((type === 'IHDR') !== (size === null)) throw corrupt('A PNG starts with one IHDR chunk.');
    if (type === 'IHDR') size = sizeOf(data);
    if (type === 'IDAT') hasData = true;
    if (type !== 'IEND') continue;
    if (size === null || !hasData) throw corrupt('The PNG has no image data.');
    if (end !== bytes.length) throw corrupt('Something follows the end of the PNG.');
    return size;
  }
  throw corrupt('The PNG ends before its IEND chunk.');
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  readonly end: number;
}

function* chunksOf(bytes: Buffer): Generator<Chunk> {
  for (let offset = SIGNATURE_BYTES; offset + CHUNK_OVERHEAD <= bytes.length;) {
    const end = offset + CHUNK_OVERHEAD + bytes.readUInt32BE(offset);
    if (end > bytes.length) throw corrupt('A PNG chunk is cut off.');
    if (crc32(bytes.subarray(offset + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw corrupt('The checksum of a PNG chunk is wrong.');
    yield { type: bytes.toString('latin1', offset + 4, offset + 8), data: bytes.subarray(offset + 8, end - 4), end };
    offset = end;
  }
}

function sizeOf(header: Buffer): ImageSize {
  if (header.length !== IHDR_BYTES) throw corrupt('The IHDR chunk of the PNG has a wrong length.');
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
}
