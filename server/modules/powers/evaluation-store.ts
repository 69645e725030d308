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
