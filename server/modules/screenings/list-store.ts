/**
 * Statements that list screenings, page by page, and that visit the newest screening of each subject. Used by the
 * handlers, the allow-list and the preview. Screenings of erased applications are left out, because their subject
 * cannot be read.
 */
import type { components } from '../../contract/generated/types.ts';
import type { Environment } from '../../contract/operation.ts';
import { every, type Fragment, keyset, sql, statement, type Transaction } from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import { isReadable, opened, screening, screeningColumns, type ScreeningRecord, type ScreeningRow } from './store.ts';

export interface Filter {
  readonly environment: Environment;
  readonly results: readonly components['schemas']['ScreeningResult'][];
  readonly categories: readonly string[];
  readonly applicationId?: string | undefined;
  readonly listId?: string | undefined;
  readonly hasStaleLists?: boolean | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** Page of screenings or of entries of the allow-list, by the time of their creation. */
export interface PageOfScreenings {
  readonly direction: 'asc' | 'desc';
  readonly after: Position | null;
  readonly count: number;
}

/** Returns at most `count` rows after the position, without those whose application is erased. */
export async function listScreenings(
  tx: Transaction,
  filter: Filter,
  page: PageOfScreenings,
): Promise<ScreeningRecord[]> {
  return (await tx.query<ScreeningRow>(listQuery(tx.tenantId!, filter, page)))
    .filter(isReadable)
    .map((row) => opened(tx, row));
}

function listQuery(
  tenantId: string,
  { environment, results, categories, applicationId, listId, hasStaleLists, createdAfter, createdBefore }: Filter,
  { direction, after, count }: PageOfScreenings,
): Fragment {
  const page = keyset(
    {
      key: screening.column('createdAt'),
      type: sql`timestamptz`,
      id: sql`id`,
      direction,
    },
    after,
  );
  const hasHit = (condition: Fragment): Fragment =>
    sql`EXISTS (SELECT FROM screening_hit h WHERE h.tenant_id = screening.tenant_id AND h.screening_id = screening.id
      AND ${condition})`;
  return sql`
    SELECT * FROM (SELECT ${screeningColumns} FROM screening WHERE ${every([
      screening.equal({ tenantId, environment }),
      results.length > 0 && sql`result = ANY (${results})`,
      applicationId !== undefined && screening.equal({ applicationId }),
      listId !== undefined && hasHit(sql`h.list_id = ${listId}`),
      categories.length > 0 && hasHit(sql`h.category = ANY (${categories})`),
      hasStaleLists !== undefined && sql`(cardinality(stale_lists) > 0) = ${hasStaleLists}`,
      createdAfter !== undefined && sql`created_at >= ${createdAfter}`,
      createdBefore !== undefined && sql`created_at < ${createdBefore}`,
      page.after,
    ])} ORDER BY ${page.order}) AS listed WHERE wrapped IS NOT NULL LIMIT ${count}`;
}

const newest = statement<{ tenantId: string; after: string; limit: number }, ScreeningRow>(
  'screening.newestOfEach',
  (p) => sql`
  SELECT DISTINCT ON (subject_id) ${screeningColumns} FROM screening
  WHERE ${screening.equal({ tenantId: p.tenantId, environment: 'live' })} AND subject_id > ${p.after}::uuid
    ORDER BY subject_id, sequence DESC LIMIT ${p.limit}::integer`,
);

/**
 * Returns the newest live screening of each subject, in the order of the subjects. For an erased subject the record is
 * null.
 */
export async function newestOfEach(
  tx: Transaction,
  after: string,
  limit: number,
): Promise<{ readonly subjectId: string; readonly record: ScreeningRecord | null }[]> {
  const rows = await tx.run(newest, { tenantId: tx.tenantId!, after, limit });
  return rows.map((row) => ({ subjectId: row.subjectId, record: isReadable(row) ? opened(tx, row) : null }));
}
