/**
 * Documents: files that are evidence, their formats, and their storage.
 *
 * A file is accepted only after inspection: `inspection/` parses PDF, JPEG, PNG and WebP in a separate process without
 * access to the service, because parsers of hostile input must be able to crash. `store.ts` stores the rows; the bytes
 * are in the file storage under a random key. Documents know only which subject they belong to. This module may use
 * request, providers/files, database, contract and subject-keys, and no other module.
 *
 * An upload: before its transaction starts, `Inspector.inspect` returns the media type and the number of pages, or a
 * problem; the module of the subject then calls `keepDocument`, which stores the bytes and the row. A download sends
 * `contentDisposition` (RFC 6266), so that no name from a stranger becomes a header or a path. `sweepFiles` deletes
 * files whose row was never committed.
 */
import type { Module } from '../../tasks/module.ts';
import { jobs } from './jobs.ts';

export { contentDisposition, safeFileName } from './file-name.ts';
export { Inspector, type Verdict } from './inspection/inspector.ts';
export { keepDocument, sameFile, uploadedChanges } from './keep-document.ts';
export { openFile } from './stored-file.ts';
export { documentLookups } from './lookup.ts';
export { type BusinessDocument, businessDocuments } from './business-document-store.ts';
export { findCaseDocument, listCaseDocuments } from './case-document-store.ts';
export { expireEvidence, findExpiring, findTarget } from './expiry-store.ts';
export { erasedFileOf, listStoredFiles } from './file-store.ts';
export {
  deleteDocument,
  type Document,
  document,
  findDocument,
  listDocuments,
  rejectDocuments,
} from './store.ts';

export const documentsModule = { name: 'documents', jobs } satisfies Module<never>;
