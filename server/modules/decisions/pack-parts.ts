/**
 * Parts of an evidence pack that subjects of all kinds have: records as JSON, the evidence behind decisions, and the
 * files of documents. Used, through the index, by the evidence packs of applications and businesses. Files are opened
 * while the archive is sent.
 */
import type { KeyObject } from 'node:crypto';
import { extname } from 'node:path';
import type { ArchivePart } from '../../audit/signed-archive.ts';
import type { FileStorage } from '../../providers/files/index.ts';
import type { EvidenceManifest } from '../../rules/evidence.ts';
import { type Document, type listStoredFiles, openFile } from '../documents/index.ts';

export function jsonPart(path: string, value: object): ArchivePart {
  return { path, open: () => [`${JSON.stringify(value, null, 2)}\n`] };
}

/** Returns the current evidence, and that of each decision. */
export function evidenceParts(
  current: EvidenceManifest,
  decided: readonly { readonly id: string; readonly manifest: EvidenceManifest }[],
): ArchivePart[] {
  return [
    jsonPart('evidence/current.json', current),
    ...decided.map(({ id, manifest }) => jsonPart(`evidence/${id}.json`, manifest)),
  ];
}

/** Returns the files of documents, except those that were erased because their retention has ended. */
export function documentParts(
  documents: readonly Document[],
  stored: Awaited<ReturnType<typeof listStoredFiles>>,
  { files, key, signal }: { readonly files: FileStorage; readonly key: KeyObject | null; readonly signal: AbortSignal },
): ArchivePart[] {
  return documents
    .filter(({ fileErasedAt }) => fileErasedAt === null)
    .map(({ id, fileName, sha256 }) => ({
      path: `documents/${id}${extname(fileName)}`,
      sha256,
      open: () => openFile(files, stored.get(id)!, key, signal),
    }));
}
