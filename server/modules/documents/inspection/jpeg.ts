/**
 * Inspects JPEG files: walks all segments, so that nothing can hide between them, and finds the tail to cut off. Used
 * by inspect.ts.
 */
import {
  assertNoForeignFormatInMetadata,
  assertNoForeignFormatInTail,
  assertPixels,
  corrupt,
  type ImageSize,
} from './checks.ts';

interface Frame {
  readonly size: ImageSize;
  readonly components: ReadonlySet<number>;
}

const DHT = 0xc4;
const DQT = 0xdb;
const DNL = 0xdc;
const DRI = 0xdd;
/** Frame markers of baseline, extended sequential and progressive JPEGs, which every reader can show. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const PRECISION = 8;
const MAX_COMPONENTS = 4;
const CODE_LENGTHS = 16;

/** Reads the frame header (ITU-T T.81, B.2.2), the only segment that states the size. */
function frameIn(code: number, data: Buffer): Frame {
  if (code === DNL) throw corrupt('The JPEG states its height twice.');
  if (!FRAMES.has(code))
    throw corrupt(
      'The JPEG is of a kind that most readers cannot show, or has a marker that cannot stand there. Save it anew.',
    );
  const count = data[5] ?? 0;
  if (count < 1 || count > MAX_COMPONENTS || data.length !== 6 + 3 * count || data[0] !== PRECISION)
    throw corrupt('The frame header of the JPEG is damaged.');
  const size = { width: data.readUInt16BE(3), height: data.readUInt16BE(1) };
  // If the height is zero, the file states it after the first scan, and readers differ in whether they wait for it.
  if (size.width === 0 || size.height === 0) throw corrupt('The frame header of the JPEG states no size.');
  const components = new Set<number>();
  for (let i = 0; i < count; i++) {
    const [id, sampling = 0] = data.subarray(6 + 3 * i);
    if (![sampling >> 4, sampling & 15].every((factor) => factor >= 1 && factor <= 4))
      throw corrupt('The frame header of the JPEG is damaged.');
    components.add(id as number);
  }
  if (components.size !== count) throw corrupt('The frame header of the JPEG is damaged.');
  return { size, components };
}

/** Rejects a scan header (B.2.3) unless it names components of the frame. */
function assertScan(data: Buffer, { components }: Frame): void {
  const count = data[0] ?? 0;
  if (count < 1 || count > components.size || data.length !== 4 + 2 * count)
    throw corrupt('A scan header of the JPEG is damaged.');
  for (let i = 0; i < count; i++)
    if (!components.has(data[1 + 2 * i] as number)) throw corrupt('A scan header of the JPEG is damaged.');
}

/** Checks that tables (B.2.4) fill their segment exactly. Returns false for a segment that is not a table. */
function assertTables(code: number, data: Buffer): boolean {
  let offset = 0;
  if (code === DRI) offset = 2;
  else if (code === DQT) while (offset < data.length) offset += quantisation(data, offset);
  else if (code === DHT) while (offset < data.length) offset += huffman(data, offset);
  else return false;
  if (offset !== data.length || data.length === 0) throw corrupt('A table of the JPEG is damaged.');
  return true;
}

function quantisation(data: Buffer, offset: number): number {
  const head = data[offset] as number;
  if (head >> 4 > 1 || (head & 15) > 3) throw corrupt('A table of the JPEG is damaged.');
  return 1 + 64 * (1 + (head >> 4));
}

function huffman(data: Buffer, offset: number): number {
  const head = data[offset] as number;
  const symbols = data.subarray(offset + 1, offset + 1 + CODE_LENGTHS).reduce((sum, count) => sum + count, 0);
  if (head >> 4 > 1 || (head & 15) > 3 || symbols > 256) throw corrupt('A table of the JPEG is damaged.');
  return 1 + CODE_LENGTHS + symbols;
}

const END = 'SEFT';
const DIRECTORY = 'SEFH';
const DIRECTORY_HEADER = 12;
const ENTRY = 12;
const BLOCK_HEADER = 8;
/** Highest size of a trailer, enough for the time and mode of the camera. Videos and further pictures are larger. */
const MAX_TRAILER = 64 * 1024;

/**
 * Returns whether the bytes from `start` to the end are the trailer that Samsung cameras append to almost every
 * photograph: blocks, one after another, and then their directory. Anything between or after them makes it something
 * else.
 */
function isSamsungTrailer(bytes: Buffer, start: number): boolean {
  const end = bytes.length - END.length;
  if (end - start < DIRECTORY_HEADER + 4 || bytes.length - start > MAX_TRAILER || bytes.toString('latin1', end) !== END)
    return false;
  const directory = end - 4 - bytes.readUInt32LE(end - 4);
  if (directory < start || bytes.toString('latin1', directory, directory + 4) !== DIRECTORY) return false;
  if (
    directory + DIRECTORY_HEADER > end ||
    directory + DIRECTORY_HEADER + ENTRY * bytes.readUInt32LE(directory + 8) !== end - 4
  )
    return false;
  const blocks = blocksIn(bytes, directory, end - 4).sort((one, other) => one.from - other.from);
  let covered = blocks[0]?.from ?? directory;
  if (covered < start || bytes.subarray(start, covered).some((byte) => byte !== 0)) return false;
  for (const { from, size, type } of blocks) {
    if (from !== covered || size < BLOCK_HEADER || from + size > directory || bytes.readUInt16LE(from + 2) !== type)
      return false;
    covered = from + size;
  }
  if (covered !== directory) return false;
  assertNoForeignFormatInMetadata(bytes.subarray(start));
  return true;
}

function blocksIn(
  bytes: Buffer,
  directory: number,
  end: number,
): { readonly type: number; readonly from: number; readonly size: number }[] {
  const blocks = [];
  for (let entry = directory + DIRECTORY_HEADER; entry < end; entry += ENTRY) {
    blocks.push({
      type: bytes.readUInt16LE(entry + 2),
      from: directory - bytes.readUInt32LE(entry + 4),
      size: bytes.readUInt32LE(entry + 8),
    });
  }
  return blocks;
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP2 = 0xe2;
const COM = 0xfe;
const MULTI_PICTURE = 'MPF\0';
/** Highest number of further pictures. Portraits from phones contain a gain map, a depth map and a few mattes. */
const MAX_FURTHER_PICTURES = 8;
/** Highest number of scans. Progressive pictures have about ten, and each makes a reader process all pixels again. */
const MAX_SCANS = 64;
const PADDING: ReadonlySet<number | undefined> = new Set(Buffer.from('\0\t\n\r '));

/**
 * Walks all segments of a JPEG (ITU-T T.81, annex B) to EOI. Returns the size of the image, which exactly one frame
 * header states, and the end of the part of the file to store. That part includes padding, the trailer of Samsung
 * cameras and, if the file declares several pictures (CIPA DC-007, written by phones), further complete JPEGs. Anything
 * after that part is a tail, which many cameras and phones write. Rejects a tail that another program would open.
 */
export function inspectJpeg(bytes: Buffer): { readonly size: ImageSize; readonly end: number } {
  const { size, multiPicture, ...first } = walk(bytes, 0);
  let { end } = first;
  for (let further = 0; ; further++) {
    if (isSamsungTrailer(bytes, end)) return { size, end: bytes.length };
    const next = skipPadding(bytes, end);
    if (next === bytes.length) return { size, end: bytes.length };
    if (!multiPicture || further === MAX_FURTHER_PICTURES || bytes[next] !== 0xff || bytes[next + 1] !== SOI) {
      assertNoForeignFormatInTail(bytes.subarray(end));
      return { size, end };
    }
    const picture = walk(bytes, next);
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
  for (let offset = start + 2; ; ) {
    const marker = markerAt(bytes, offset);
    offset = marker.end;
    if (marker.code === EOI) {
      if (frame === null || scans === 0) throw corrupt('The JPEG has no image data.');
      return { size: frame.size, end: offset, multiPicture };
    }
    const data = segmentAt(bytes, offset);
    offset += data.length + 2;
    if (isNotes(marker.code)) {
      assertNoForeignFormatInMetadata(data);
      if (marker.code === APP2 && data.toString('latin1', 0, MULTI_PICTURE.length) === MULTI_PICTURE)
        multiPicture = true;
    } else if (marker.code === SOS) {
      if (frame === null) throw corrupt('The JPEG has image data before its frame header.');
      assertScan(data, frame);
      if (++scans > MAX_SCANS) throw corrupt('The JPEG has too many scans.');
      offset = endOfScan(bytes, offset);
    } else if (!assertTables(marker.code, data)) {
      // A second frame header could state another size, and readers differ in which one they use.
      if (frame !== null) throw corrupt('The JPEG has two frame headers.');
      frame = frameIn(marker.code, data);
    }
  }
}

/** Reads a marker, which any number of fill bytes 0xFF may precede. */
function markerAt(bytes: Buffer, start: number): { code: number; end: number } {
  let offset = start;
  if (bytes[offset] !== 0xff)
    throw offset >= bytes.length ? cutOff() : corrupt('The JPEG has a byte where a marker must stand.');
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

/**
 * Finds the end of entropy-coded data: the first 0xFF that is not stuffed with 0x00, a restart marker or a fill byte.
 */
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

function cutOff(): ReturnType<typeof corrupt> {
  return corrupt('The JPEG is cut off: it ends without EOI.');
}
