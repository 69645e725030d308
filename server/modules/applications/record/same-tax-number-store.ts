/**
 * Other applications of a person, who is known by the tax number. Used by creating, changing and reading applications.
 * It must stay within one tenant and environment.
 */
import type { AnyPrincipal } from '../../../contract/operation.ts';
import { Problem } from '../../../contract/problem.ts';
import { lockUntilCommit } from '../../../database/advisory-lock.ts';
import { sql, statement, type Transaction } from '../../../database/index.ts';
import type { Lookups } from '../../../request/handler.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { ACTIVE, type Applicant, type ApplicationRecord } from './application.ts';
import { personOf, type StoredPerson, WRAPPED } from './person-store.ts';
import { application } from './store.ts';

type TaxId = ApplicationRecord['applicant']['taxId'];

const findActive = statement<
  {
    tenantId: string;
    environment: ApplicationRecord['environment'];
    taxIdMac: Buffer;
    statuses: readonly string[];
  },
  StoredPerson
>(
  'application.findActive',
  (p) => sql`
  SELECT id, applicant, ${WRAPPED} FROM application
  WHERE ${application.equal({ tenantId: p.tenantId, environment: p.environment, taxIdMac: p.taxIdMac })}
    AND status = ANY (${p.statuses})`,
);

/**
 * Compares type and country, because the index covers only the number and equal numbers of two countries are two
 * people.
 */
function isSameNumber(one: TaxId, other: TaxId): boolean {
  return one?.type === other?.type && one?.country === other?.country;
}

/**
 * Caller of a submission. A refusal reveals that an applicant with the tax number exists, so it counts as a look-up.
 */
export interface Submitter {
  readonly principal: Pick<AnyPrincipal, 'tenantId' | 'personalData'>;
  readonly lookups: Lookups;
}

/**
 * Rejects a second active application of a person. The lock is taken first, in a statement of its own, so that the
 * look-up sees what the previous submission has committed. The refusal names the other application only to callers who
 * see personal data, because the application would reveal whose number it is.
 */
export async function assertOnlyActive(
  tx: Transaction,
  { principal: { tenantId, personalData }, lookups }: Submitter,
  record: ApplicationRecord,
  index: BlindIndex,
): Promise<void> {
  const {
    environment,
    applicant: { taxId },
  } = record;
  if (taxId === null) return;
  lookups.assertLeft();
  const taxIdMac = index.mac(tenantId, 'tax_id', taxId.value);
  // Serialises the submissions of one person.
  void lockUntilCommit(tx, 'application of a person', `${tenantId}/${environment}/${taxIdMac.toString('hex')}`);
  const active = await tx.run(findActive, {
    tenantId,
    environment,
    taxIdMac,
    statuses: ACTIVE,
  });
  const same = active.find((other) => other.id !== record.id && isSameNumber(personOf(tx, other).taxId, taxId));
  if (same === undefined) return;
  lookups.count();
  throw new Problem('duplicate_active_application', personalData === 'full' ? { existingId: same.id } : {});
}

/** Highest number of other applications that are opened, the newest. Only invented persons in a sandbox have more. */
const MOST_OTHERS = 200;

const findOthers = statement<{ tenantId: string; id: string }, StoredPerson>(
  'application.findUnderSameNumber',
  (p) => sql`
  SELECT application.id, application.applicant, ${WRAPPED} FROM application own
  JOIN application ON application.tenant_id = own.tenant_id AND application.environment = own.environment
    AND application.tax_id_mac = own.tax_id_mac AND application.id <> own.id
  WHERE ${application.as('own').equal({ tenantId: p.tenantId, id: p.id })} AND application.submitted_at IS NOT NULL
  ORDER BY application.created_at DESC LIMIT ${MOST_OTHERS}`,
);

/**
 * Returns the applicants of other submitted applications with the same tax number. Erased applications have no number.
 */
export async function submittedUnderSameNumber(tx: Transaction, id: string): Promise<Applicant[]> {
  return (await tx.run(findOthers, { tenantId: tx.tenantId!, id })).map((other) => personOf(tx, other));
}
