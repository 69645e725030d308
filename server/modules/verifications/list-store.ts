/**
 * The statements that list verifications: by environment, application, type and status for the handlers, and the one
 * that ended last for processes. store.ts defines the table.
 */
import type { Environment } from '../../contract/operation.ts';
import { every, type Fragment, keyset, sql, type Transaction } from '../../database/index.ts';
import type { Position } from '../../request/pagination.ts';
import {
  isReadable,
  opened,
  verification,
  verificationColumns,
  type VerificationRecord,
  type VerificationRow,
} from './store.ts';

export interface Filter {
  readonly environment: Environment;
  readonly types: readonly string[];
  readonly statuses: readonly string[];
  readonly applicationId?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** Page of verifications by the time of their creation. */
interface PageOfVerifications {
  readonly direction: 'asc' | 'desc';
  readonly after: Position | null;
  readonly count: number;
}

/** Returns at most `count` rows after the position, without those whose application is erased. */
export async function listVerifications(
  tx: Transaction,
  filter: Filter,
  page: PageOfVerifications,
): Promise<VerificationRecord[]> {
  return (await tx.query<VerificationRow>(listQuery(tx.tenantId!, filter, page)))
    .filter(isReadable)
    .map((row) => opened(tx, row));
}

function listQuery(
  tenantId: string,
  { environment, types, statuses, applicationId, createdAfter, createdBefore }: Filter,
  { direction, after, count }: PageOfVerifications,
): Fragment {
  const page = keyset(
    {
      key: verification.column('createdAt'),
      type: sql`timestamptz`,
      id: sql`id`,
      direction,
    },
    after,
  );
  return sql`
    SELECT * FROM (SELECT ${verificationColumns} FROM verification WHERE ${every([
      verification.equal({ tenantId, environment }),
      types.length > 0 && sql`type = ANY (${types})`,
      statuses.length > 0 && sql`status = ANY (${statuses})`,
      applicationId !== undefined && verification.equal({ applicationId }),
      createdAfter !== undefined && sql`created_at >= ${createdAfter}`,
      createdBefore !== undefined && sql`created_at < ${createdBefore}`,
      page.after,
    ])} ORDER BY ${page.order}) AS listed WHERE wrapped IS NOT NULL LIMIT ${count}`;
}

/** Returns the verification of an application that ended last, or null. */
export async function latestFinal(
  tx: Transaction,
  applicationId: string,
): Promise<Pick<VerificationRow, 'id' | 'type' | 'status'> | null> {
  const [row] = await tx.query<Pick<VerificationRow, 'id' | 'type' | 'status'>>(sql`
    SELECT id, type, status FROM verification
      WHERE ${verification.equal({ tenantId: tx.tenantId!, applicationId })} AND finished_at IS NOT NULL
      ORDER BY finished_at DESC, id DESC LIMIT 1`);
  return row ?? null;
}
