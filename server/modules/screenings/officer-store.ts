/**
 * Finds the compliance officers of a tenant, or its owners if there are none, as recipients of mails. Used by
 * notify-of-freeze.ts and, through the index, by monitoring. Returns nobody only if the tenant has no active member in
 * these roles.
 */
import { type RowOf, sql, statement, type Transaction } from '../../database/index.ts';
import { membership, userAccount } from '../../identity/tables.ts';

const contact = userAccount.as('u').select('email', 'name');
export type Officer = RowOf<typeof contact>;

/** Finds the compliance officers of a tenant, or its owners if there is no officer. */
const find = statement<{ tenantId: string }, Officer & { isOfficer: boolean }>(
  'screening.officers',
  (p) => sql`
  SELECT ${contact}, m.role = 'compliance_officer' AS "isOfficer" FROM membership m
    JOIN user_account u ON u.id = m.user_id
  WHERE ${membership.as('m').equal({ tenantId: p.tenantId, status: 'active' })}
    AND m.role IN ('compliance_officer', 'owner') ORDER BY u.id`,
);

export async function complianceOfficers(tx: Transaction): Promise<Officer[]> {
  const people = await tx.run(find, { tenantId: tx.tenantId! });
  const officers = people.filter(({ isOfficer }) => isOfficer);
  return officers.length > 0 ? officers : people;
}
