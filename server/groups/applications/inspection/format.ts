import type { Document } from '../application.ts';

export type Format = Document['mimeType'];

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A PDF header may follow other bytes; readers look this far (ISO 32000-1, annex H.3.4.1). */
const PDF_HEADER_WITHIN = 1024;

/** The format by its magic bytes, whatever the file is called; null for any other. */
export function formatOf(bytes: Buffer): Format | null {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp';
  return bytes.subarray(0, PDF_HEADER_WITHIN).includes('%PDF-') ? 'application/pdf' : null;
}
