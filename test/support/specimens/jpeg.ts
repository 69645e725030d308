function segment(marker: number, data: Buffer): Buffer {
  const header = Buffer.from([0xff, marker, 0, 0]);
  header.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([header, data]);
}

/** One code of one bit, which stands for `symbol`. */
function huffmanTable(id: number, symbol: number): Buffer {
  return segment(0xc4, Buffer.from([id, 1, ...Array<number>(15).fill(0), symbol]));
}

export interface JpegOptions {
  readonly width?: number;
  readonly height?: number;
  readonly text?: string;
  readonly segments?: Buffer;
}

/** A grey baseline picture that decodes: each 8×8 block is two bits. `text` makes it another file; `segments` follow it. */
export function jpeg({ width = 640, height = 480, text = '', segments = Buffer.alloc(0) }: JpegOptions = {}): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xfe, Buffer.from(text, 'utf8')),
    segments,
    segment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    segment(0xc0, frame),
    huffmanTable(0x00, 0), huffmanTable(0x10, 0),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.alloc(Math.ceil(blocks / 4)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** What a phone writes to say that further pictures follow (CIPA DC-007). */
export const multiPictureSegment = segment(0xe2, Buffer.from('MPF\0MM\0*\0\0\0\x08', 'latin1'));
