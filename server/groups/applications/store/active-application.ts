import type { AnyPrincipal } from '../../../contract/principal.ts';
import { sql, statement, type Transaction } from '../../../database/index.ts';
import { Problem } from '../../../http/problem.ts';
import type { ApplicationRecord } from '../application.ts';
import type { BlindIndex } from '../blind-index.ts';
import { ACTIVE } from '../status.ts';
import { application } from './application-row.ts';

type TaxId = ApplicationRecord['applicant']['taxId'];

/** Held to the end of the transaction: submissions of one person happen one after the other. */
const lockPerson = statement<{ person: string }>('application.lockPerson', (p) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${p.person}, 0))`);

const findActive = statement<
  { tenantId: string; environment: ApplicationRecord['environment']; taxIdMac: Buffer; statuses: readonly string[] }, { id: string; taxId: TaxId }
>('application.findActive', (p) => sql`
  SELECT id, applicant -> 'taxId' AS "taxId" FROM application
  WHERE ${application.equal({ tenantId: p.tenantId, environment: p.environment, taxIdMac: p.taxIdMac })} AND status = ANY (${p.statuses})`);

/**
 * A person has one active application at a time. The lock comes first, in a statement of its own, so that the look-up sees
 * what the submission before has committed. Which application it is would tell whose the number is.
 */
export async function assertOnlyActive(
  tx: Transaction, { tenantId, personalData }: Pick<AnyPrincipal, 'tenantId' | 'personalData'>, record: ApplicationRecord, index: BlindIndex,
): Promise<void> {
  const { environment, applicant: { taxId } } = record;
  if (taxId === null) return;
  const taxIdMac = index.mac(tenantId, 'tax_id', taxId.value);
  void tx.run(lockPerson, { person: `${tenantId}/${environment}/${taxIdMac.toString('hex')}` });
  const active = await tx.run(findActive, { tenantId, environment, taxIdMac, statuses: ACTIVE });
  // The index knows numbers only: equal ones of two countries are two people.
  const same = active.find((other) => other.id !== record.id && other.taxId?.type === taxId.type && other.taxId.country === taxId.country);
  if (same !== undefined) throw new Problem('duplicate_active_application', personalData === 'full' ? { existingId: same.id } : {});
}
