/**
 * Finds a document that a request names, within tenant, environment and visibility. Exported by the index and used by
 * handlers of documents. Answers 404 for what the caller must not see and 410 after an erasure. Whoever changes a
 * document locks its subject instead.
 */
import { type Access, lookupOf } from '../../request/lookup.ts';
import type { Subject } from '../../rules/subject.ts';
import { findCaseDocument } from './case-document-store.ts';
import { findDocument } from './store.ts';

/** Lookups of documents. A change of a document locks its subject, so a document has no lock of its own. */
export const documentLookups = (access: Access) => ({
  /** Document whose file still exists. */
  storedDocument: (subject: Subject, id: string) =>
    lookupOf(access, {
      find: () => findDocument(access.tx, subject, id),
      unerased: (stored) =>
        stored.document.status === 'erased' || stored.document.fileErasedAt !== null ? 'erased' : stored,
    }),

  /** Document of a case whose file still exists. */
  storedCaseDocument: (caseId: string, id: string) =>
    lookupOf(access, {
      find: () => findCaseDocument(access.tx, { tenantId: access.tx.tenantId!, caseId, id }),
      unerased: (stored) =>
        stored.document.status === 'erased' || stored.document.fileErasedAt !== null ? 'erased' : stored,
    }),
});
