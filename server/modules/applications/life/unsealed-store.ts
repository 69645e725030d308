/**
 * Encrypts (seals) the applicants that were stored before sealing was introduced, in batches. Used by the jobs of this
 * folder (jobs.ts).
 */
import type { RealTime } from '../../../base/time.ts';
import { type Database, type RowOf, sql, statement, type Transaction } from '../../../database/index.ts';
import { isSealedValue, sealingKey } from '../../subject-keys/index.ts';
import { sealedPerson } from '../record/person-store.ts';
import { application } from '../record/store.ts';

const BATCH_SIZE = 100;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';

const listIds = statement<{ tenantId: string; after: string }, { id: string }>(
  'application.listUnsealed',
  (p) => sql`
  SELECT id FROM application WHERE ${application.equal({ tenantId: p.tenantId, erasedAt: null })}
    AND NOT jsonb_exists(applicant, 'sealed') AND id > ${p.after}::uuid
  ORDER BY id LIMIT ${BATCH_SIZE}`,
);

const columns = application.select('environment', 'applicant');

const lockOne = statement<{ tenantId: string; id: string }, RowOf<typeof columns>>(
  'application.lockUnsealed',
  (p) => sql`
  SELECT ${columns} FROM application WHERE ${application.equal({ tenantId: p.tenantId, id: p.id, erasedAt: null })}
    FOR UPDATE`,
);

const seal = statement<{ tenantId: string; id: string; applicant: RowOf<typeof columns>['applicant'] }>(
  'application.seal',
  (p) => sql`
  UPDATE application SET ${application.assign({ applicant: p.applicant })}
    WHERE ${application.equal({ tenantId: p.tenantId, id: p.id })}`,
);

async function sealOne(tx: Transaction, id: string, now: RealTime): Promise<number> {
  const tenantId = tx.tenantId!;
  const [row] = await tx.run(lockOne, { tenantId, id });
  // The application was erased meanwhile, or it was changed, which seals it.
  if (row === undefined || isSealedValue(row.applicant)) return 0;
  const key = await sealingKey(tx, { type: 'application', id }, { environment: row.environment, now });
  void tx.run(seal, { tenantId, id, applicant: sealedPerson(key, id, row.applicant) });
  return 1;
}

/**
 * Seals the applicants of a tenant that were stored before sealing was introduced. Nothing else of their applications
 * changes. Returns how many it sealed.
 */
export async function sealApplicants(
  database: Database,
  { tenantId, now, signal }: { readonly tenantId: string; readonly now: RealTime; readonly signal: AbortSignal },
): Promise<number> {
  let sealed = 0;
  for (let after: string | null = LEAST_ID; after !== null && !signal.aborted; ) {
    const from: string = after;
    const rows = await database.transaction({ tenantId, readOnly: true }, (tx) =>
      tx.run(listIds, { tenantId, after: from }),
    );
    for (const { id } of rows) sealed += await database.transaction({ tenantId }, (tx) => sealOne(tx, id, now));
    after = rows.at(-1)?.id ?? null;
  }
  return sealed;
}
