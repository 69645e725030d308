import { sql, statement, type Transaction } from '../../database/index.ts';
import { type Document, document, type Row, storedDocument, type StoredDocument, toDocument, wire } from './store.ts';

const listOfCase = statement<{ tenantId: string; caseId: string }, Row>(
  'document.listOfCase',
  (p) => sql`
  SELECT ${wire} FROM document WHERE ${document.equal({ tenantId: p.tenantId, caseId: p.caseId })}
    ORDER BY id`,
);

const findOfCase = statement<
  { tenantId: string; caseId: string; id: string },
  Row & Pick<StoredDocument, 'environment' | 'storageKey' | 'sealedAt'>
>(
  'document.findOfCase',
  (p) => sql`
  SELECT ${wire}, ${document.select('environment', 'storageKey', 'sealedAt')} FROM document
  WHERE ${document.equal({ tenantId: p.tenantId, caseId: p.caseId, id: p.id })}`,
);

/** Lists the documents of a case, the oldest first. */
export async function listCaseDocuments(
  tx: Transaction,
  key: { tenantId: string; caseId: string },
): Promise<Document[]> {
  return (await tx.run(listOfCase, key)).map(toDocument);
}

export async function findCaseDocument(
  tx: Transaction,
  key: { tenantId: string; caseId: string; id: string },
): Promise<StoredDocument | null> {
  return storedDocument((await tx.run(findOfCase, key))[0]);
}
