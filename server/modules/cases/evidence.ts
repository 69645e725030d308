import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import { namedSubject } from '../../rules/subject.ts';
import type { Document } from '../documents/index.ts';
import type { CaseNote } from './note-store.ts';
import type { CaseRecord } from './store.ts';

const FORMAT = 'case-evidence/1';

interface CaseEvidence {
  readonly record: CaseRecord;
  readonly notes: readonly Pick<CaseNote, 'id'>[];
  readonly documents: readonly Pick<Document, 'id' | 'sha256'>[];
  /** Digest of the evidence about the subject. */
  readonly subjectDigest: string;
}

/**
 * Returns the digest of what a resolution is based on. Notes never change, so their ids are enough. Who works on the
 * case, its queue, its status and its resolutions are left out, because they are no evidence.
 */
export function caseDigest({ record, notes, documents, subjectDigest }: CaseEvidence): string {
  const { id, environment, links, checklist } = record;
  const manifest = {
    format: FORMAT,
    environment,
    caseId: id,
    ...namedSubject(record),
    subjectDigest,
    links: links.map((link) => `${link.kind} ${link.id}`).sort(),
    checklist: checklist.filter(({ doneAt }) => doneAt !== null).map(({ key }) => key),
    notes: notes.map((note) => note.id),
    documents: documents.map((document) => `${document.id} ${document.sha256}`),
  };
  return `sha256:${createHash('sha256')
    .update(canonicalJson(manifest as Json))
    .digest('hex')}`;
}
