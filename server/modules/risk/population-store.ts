import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { every, sql, statement, type Transaction } from '../../database/index.ts';
import type { SubjectType } from '../../risk/facts.ts';
import type { Subject } from '../../rules/subject.ts';
import { wrappedKey } from '../subject-keys/index.ts';

type Population = components['schemas']['RiskBacktestPopulation'];

/** Highest number of subjects of a backtest. */
export const MOST_SUBJECTS = 50_000;

/** Tables of the subjects, each with the condition that an assessment `r` is the current one of the subject `a`. */
const TABLES = {
  application: sql`application a JOIN risk_assessment r ON r.tenant_id = a.tenant_id AND r.application_id = a.id
    AND r.superseded_by_id IS NULL`,
  business: sql`business a JOIN risk_assessment r ON r.tenant_id = a.tenant_id AND r.business_id = a.id
    AND r.superseded_by_id IS NULL`,
} as const;

type Kind = Subject['kind'];

/** Returns the kind of the subjects that a model is of. */
export const kindOf = (subjectType: SubjectType): Kind => (subjectType === 'business' ? 'business' : 'application');

/**
 * Returns the applications or the businesses of a population that have an assessment, sampled by the seed: the same
 * seed selects the same subjects.
 */
export async function populationOf(
  tx: Transaction,
  { environment, kind }: { readonly environment: Environment; readonly kind: Kind },
  { from, to, statuses = [], productCodes = [], sample = MOST_SUBJECTS, seed = 0 }: Population,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    SELECT a.id FROM ${TABLES[kind]}
    WHERE ${every([
      sql`a.tenant_id = ${tx.tenantId!} AND a.environment = ${environment}`,
      from !== undefined && sql`a.created_at >= ${from}::date::timestamp AT TIME ZONE 'America/Sao_Paulo'`,
      to !== undefined &&
        sql`a.created_at < ${to}::date::timestamp AT TIME ZONE 'America/Sao_Paulo' + interval '1 day'`,
      statuses.length > 0 && sql`a.status = ANY (${statuses})`,
      productCodes.length > 0 && sql`a.product_codes && ${productCodes}::text[]`,
    ])} ORDER BY md5(${String(seed)}::text || a.id::text), a.id LIMIT ${sample}`);
  return rows.map(({ id }) => id);
}

/** Subject of a backtest, with its stored facts under the key that opens them. */
export interface Candidate {
  readonly id: string;
  readonly assessmentId: string;
  readonly snapshot: string;
  readonly isErased: boolean;
  readonly status: string;
  readonly createdAt: string;
  readonly wrapped: Buffer | null;
}

const candidatesOf = (kind: Kind) =>
  statement<{ tenantId: string; ids: readonly string[] }, Candidate>(
    `risk.candidates.${kind}`,
    (p) => sql`
  SELECT a.id, r.id AS "assessmentId", r.snapshot, a.status, a.created_at AS "createdAt",
      a.erased_at IS NOT NULL AS "isErased", ${wrappedKey(kind, sql`a.tenant_id`, sql`a.id`)} AS wrapped
    FROM ${TABLES[kind]} WHERE a.tenant_id = ${p.tenantId} AND a.id = ANY (${p.ids})`,
  );
const findCandidates = { application: candidatesOf('application'), business: candidatesOf('business') };

/** Lists subjects of one kind with their stored facts. */
export function candidates(tx: Transaction, kind: Kind, ids: readonly string[]): Promise<Candidate[]> {
  return tx.run(findCandidates[kind], { tenantId: tx.tenantId!, ids });
}

const findAny = statement<{ tenantId: string; environment: Environment; ofBusiness: boolean }>(
  'risk.anyAssessment',
  (p) => sql`
  SELECT FROM risk_assessment WHERE tenant_id = ${p.tenantId} AND environment = ${p.environment}
    AND (business_id IS NOT NULL) = ${p.ofBusiness}::boolean LIMIT 1`,
);

/** Returns whether the tenant has any assessment of a kind of subject in an environment. */
export async function hasAssessments(
  tx: Transaction,
  { environment, kind }: { readonly environment: Environment; readonly kind: Kind },
): Promise<boolean> {
  return (await tx.count(findAny, { tenantId: tx.tenantId!, environment, ofBusiness: kind === 'business' })) > 0;
}
