/**
 * Creates a ZIP archive with a signed manifest while it is read. Used by evidence packs of applications. Fails in the
 * middle if a file differs from its expected hash; such an archive has no signature and does not verify.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { makeZip } from 'client-zip';
import { canonicalJson, type Json } from '../base/canonical-json.ts';
import type { CheckpointSigner } from './checkpoint.ts';

/** A file of an archive. `sha256` is the expected hash, if it is known in advance. */
export interface ArchivePart {
  readonly path: string;
  readonly open: () => Promise<AsyncIterable<Uint8Array | string>> | readonly string[];
  readonly sha256?: string;
}

/** Entry of a file in the manifest. */
type Entry = { readonly path: string; readonly size: number; readonly sha256: string };

/**
 * Creates a ZIP archive while it is read, one file after another, so that only the part in transit is in memory. Two
 * files end it: `manifest.json` lists all others with size and SHA-256, and `signature.json` signs those bytes. If the
 * reader stops, the open file is closed. The archive is not compressed, because documents already are, so every byte of
 * the archive belongs to a file or is derived from names, sizes and the day: `scripts/verify-audit.mjs` recomputes all
 * of those.
 */
export function signedArchive(
  signer: CheckpointSigner,
  head: { readonly createdAt: string } & Readonly<Record<string, Json>>,
  parts: readonly ArchivePart[],
): Readable {
  return Readable.from(makeZip(files(signer, head, parts)), { objectMode: false });
}

async function* files(
  signer: CheckpointSigner,
  head: { readonly createdAt: string } & Readonly<Record<string, Json>>,
  parts: readonly ArchivePart[],
) {
  const lastModified = dayOf(head.createdAt);
  const entries: Entry[] = [];
  for (const part of parts) {
    const source = await part.open();
    try {
      yield { name: part.path, input: counted(source, part, entries), lastModified };
    } finally {
      if (source instanceof Readable) source.destroy();
    }
  }
  const manifest = canonicalJson({ ...head, entries });
  yield { name: 'manifest.json', input: manifest, lastModified };
  const signature = { publicKey: { ...signer.publicKey }, signature: signer.sign(manifest).toString('base64') };
  yield { name: 'signature.json', input: canonicalJson(signature), lastModified };
}

/** Passes on the bytes of a file, and lists the file once all of them have passed. */
async function* counted(
  source: AsyncIterable<Uint8Array | string> | readonly string[],
  { path, sha256 }: ArchivePart,
  entries: Entry[],
): AsyncGenerator<Uint8Array | string> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of source) {
    hash.update(piece);
    size += Buffer.byteLength(piece);
    yield piece;
  }
  const found = hash.digest('hex');
  if (sha256 !== undefined && found !== sha256) throw new Error(`${path} is not the file that was uploaded`);
  entries.push({ path, size, sha256: found });
}

/**
 * Returns noon of the day in local time, because ZIP has local times. Noon exists in every time zone on every day, so
 * the bytes do not depend on where the service runs.
 */
function dayOf(instant: string): Date {
  const at = new Date(instant);
  return new Date(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), 12);
}
