import { knex, sql, statement, type Transaction } from '../../database/index.ts';
import type { FieldError } from '../../http/problem.ts';

const find = statement<{ tenantId: string; id: string }, { found: boolean }>('settings.logo', (p) =>
  knex('document').select(sql`true AS found`).where({ tenant_id: p.tenantId, id: p.id, type: 'other' }).whereLike('mime_type', 'image/%').whereNot('status', 'erased'));

/** A logo is a picture of the tenant's own that is filed as nothing in particular: never somebody's identity card. */
export async function logoErrors(tx: Transaction, tenantId: string, documentId: string | null | undefined): Promise<FieldError[]> {
  if (documentId === null || documentId === undefined) return [];
  const [row] = await tx.run(find, { tenantId, id: documentId });
  return row !== undefined ? [] : [{ pointer: '/branding/logoDocumentId', code: 'unknown_document', message: 'must be a picture of this tenant, uploaded with the type other' }];
}
