/**
 * Unpacks zlib data with a limit, so that a small file cannot fill the memory (a "zip bomb"). Used by the inspection of
 * PNG and PDF.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflate, inflateSync } from 'node:zlib';

const CHUNK = 1024 * 1024;

interface Unpacked {
  readonly bytes: Buffer;
  /** Number of compressed bytes, without the bytes after the end of the compressed data. */
  readonly consumed: number;
}

/** Unpacks zlib data (RFC 1950) to at most `limit` bytes. */
export function inflated(data: Buffer, limit: number): Unpacked | 'excessive' | 'damaged' {
  try {
    const { buffer, engine } = inflateSync(data, { maxOutputLength: Math.max(1, limit), info: true }) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    return { bytes: buffer, consumed: engine.bytesWritten };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'excessive';
    if (code.startsWith('Z_')) return 'damaged';
    throw error;
  }
}

/** Measures the unpacked size of zlib data without keeping the unpacked data in memory. */
export async function inflatedSize(
  parts: Iterable<Buffer>,
  limit: number,
): Promise<(Omit<Unpacked, 'bytes'> & { readonly size: number }) | 'excessive' | 'damaged'> {
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
    // The pipeline also fails if bytes follow the end of the compressed data, which is not an error here.
  }
  if (size > limit) return 'excessive';
  return ended ? { size, consumed: inflate.bytesWritten } : 'damaged';
}
