import type { ImageSize } from './image-size.ts';
import { corrupt } from './refusal.ts';

export interface Frame {
  readonly size: ImageSize;
  readonly components: ReadonlySet<number>;
}

const DHT = 0xc4;
const DQT = 0xdb;
const DNL = 0xdc;
const DRI = 0xdd;
/** Baseline, extended and progressive: what every reader draws. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const PRECISION = 8;
const MAX_COMPONENTS = 4;
const CODE_LENGTHS = 16;

/** The frame header (ITU-T T.81, B.2.2), which alone states the size. */
export function frameIn(code: number, data: Buffer): Frame {
  if (code === DNL) throw corrupt('The JPEG states its height twice.');
  if (!FRAMES.has(code)) throw corrupt('The JPEG is of a kind that most readers cannot show, or has a marker that cannot stand there. Save it anew.');
  const count = data[5] ?? 0;
  if (count < 1 || count > MAX_COMPONENTS || data.length !== 6 + 3 * count || data[0] !== PRECISION) throw corrupt('The frame header of the JPEG is damaged.');
  const size = { width: data.readUInt16BE(3), height: data.readUInt16BE(1) };
  // A height of zero is stated after the first scan: readers differ in whether they wait for it.
  if (size.width === 0 || size.height === 0) throw corrupt('The frame header of the JPEG states no size.');
  const components = new Set<number>();
  for (let i = 0; i < count; i++) {
    const [id, sampling = 0] = data.subarray(6 + 3 * i);
    if (![sampling >> 4, sampling & 15].every((factor) => factor >= 1 && factor <= 4)) throw corrupt('The frame header of the JPEG is damaged.');
    components.add(id as number);
  }
  if (components.size !== count) throw corrupt('The frame header of the JPEG is damaged.');
  return { size, components };
}

/** A scan header (B.2.3) names components of the frame. */
export function assertScan(data: Buffer, { components }: Frame): void {
  const count = data[0] ?? 0;
  if (count < 1 || count > components.size || data.length !== 4 + 2 * count) throw corrupt('A scan header of the JPEG is damaged.');
  for (let i = 0; i < count; i++) if (!components.has(data[1 + 2 * i] as number)) throw corrupt('A scan header of the JPEG is damaged.');
}

/** Tables (B.2.4) fill their segment exactly. False for a segment that is no table. */
export function assertTables(code: number, data: Buffer): boolean {
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
  if ((head >> 4) > 1 || (head & 15) > 3) throw corrupt('A table of the JPEG is damaged.');
  return 1 + 64 * (1 + (head >> 4));
}

function huffman(data: Buffer, offset: number): number {
  const head = data[offset] as number;
  const symbols = data.subarray(offset + 1, offset + 1 + CODE_LENGTHS).reduce((sum, count) => sum + count, 0);
  if ((head >> 4) > 1 || (head & 15) > 3 || symbols > 256) throw corrupt('A table of the JPEG is damaged.');
  return 1 + CODE_LENGTHS + symbols;
}
