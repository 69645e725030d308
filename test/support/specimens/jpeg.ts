/** JPEG files for tests of inspection, whole and in parts. Used by the specimens of document tests. */

export function jpegSegment(marker: number, data: Buffer): Buffer {
  const header = Buffer.from([0xff, marker, 0, 0]);
  header.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([header, data]);
}

/** Returns a Huffman table with a single code of one bit, for `symbol`. */
function huffmanTable(id: number, symbol: number): Buffer {
  return jpegSegment(0xc4, Buffer.from([id, 1, ...Array<number>(15).fill(0), symbol]));
}

export interface JpegOptions {
  readonly width?: number;
  readonly height?: number;
  readonly text?: string;
  readonly segments?: Buffer;
  /** Segments after the frame header. */
  readonly afterFrame?: Buffer;
  /** Segments after the pixels. */
  readonly afterScan?: Buffer;
  /** Marker of the frame header: SOF0 is baseline. */
  readonly frameMarker?: number;
}

const frameOf = (width: number, height: number): Buffer => {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return frame;
};

/** Returns a frame header with one grey component. */
export const frameHeader = (width: number, height: number, marker = 0xc0): Buffer =>
  jpegSegment(marker, frameOf(width, height));

/**
 * Returns a grey baseline picture that decodes: each 8×8 block is two bits. Another `text` makes another file;
 * `segments` follow the text.
 */
export function jpeg({
  width = 640,
  height = 480,
  text = '',
  segments = Buffer.alloc(0),
  afterFrame = Buffer.alloc(0),
  afterScan = Buffer.alloc(0),
  frameMarker = 0xc0,
}: JpegOptions = {}): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    jpegSegment(0xfe, Buffer.from(text, 'utf8')),
    segments,
    jpegSegment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    frameHeader(width, height, frameMarker),
    afterFrame,
    huffmanTable(0x00, 0),
    huffmanTable(0x10, 0),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.alloc(Math.ceil(blocks / 4)),
    afterScan,
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Segment with which a phone announces further pictures (CIPA DC-007). */
export const multiPictureSegment = jpegSegment(0xe2, Buffer.from('MPF\0MM\0*\0\0\0\x08', 'latin1'));

/** Returns what Samsung cameras append: named notes and their directory. */
export function samsungTrailer(notes: Readonly<Record<string, string>> = { Image_UTC_Data: '1700000000000' }): Buffer {
  const blocks = Object.entries(notes).map(([name, value], i) => {
    const head = Buffer.alloc(8);
    head.writeUInt16LE(0x0a01 + i, 2);
    head.writeUInt32LE(name.length, 4);
    return Buffer.concat([head, Buffer.from(name), Buffer.from(value, 'latin1')]);
  });
  const directory = Buffer.alloc(12 + 12 * blocks.length + 4);
  directory.write('SEFH', 'latin1');
  directory.writeUInt32LE(101, 4);
  directory.writeUInt32LE(blocks.length, 8);
  let before = Buffer.concat(blocks).length;
  for (const [i, block] of blocks.entries()) {
    directory.writeUInt16LE(0x0a01 + i, 12 + 12 * i + 2);
    directory.writeUInt32LE(before, 12 + 12 * i + 4);
    directory.writeUInt32LE(block.length, 12 + 12 * i + 8);
    before -= block.length;
  }
  directory.writeUInt32LE(directory.length - 4, directory.length - 4);
  return Buffer.concat([...blocks, directory, Buffer.from('SEFT')]);
}
