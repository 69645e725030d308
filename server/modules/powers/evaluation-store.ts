import type { BusinessTime } from '../../base/time.ts';
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  businessTimestamp,
  code,
  type InsertOf,
  newestFirst,
  type RowOf,
  sql,
  statement,
  subjectTable,
  text,
  type Transaction,
} from '../../database/index.ts';

type Schemas = components['schemas'];

/** Receipts of evaluations. */
export const signingEvaluation = subjectTable(
  'business',
  'signing_evaluation',
  {
    environment: code<Environment>(),
    actType: code(),
    result: code<Schemas['SigningResult']>(),
    coverage: code<Schemas['SigningCoverage']>(),
    // Canonical JSON, sealed: everything that the answer is based on, and the answer.
    input: text().sealed().erasedTo(''),
    answer: text().sealed().erasedTo(''),
    digest: code(),
    expiresAt: businessTimestamp(),
    erasedAt: businessTimestamp().nullable().defaulted().changes('the business is erased'),
  },
  {
    timeline: { 'signing.evaluated': null },
    example: { result: 'indeterminate', coverage: 'none' },
  },
);

const columns = signingEvaluation.except('tenantId');
export type EvaluationRow = RowOf<typeof columns>;
const summary = signingEvaluation.except('tenantId', 'input', 'answer', 'erasedAt');
export type EvaluationSummary = RowOf<typeof summary>;

const insert = statement<InsertOf<typeof signingEvaluation>>('signing.insert', (p) => signingEvaluation.insert(p));

const find = statement<{ tenantId: string; businessId: string; id: string }, EvaluationRow>(
  'signing.find',
  (p) => sql`
  SELECT ${columns} FROM signing_evaluation
    WHERE ${signingEvaluation.equal({ tenantId: p.tenantId, businessId: p.businessId, id: p.id })}`,
);

/** Inserts a receipt whose texts are sealed. */
export function insertEvaluation(tx: Transaction, row: Omit<InsertOf<typeof signingEvaluation>, 'tenantId'>): void {
  void tx.run(insert, { ...row, tenantId: tx.tenantId! });
}

export async function findEvaluation(tx: Transaction, businessId: string, id: string): Promise<EvaluationRow | null> {
  return (await tx.run(find, { tenantId: tx.tenantId!, businessId, id }))[0] ?? null;
}

const listAfter = statement<
  {
    tenantId: string;
    businessId: string;
    after: string;
    count: number;
  },
  EvaluationRow
>(
  'signing.after',
  (p) => sql`
  SELECT ${columns} FROM signing_evaluation
    WHERE ${signingEvaluation.equal({ tenantId: p.tenantId, businessId: p.businessId })} AND id > ${p.after}
    ORDER BY id LIMIT ${p.count}`,
);

const emptyOfBranches = statement<{ tenantId: string; headOfficeId: string; now: BusinessTime }>(
  'signing.emptyOfBranches',
  (p) => sql`
  UPDATE signing_evaluation SET ${signingEvaluation.assign({ input: '', answer: '', erasedAt: p.now })}
    WHERE tenant_id = ${p.tenantId} AND erased_at IS NULL AND business_id IN (
      SELECT b.id FROM business h JOIN business b ON b.tenant_id = h.tenant_id AND b.environment = h.environment
        AND b.registration_number BETWEEN left(h.registration_number, 8) || '000000'
          AND left(h.registration_number, 8) || 'ZZZZ99'
        AND left(b.registration_number, 8) = left(h.registration_number, 8) AND b.registration->>'type' = 'cnpj'
        AND b.erased_at IS NULL
      WHERE h.tenant_id = ${p.tenantId} AND h.id = ${p.headOfficeId} AND h.registration->>'type' = 'cnpj'
        AND substr(h.registration_number, 9, 4) = '0001' AND b.id <> h.id)`,
);

/** Empties the receipts of the branches of a head office, as its erasure empties its own. */
export function emptyReceiptsOfBranches(tx: Transaction, headOfficeId: string, now: BusinessTime): void {
  void tx.run(emptyOfBranches, { tenantId: tx.tenantId!, headOfficeId, now });
}

/** Lists receipts with their content, the first first. Their ids are in the order of time. */
export function receiptsAfter(
  tx: Transaction,
  businessId: string,
  { after, count }: { readonly after: string; readonly count: number },
): Promise<EvaluationRow[]> {
  return tx.run(listAfter, {
    tenantId: tx.tenantId!,
    businessId,
    after,
    count,
  });
}

/** Lists the receipts of a business. */
export const evaluationsOf = newestFirst(signingEvaluation, summary, { of: 'businessId', by: 'createdAt' });
