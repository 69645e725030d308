import { uuidv7, type Uuid } from '../../base/uuid.ts';
import type { BusinessTime } from '../../base/time.ts';
import { actorOf, type AnyPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Context } from '../../request/handler.ts';
import { namedSubject, subjectNamedBy } from '../../rules/subject.ts';
import { subjectMembers } from '../../rules/subject-rows.ts';
import { listCaseDocuments } from '../documents/index.ts';
import { sealedRow, sealingKey } from '../subject-keys/index.ts';
import { isOpen } from './assign.ts';
import { aboutCase, type CaseAudit } from './audit-cases.ts';
import { lookup } from './lookup.ts';
import { type CaseNote, caseNote, insertNote, MOST_NOTES } from './note-store.ts';
import { type CaseRecord, saveCase } from './store.ts';

interface Writing {
  readonly text: string;
  readonly documentIds: readonly Uuid[];
  readonly by: AnyPrincipal;
  readonly at: BusinessTime;
}

/** Adds a sealed note to a locked case. Returns the note, and the case after it. */
export async function addNote(
  tx: Transaction,
  record: CaseRecord,
  { text, documentIds, by, at }: Writing,
): Promise<{ readonly note: CaseNote; readonly record: CaseRecord }> {
  if (record.noteCount >= MOST_NOTES) throw new Problem('case_note_limit');
  const { id: caseId, environment } = record;
  const subject = subjectNamedBy(record);
  const note: CaseNote = {
    id: uuidv7(),
    text,
    documentIds: [...documentIds],
    createdAt: at.toISOString(),
    createdBy: actorOf(by),
  };
  const key = await sealingKey(tx, { type: subject.kind, id: subject.id }, { environment, now: at });
  await insertNote(tx, {
    ...sealedRow(caseNote, note, key),
    environment,
    caseId,
    ...subjectMembers(subject),
  });
  return { note, record: await saveCase(tx, record, { noteCount: record.noteCount + 1 }, at) };
}

/** Audits a note, without its text, because the log cannot forget personal data. */
export function auditNote(audit: CaseAudit<'case.note_added'>, record: CaseRecord, { id }: CaseNote): void {
  audit('case.note_added', aboutCase(record), { ...namedSubject(record), noteId: id });
}

/** Writes the note of a request. */
export async function writeNote(ctx: Context<'createCaseNote'>): Promise<CaseNote> {
  const {
    tx,
    params: { caseId },
    body: { text, documentIds = [] },
    principal,
    timeIn,
  } = ctx;
  const found = await lookup(ctx).reviewCase(caseId).forChange();
  if (!isOpen(found)) throw new Problem('case_closed');
  const ids = documentIds.map((id) => id.toLowerCase() as Uuid);
  const documents = ids.length === 0 ? [] : await listCaseDocuments(tx, { tenantId: tx.tenantId!, caseId: found.id });
  if (ids.some((id) => documents.every((document) => document.id !== id)))
    throw new Problem('validation_failed', {
      errors: [{ pointer: '/documentIds', code: 'not_found', message: 'must name documents of the case' }],
    });
  const { note, record } = await addNote(tx, found, {
    text,
    documentIds: ids,
    by: principal,
    at: timeIn(found.environment),
  });
  auditNote(ctx.audit, record, note);
  return note;
}
