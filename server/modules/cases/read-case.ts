import type { KeyObject } from 'node:crypto';
import type { Transaction } from '../../database/index.ts';
import { evidenceDigest as digestOf } from '../../rules/evidence.ts';
import {
  type ApplicationRecord,
  type Contents,
  findApplication,
  manifestOf,
  readContents,
} from '../applications/index.ts';
import { type Document, listCaseDocuments } from '../documents/index.ts';
import { openingKey } from '../subject-keys/index.ts';
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

/** Contents of a case together with those of its application, which its resolution needs. */
export interface CaseFile extends CaseContents {
  readonly subjectDigest: string;
  readonly ofApplication: Contents;
}

/** Reads what belongs to a case and to its application, as of when the statements run. */
export async function readCaseFile(
  tx: Transaction,
  record: CaseRecord,
  application: ApplicationRecord,
): Promise<CaseFile> {
  const tenantId = tx.tenantId!;
  const key: KeyObject | null = await openingKey(tx, { type: 'application', id: record.applicationId });
  const [notes, documents, resolutions, ofApplication] = await Promise.all([
    listNotes(tx, record.id, key),
    listCaseDocuments(tx, { tenantId, caseId: record.id }),
    listResolutions(tx, record.id, key),
    readContents(tx, { tenantId, applicationId: record.applicationId }),
  ]);
  const subjectDigest = digestOf(manifestOf(application, ofApplication));
  const evidenceDigest = caseDigest({
    record,
    notes,
    documents,
    subjectDigest,
  });
  return {
    notes,
    documents,
    resolutions,
    evidenceDigest,
    subjectDigest,
    ofApplication,
  };
}

/** Reads the contents of a case for its reader. */
export async function readCase(tx: Transaction, record: CaseRecord): Promise<CaseContents> {
  const application = await findApplication(tx, { tenantId: tx.tenantId!, id: record.applicationId });
  if (application === null) throw new Error(`The application of the case ${record.id} is gone`);
  return readCaseFile(tx, record, application);
}
