import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  actor,
  businessTimestamp,
  code,
  codes,
  type InsertOf,
  type RowOf,
  sql,
  statement,
  table,
  text,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import { openedRow } from '../subject-keys/index.ts';
import type { KeyObject } from 'node:crypto';

export const caseNote = table(
  'case_note',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    caseId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    text: text().sealed().erasedTo(''),
    documentIds: codes<components['schemas']['Id']>(),
    createdAt: businessTimestamp(),
    createdBy: actor(),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the subject of the case is erased'),
  },
  {
    owner: 'applicationOrBusiness',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { documentIds: [] },
  },
);

/** Highest number of notes of a case. */
export const MOST_NOTES = 200;

const wire = caseNote.select('id', 'text', 'documentIds', 'createdAt', 'createdBy');
export type CaseNote = RowOf<typeof wire>;

const insert = statement<InsertOf<typeof caseNote>>('caseNote.insert', (p) => caseNote.insert(p));

const list = statement<{ tenantId: string; caseId: string }, CaseNote>(
  'caseNote.list',
  (p) => sql`
  SELECT ${wire} FROM case_note WHERE ${caseNote.equal({ tenantId: p.tenantId, caseId: p.caseId })}
    ORDER BY id LIMIT ${MOST_NOTES}`,
);

/** Inserts a note whose text is sealed. */
export function insertNote(tx: Transaction, row: Omit<InsertOf<typeof caseNote>, 'tenantId'>): Promise<unknown> {
  return tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

/** Returns the notes of a case, the oldest first, with their texts opened. */
export async function listNotes(tx: Transaction, caseId: string, key: KeyObject | null): Promise<CaseNote[]> {
  const rows = await tx.run(list, { tenantId: tx.tenantId!, caseId });
  return rows.map((row) => openedRow(caseNote, row, key));
}
