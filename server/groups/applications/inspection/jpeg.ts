import type { ImageSize } from './image-size.ts';
import { corrupt } from './refusal.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP2 = 0xe2;
const MULTI_PICTURE = 'MPF\0';

/**
 * Walks all segments of a JPEG (ITU-T T.81, annex B) to EOI and returns the size of the image. Nothing may follow but
 * padding and, if the file says that it holds several pictures (CIPA DC-007, as phones write), further whole JPEGs.
 */
export function inspectJpeg(bytes: Buffer): ImageSize {
  const first = walk(bytes, 0);
  for (let end = skipPadding(bytes, first.end); end < bytes.length;) {
    if (!first.multiPicture || bytes[end] !== 0xff || bytes[end + 1] !== SOI) throw corrupt('Something follows the end of the JPEG.');
    end = skipPadding(bytes, walk(bytes, end).end);
  }
  return first.size;
}

interface Picture {
  readonly size: ImageSize;
  readonly end: number;
  readonly multiPicture: boolean;
}

function walk(bytes: Buffer, start: number): Picture {
  let size: ImageSize | null = null;
  let multiPicture = false;
  let scans = 0;
  for (let offset = start + 2; ;) {
    const marker = markerAt(bytes, offset);
    offset = marker.end;
    if (marker.code === EOI) {
      if (size === null || scans === 0) throw corrupt('The JPEG has no image data.');
      return { size, end: offset, multiPicture };
    }
    if (isStandalone(marker.code)) continue;
    const data = segmentAt(bytes, offset);
    offset += data.length + 2;
    if (isFrameHeader(marker.code)) size = sizeOf(data);
    if (marker.code === APP2 && data.toString('latin1', 0, MULTI_PICTURE.length) === MULTI_PICTURE) multiPicture = true;
    if (marker.code === SOS) {
      scans += 1;
      offset = endOfScan(bytes, offset);
    }
  }
}

/** A marker may be preceded by any number of fill bytes 0xFF. */
function markerAt(bytes: Buffer, start: number): { code: number; end: number } {
  let offset = start;
  if (bytes[offset] !== 0xff) throw offset >= bytes.length ? cutOff() : corrupt('The JPEG has a byte where a marker must stand.');
  while (bytes[offset] === 0xff) offset += 1;
  const code = bytes[offset];
  if (code === undefined) throw cutOff();
  if (code === 0 || code === SOI) throw corrupt('The JPEG has a marker that cannot stand there.');
  return { code, end: offset + 1 };
}

function segmentAt(bytes: Buffer, offset: number): Buffer {
  if (offset + 2 > bytes.length) throw cutOff();
  const length = bytes.readUInt16BE(offset);
  if (length < 2) throw corrupt('A JPEG segment has a wrong length.');
  if (offset + length > bytes.length) throw cutOff();
  return bytes.subarray(offset + 2, offset + length);
}

/** Entropy-coded data ends at the first 0xFF that is neither stuffed with 0x00 nor a restart marker nor a fill byte. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let offset = bytes.indexOf(0xff, start); offset !== -1; offset = bytes.indexOf(0xff, offset + 1)) {
    const next = bytes[offset + 1];
    if (next === undefined) throw cutOff();
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return offset;
  }
  throw cutOff();
}

/** SOF0 to SOF15; C4, C8 and CC in the same range mean other things. */
function isFrameHeader(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

function isStandalone(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd7);
}

function sizeOf(frame: Buffer): ImageSize {
  if (frame.length < 6) throw corrupt('The frame header of the JPEG is too short.');
  return { width: frame.readUInt16BE(3), height: frame.readUInt16BE(1) };
}

function skipPadding(bytes: Buffer, start: number): number {
  let offset = start;
  while (bytes[offset] === 0) offset += 1;
  return offset;
}

function cutOff(): ReturnType<typeof corrupt> {
  return corrupt('The JPEG is cut off: it ends without EOI.');
}
