import type { KeyObject } from 'node:crypto';
import type { Transaction } from '../../database/index.ts';
import { subjectNamedBy } from '../../rules/subject.ts';
import { type Document, listCaseDocuments } from '../documents/index.ts';
import { openingKey } from '../subject-keys/index.ts';
import { type CaseSubject, findSubject, readSubject, type SubjectFile } from './case-subject.ts';
import { caseDigest } from './evidence.ts';
import { type CaseNote, listNotes } from './note-store.ts';
import { type CaseResolution, listResolutions } from './resolution-store.ts';
import type { CaseRecord } from './store.ts';

/** What belongs to a case, and the digest of what a resolution made now would be based on. */
export interface CaseContents {
  readonly notes: CaseNote[];
  readonly documents: Document[];
  readonly resolutions: CaseResolution[];
  readonly evidenceDigest: string;
}

/** Contents of a case together with those of its subject, which its resolution needs. */
export interface CaseFile extends CaseContents {
  readonly ofSubject: SubjectFile;
}

/** Reads what belongs to a case and to its subject, as of when the statements run. */
export async function readCaseFile(tx: Transaction, record: CaseRecord, subject: CaseSubject): Promise<CaseFile> {
  const tenantId = tx.tenantId!;
  const { kind, id } = subjectNamedBy(record);
  const key: KeyObject | null = await openingKey(tx, { type: kind, id });
  const [notes, documents, resolutions, ofSubject] = await Promise.all([
    listNotes(tx, record.id, key),
    listCaseDocuments(tx, { tenantId, caseId: record.id }),
    listResolutions(tx, record.id, key),
    readSubject(tx, subject),
  ]);
  const evidenceDigest = caseDigest({
    record,
    notes,
    documents,
    subjectDigest: ofSubject.digest,
  });
  return {
    notes,
    documents,
    resolutions,
    evidenceDigest,
    ofSubject,
  };
}

/** Reads the contents of a case for its reader. */
export async function readCase(tx: Transaction, record: CaseRecord): Promise<CaseContents> {
  return readCaseFile(tx, record, await findSubject(tx, record));
}
