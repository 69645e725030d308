import { sql, statement, type Transaction } from '../../database/index.ts';
import { document } from './store.ts';

/** What others need to know of a document of a business: which file it is. */
export interface BusinessDocument {
  readonly id: string;
  /** Digest of the file as it was uploaded. */
  readonly sha256: string;
}

const find = statement<{ tenantId: string; businessId: string; ids: readonly string[] }, BusinessDocument>(
  'document.ofBusiness',
  (p) => sql`
  SELECT ${document.select('id')}, coalesce(original_sha256, sha256) AS sha256 FROM document
    WHERE ${document.equal({ tenantId: p.tenantId, businessId: p.businessId, caseId: null })}
      AND id = ANY (${p.ids}) AND status <> 'erased'`,
);

/** Finds those of some documents that belong to a business. */
export async function businessDocuments(
  tx: Transaction,
  businessId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, BusinessDocument>> {
  if (ids.length === 0) return new Map();
  const found = await tx.run(find, { tenantId: tx.tenantId!, businessId, ids });
  return new Map(found.map((one) => [one.id, one]));
}
