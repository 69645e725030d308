/**
 * Renewal of an approval by a new application: finding the old one, comparing the person, and ending the old approval.
 * Called by creation, changes and decisions. Refused for another person, for masked callers (the data are copied) and
 * without revealing records of the other environment.
 */
import type { BusinessTime } from '../../../base/time.ts';
import type { Uuid } from '../../../base/uuid.ts';
import { isDeepStrictEqual } from 'node:util';
import type { components } from '../../../contract/generated/types.ts';
import type { AnyPrincipal } from '../../../contract/operation.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Transaction } from '../../../database/index.ts';
import { publish, type When } from '../../subject-events/index.ts';
import type { Applicant, ApplicationRecord } from '../record/application.ts';
import { findApplication } from '../record/store.ts';
import { endRenewed, endRenewedRelationships } from './lapse-store.ts';
import { followStatus } from './monitoring.ts';

type Wanted = Pick<components['schemas']['ApplicationCreate'], 'renewsApplicationId'>;
type Opening = { readonly principal: Pick<AnyPrincipal, 'tenantId' | 'personalData'> } & Pick<
  ApplicationRecord,
  'environment'
>;

/**
 * Finds the application that a new one renews: a valid or expired approval of the same environment. For an application
 * of another environment, the refusal does not reveal whether it exists. The data of the renewed application are
 * copied, so only callers who see personal data in full may renew.
 */
export async function findRenewed(
  tx: Transaction,
  { principal: { tenantId, personalData }, environment }: Opening,
  { renewsApplicationId: id }: Wanted,
): Promise<ApplicationRecord | null> {
  if (id === undefined || id === null) return null;
  if (personalData !== 'full') throw new Problem('personal_data_masked');
  const found = await findApplication(tx, { tenantId, id });
  if (found === null || found.environment !== environment || found.erasedAt !== null)
    throw refusal('unknown', 'must be an application of this environment');
  if (found.status !== 'approved' && (found.status !== 'expired' || found.validUntil === null))
    throw refusal('not_renewable', 'must be approved, or have been until it expired');
  return found;
}

function refusal(code: string, message: string): Problem {
  return new Problem('validation_failed', { errors: [{ pointer: '/renewsApplicationId', code, message }] });
}

/** Rejects a renewal for another person, identified by the tax number. */
export function assertSamePerson(renewed: Applicant, { taxId }: Applicant): void {
  if (isDeepStrictEqual(renewed.taxId, taxId)) return;
  throw new Problem('validation_failed', {
    errors: [
      {
        pointer: '/applicant/taxId',
        code: 'other_person',
        message: 'must be the tax number of the application that is renewed',
      },
    ],
  });
}

/** Status and status reason of an approval that was renewed. */
export const RENEWED = { status: 'expired', statusReason: 'renewed' } as const;

/**
 * Ends the approval that an approved application renews, and its monitoring. Returns its id, or null if no approval
 * ended.
 */
export async function endApprovalRenewedBy(
  tx: Transaction,
  application: ApplicationRecord,
  when: When,
): Promise<Uuid | null> {
  const { status, environment, renewsApplicationId } = application;
  if (status !== 'approved' || renewsApplicationId === null) return null;
  const [ended] = await tx.run(endRenewed, {
    tenantId: tx.tenantId!,
    id: renewsApplicationId,
    at: when.at,
    reason: RENEWED.statusReason,
  });
  if (ended === undefined) return null;
  const { id } = ended;
  await followStatus(tx, [{ ...application, ...RENEWED, id }], when);
  await publish(tx, {
    type: 'subject.expired',
    subject: { kind: 'application', id },
    environment,
    reason: RENEWED.statusReason,
    ...when,
  });
  return id;
}

/** Ends the relationship for the approvals that an application has renewed. Returns the ids of their applications. */
export async function endRelationshipsRenewedBy(
  tx: Transaction,
  { renewsApplicationId, relationshipEndedAt }: ApplicationRecord,
  at: BusinessTime,
): Promise<Uuid[]> {
  if (renewsApplicationId === null || relationshipEndedAt === null) return [];
  return (
    await tx.run(endRenewedRelationships, {
      tenantId: tx.tenantId!,
      id: renewsApplicationId,
      relationshipEndedAt,
      at,
    })
  ).map(({ id }) => id);
}
