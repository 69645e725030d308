import { uuidv7 } from '../../base/uuid.ts';
import type { Environment } from '../../contract/operation.ts';
import {
  code,
  codes,
  every,
  type InsertOf,
  integer,
  type RowOf,
  sql,
  statement,
  table,
  type Transaction,
  uuid,
} from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import type { RiskLevel } from '../../risk/model.ts';
import type { Subject } from '../../rules/subject.ts';
import { bySubject, subjectMembers } from '../../rules/subject-rows.ts';

/** Subjects of comparisons: those whose level moved in a backtest, and all that a shadow run has scored. */
export const compared = table(
  'risk_compared',
  {
    tenantId: uuid(),
    id: uuid(),
    environment: code<Environment>(),
    comparisonId: uuid(),
    applicationId: uuid().nullable(),
    businessId: uuid().nullable(),
    fromLevel: code<RiskLevel>().changes('a shadow run scores the subject again'),
    toLevel: code<RiskLevel>().changes('a shadow run scores the subject again'),
    // In units of 0.0001.
    scoreBefore: integer().changes('a shadow run scores the subject again'),
    scoreAfter: integer().changes('a shadow run scores the subject again'),
    topFactors: codes().changes('a shadow run scores the subject again'),
  },
  {
    owner: 'applicationOrBusiness',
    sandboxReset: 'cascade',
    insertedBy: 'app',
    example: { fromLevel: 'low', toLevel: 'high' },
  },
);

const columns = compared.except('tenantId', 'environment', 'comparisonId');
export type Compared = RowOf<typeof columns>;

const insert = bySubject((member, kind) =>
  statement<InsertOf<typeof compared>>(
    `risk.compared.${kind}`,
    (p) => sql`
  ${compared.insert(p)} ON CONFLICT (${compared.list('tenantId', 'comparisonId', member)})
    DO UPDATE SET ${compared.assignExcluded('fromLevel', 'toLevel', 'scoreBefore', 'scoreAfter', 'topFactors')}`,
  ),
);

/** The application or the business of each row, with what a comparison counts of it. */
const subjects = sql`(SELECT c.tenant_id, c.comparison_id, c.from_level, c.to_level, a.status, a.created_at, a.erased_at
    FROM risk_compared c JOIN application a ON a.tenant_id = c.tenant_id AND a.id = c.application_id UNION ALL
  SELECT c.tenant_id, c.comparison_id, c.from_level, c.to_level, b.status, b.created_at, b.erased_at
    FROM risk_compared c JOIN business b ON b.tenant_id = c.tenant_id AND b.id = c.business_id)`;

const aggregate = statement<
  { tenantId: string; comparisonId: string },
  {
    from: RiskLevel;
    to: RiskLevel;
    status: string;
    count: number;
  }
>(
  'risk.aggregateShadow',
  (p) => sql`
  SELECT from_level AS "from", to_level AS "to", status, count(*)::integer AS count FROM ${subjects} c
    WHERE ${compared.as('c').equal({ tenantId: p.tenantId, comparisonId: p.comparisonId })} AND erased_at IS NULL
    GROUP BY 1, 2, 3`,
);

const span = statement<{ tenantId: string; comparisonId: string }, { days: number }>(
  'risk.spanOfShadow',
  (p) => sql`
  SELECT greatest(1, ceil(extract(epoch FROM max(created_at) - min(created_at)) / 86400))::integer AS days
    FROM ${subjects} c
    WHERE ${compared.as('c').equal({ tenantId: p.tenantId, comparisonId: p.comparisonId })}`,
);

const remove = statement<{ tenantId: string; comparisonId: string }>(
  'risk.removeCompared',
  (p) => sql`
  DELETE FROM risk_compared WHERE ${compared.equal({ tenantId: p.tenantId, comparisonId: p.comparisonId })}`,
);

type New = Omit<InsertOf<typeof compared>, 'tenantId' | 'id' | 'applicationId' | 'businessId'>;

export function insertCompared(tx: Transaction, subject: Subject, row: New): void {
  void tx.run(insert(subject), {
    ...row,
    ...subjectMembers(subject),
    id: uuidv7(),
    tenantId: tx.tenantId!,
  });
}

/** Removes what an interrupted backtest has stored, before it begins again. */
export function removeCompared(tx: Transaction, comparisonId: string): void {
  void tx.run(remove, { tenantId: tx.tenantId!, comparisonId });
}

/** Counts the subjects of a shadow run by both levels and by the status of the application or the business. */
export async function countCompared(
  tx: Transaction,
  comparisonId: string,
): Promise<{
  readonly counts: readonly {
    from: RiskLevel;
    to: RiskLevel;
    status: string;
    count: number;
  }[];
  readonly days: number;
}> {
  const key = { tenantId: tx.tenantId!, comparisonId };
  const [counts, [spanned]] = await Promise.all([tx.run(aggregate, key), tx.run(span, key)]);
  return { counts, days: spanned?.days ?? 1 };
}

interface MoverPage {
  readonly from?: RiskLevel | undefined;
  readonly to?: RiskLevel | undefined;
  readonly after: Position | null;
  readonly count: number;
}

/** Lists the subjects of a comparison whose level differs, in the order of their ids. */
export function listMovers(
  tx: Transaction,
  comparisonId: string,
  { from, to, after, count }: MoverPage,
): Promise<Compared[]> {
  return tx.query<Compared>(sql`
    SELECT ${columns} FROM risk_compared WHERE ${every([
      compared.equal({ tenantId: tx.tenantId!, comparisonId }),
      sql`from_level <> to_level`,
      from !== undefined && compared.equal({ fromLevel: from }),
      to !== undefined && compared.equal({ toLevel: to }),
      after !== null && sql`id > ${after[0]!}::uuid`,
    ])} ORDER BY id LIMIT ${count}`);
}
