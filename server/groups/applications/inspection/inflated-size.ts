import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';

const CHUNK = 1024 * 1024;

export interface Inflated {
  readonly size: number;
  /** Bytes that were compressed: what follows the end of the data is not among them. */
  readonly consumed: number;
  /** Nobody should unpack this: it is larger than was allowed. */
  readonly excessive: boolean;
}

/** How large zlib data (RFC 1950) is when it is unpacked, without keeping it; null when it cannot be unpacked. */
export async function inflatedSize(parts: Iterable<Buffer>, limit: number): Promise<Inflated | null> {
  const inflate = createInflate({ chunkSize: CHUNK });
  let size = 0;
  let ended = false;
  try {
    await pipeline(Readable.from(parts), inflate, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > limit) return;
      }
      ended = true;
    });
  } catch {
    // The source may have more to give than the data takes.
    if (!ended && size <= limit) return null;
  }
  return { size, consumed: inflate.bytesWritten, excessive: size > limit };
}
