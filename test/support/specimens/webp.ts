/** WebP files for tests of inspection. Used by the specimens of document tests. */

export function webpChunk(type: string, data: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
}

export interface WebpOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colour?: number;
}

/**
 * Returns a lossless picture of one colour that decodes (RFC 9649 §3): five prefix codes of one symbol, so pixels take
 * no bits.
 */
export function webp(options: WebpOptions = {}): Buffer {
  return webpOf(webpChunk('VP8L', lossless(options)));
}

export function lossless({ width = 640, height = 480, colour = 0x808080 }: WebpOptions = {}): Buffer {
  let bits = 0n;
  let length = 0n;
  const put = (value: number, count: number): void => {
    bits |= BigInt(value) << length;
    length += BigInt(count);
  };
  put(width - 1, 14);
  put(height - 1, 14);
  put(0, 1 + 3); // no alpha, version 0
  put(0, 3); // no transform, no colour cache, no meta prefix codes
  for (const symbol of [(colour >> 8) & 255, colour >> 16, colour & 255, 255]) {
    put(0b101, 3); // simple code, one symbol, of eight bits
    put(symbol, 8);
  }
  put(0b0001, 4); // simple code, one symbol, of one bit: distance 0
  const data = Buffer.alloc(1 + Number((length + 7n) / 8n));
  data[0] = 0x2f;
  for (let i = 1; i < data.length; i++, bits >>= 8n) data[i] = Number(bits & 255n);
  return data;
}

/** Returns the container with these chunks. */
export function webpOf(...chunks: readonly Buffer[]): Buffer {
  return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]));
}

export function webpCanvas(width: number, height: number, flags = 0): Buffer {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}
