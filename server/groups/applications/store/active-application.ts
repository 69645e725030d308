import type { AnyPrincipal } from '../../../contract/principal.ts';
import { knex, sql, statement, type Transaction } from '../../../database/index.ts';
import { Problem } from '../../../http/problem.ts';
import type { ApplicationRecord } from '../application.ts';
import type { BlindIndex } from '../blind-index.ts';
import { ACTIVE } from '../status.ts';

type TaxId = ApplicationRecord['applicant']['taxId'];

/** Held to the end of the transaction: submissions of one person happen one after the other. */
const lockPerson = statement<{ person: string }>('application.lockPerson', (p) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${p.person}, 0))`);

const findActive = statement<{ tenantId: string; environment: string; taxIdMac: Buffer; statuses: readonly string[] }, { id: string; tax_id: TaxId }>(
  'application.findActive', (p) =>
    knex('application').select('id', sql`applicant -> 'taxId' AS tax_id`)
      .where({ tenant_id: p.tenantId, environment: p.environment, tax_id_mac: p.taxIdMac })
      .where(sql`status = ANY(${p.statuses})`));

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
  const same = active.find(({ id, tax_id }) => id !== record.id && tax_id?.type === taxId.type && tax_id.country === taxId.country);
  if (same !== undefined) throw new Problem('duplicate_active_application', personalData === 'full' ? { existingId: same.id } : {});
}
