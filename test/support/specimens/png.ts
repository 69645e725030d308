/** Writes PNG pictures for tests of uploads. */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}

/** Returns the header of a grey picture. */
export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return pngChunk('IHDR', header);
}

export interface PngOptions {
  readonly width?: number;
  readonly height?: number;
  readonly text?: string;
  /** Chunks before the pixels. */
  readonly before?: readonly Buffer[];
  /** Chunks after the pixels. */
  readonly after?: readonly Buffer[];
  /** Data that replaces the pixels that fit the header. */
  readonly pixels?: readonly Buffer[];
}

/** Returns a grey picture that decodes; another `text` makes another file. */
export function png({
  width = 640,
  height = 480,
  text = '',
  before = [],
  after = [],
  pixels,
}: PngOptions = {}): Buffer {
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0;
  return Buffer.concat([
    SIGNATURE,
    pngHeader(width, height),
    pngChunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1')),
    ...before,
    ...(pixels ?? [deflateSync(rows)]).map((data) => pngChunk('IDAT', data)),
    ...after,
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
