import { assertOnlyNotes } from './foreign.ts';
import { assertPixels, type ImageSize } from './image-size.ts';
import { frameIn, assertScan, assertTables, type Frame } from './jpeg-segments.ts';
import { corrupt } from './refusal.ts';
import { isSamsungTrailer } from './samsung-trailer.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP2 = 0xe2;
const COM = 0xfe;
const MULTI_PICTURE = 'MPF\0';
/** Portraits of phones bring a gain map, a depth map and a few mattes. */
const MAX_FURTHER_PICTURES = 8;
/** Progressive pictures have about ten; each costs whoever draws it another turn over all pixels. */
const MAX_SCANS = 64;
const PADDING: ReadonlySet<number | undefined> = new Set(Buffer.from('\0\t\n\r '));

/**
 * Walks all segments of a JPEG (ITU-T T.81, annex B) to EOI and returns the size of the image, which exactly one frame header
 * states. Nothing may follow but padding, what the cameras of one maker note about the picture and, if the file says that it
 * holds several pictures (CIPA DC-007, as phones write), further whole JPEGs.
 */
export function inspectJpeg(bytes: Buffer): ImageSize {
  const first = walk(bytes, 0);
  let end = first.end;
  for (let further = 0; ; further++) {
    if (isSamsungTrailer(bytes, end)) return first.size;
    end = skipPadding(bytes, end);
    if (end === bytes.length) return first.size;
    if (!first.multiPicture || further === MAX_FURTHER_PICTURES || bytes[end] !== 0xff || bytes[end + 1] !== SOI) throw somethingFollows(bytes, end);
    const picture = walk(bytes, end);
    assertPixels(picture.size);
    end = picture.end;
  }
}

interface Picture {
  readonly size: ImageSize;
  readonly end: number;
  readonly multiPicture: boolean;
}

function walk(bytes: Buffer, start: number): Picture {
  let frame: Frame | null = null;
  let multiPicture = false;
  let scans = 0;
  for (let offset = start + 2; ;) {
    const marker = markerAt(bytes, offset);
    offset = marker.end;
    if (marker.code === EOI) {
      if (frame === null || scans === 0) throw corrupt('The JPEG has no image data.');
      return { size: frame.size, end: offset, multiPicture };
    }
    const data = segmentAt(bytes, offset);
    offset += data.length + 2;
    if (isNotes(marker.code)) {
      assertOnlyNotes(data);
      if (marker.code === APP2 && data.toString('latin1', 0, MULTI_PICTURE.length) === MULTI_PICTURE) multiPicture = true;
    } else if (marker.code === SOS) {
      if (frame === null) throw corrupt('The JPEG has image data before its frame header.');
      assertScan(data, frame);
      if (++scans > MAX_SCANS) throw corrupt('The JPEG has too many scans.');
      offset = endOfScan(bytes, offset);
    } else if (!assertTables(marker.code, data)) {
      // One image, one size: readers differ in which of two they believe.
      if (frame !== null) throw corrupt('The JPEG has two frame headers.');
      frame = frameIn(marker.code, data);
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
    if (next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)) continue;
    if (offset === start) throw corrupt('The JPEG has no image data.');
    return offset;
  }
  throw cutOff();
}

function isNotes(code: number): boolean {
  return (code >= 0xe0 && code <= 0xef) || code === COM;
}

function skipPadding(bytes: Buffer, start: number): number {
  let offset = start;
  while (PADDING.has(bytes[offset])) offset += 1;
  return offset;
}

function somethingFollows(bytes: Buffer, end: number): ReturnType<typeof corrupt> {
  return corrupt(bytes.subarray(end - 4, end + 12).includes('ftyp')
    ? 'A video follows the picture, as in a motion photo: send the still picture alone.'
    : 'Something follows the end of the JPEG. Save the picture anew, without it.');
}

function cutOff(): ReturnType<typeof corrupt> {
  return corrupt('The JPEG is cut off: it ends without EOI.');
}
