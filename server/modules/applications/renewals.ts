import { isDeepStrictEqual } from 'node:util';
import type { components } from '../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../contract/operation.ts';
import { Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import type { Applicant, ApplicationRecord } from './application.ts';
import { endRenewed, endRenewedRelationships, findApplication } from './store.ts';

type Wanted = Pick<components['schemas']['ApplicationCreate'], 'renewsApplicationId'>;
type Opening = { readonly principal: Pick<AnyPrincipal, 'tenantId' | 'personalData'> } & Pick<ApplicationRecord, 'environment'>;

/**
 * The application that a new one renews: an approval of the same environment that stands or has run out. Of another one nobody is told whether
 * it is there. Its data are copied, so only callers may renew who see them in full.
 */
export async function findRenewed(tx: Transaction, { principal: { tenantId, personalData }, environment }: Opening, { renewsApplicationId: id }: Wanted): Promise<ApplicationRecord | null> {
  if (id === undefined || id === null) return null;
  if (personalData !== 'full') throw new Problem('personal_data_masked');
  const found = await findApplication(tx, { tenantId, id });
  if (found === null || found.environment !== environment || found.erasedAt !== null) throw refusal('unknown', 'must be an application of this environment');
  if (found.status !== 'approved' && (found.status !== 'expired' || found.validUntil === null)) throw refusal('not_renewable', 'must be approved, or have been until it expired');
  return found;
}

function refusal(code: string, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer: '/renewsApplicationId', code, message }] });
}

/** A renewal is about the person that it renews: the tax number says who that is. */
export function assertSamePerson(renewed: Applicant, { taxId }: Applicant): void {
  if (isDeepStrictEqual(renewed.taxId, taxId)) return;
  throw new Problem('validation_failed', { errors: [{ pointer: '/applicant/taxId', code: 'other_person', message: 'must be the tax number of the application that is renewed' }] });
}

/** Why an approval has ended that was renewed. */
export const RENEWED = { status: 'expired', statusReason: 'renewed' } as const;

/** Once the renewal is approved, the approval that it renews is over. Its id, if it still stood. */
export async function endApprovalRenewedBy(tx: Transaction, { status, renewsApplicationId }: ApplicationRecord, now: Date): Promise<string | null> {
  if (status !== 'approved' || renewsApplicationId === null) return null;
  const [ended] = await tx.run(endRenewed, { tenantId: tx.tenantId!, id: renewsApplicationId, now, reason: RENEWED.statusReason });
  return ended?.id ?? null;
}

/** A person who is no longer a customer is none by the approvals either that this one has renewed. The ids of their applications. */
export async function endRelationshipsRenewedBy(tx: Transaction, { renewsApplicationId, relationshipEndedAt }: ApplicationRecord, now: Date): Promise<string[]> {
  if (renewsApplicationId === null || relationshipEndedAt === null) return [];
  return (await tx.run(endRenewedRelationships, { tenantId: tx.tenantId!, id: renewsApplicationId, relationshipEndedAt, now })).map(({ id }) => id);
}
