/**
 * Begins and ends the monitoring of a business when its status changes, and accepts the state on which an approval
 * rests. Called by decisions, withdrawals, the end of the relationship, reopenings and erasures in their transaction. A
 * change of status that forgets this leaves a customer without monitoring.
 */
import { createHash } from 'node:crypto';
import type { Transaction } from '../../database/index.ts';
import type { When } from '../subject-events/index.ts';
import {
  acceptedAt,
  currentSubscription,
  type EndReason,
  endSubscriptions,
  resolveAllBut,
  setAccepted,
  STATE_CHECKS,
  type States,
  subscribe,
} from '../subscriptions/index.ts';
import { subjectOf } from './record.ts';
import type { Business } from './store.ts';
import type { RegistryEvidence, StructureEvidence } from './structure-store.ts';

/** Actor of subscriptions that an approval creates, because no caller asks for them. */
const APPROVAL = { type: 'system', id: 'businesses.approved', display: 'Approval' } as const;

/** Effect on the subscription: `begins` creates one unless there is one, `stays` has no effect, a reason ends it. */
type Consequence = 'begins' | 'stays' | EndReason;

/** Effect of each status. Applications follow the same rule, and so does `isCustomerAmong` of decisions. */
const BY_STATUS: Readonly<Record<Business['status'], Consequence>> = {
  draft: 'stays',
  submitted: 'stays',
  in_review: 'stays',
  needs_information: 'stays',
  pending_approval: 'stays',
  approved: 'begins',
  rejected: 'rejected',
  withdrawn: 'withdrawn',
  expired: 'stays',
};

/** Fields of differences that are about the owners. */
const OF_OWNERS: readonly string[] = ['partner_not_declared', 'owner_not_registered', 'role'];

/**
 * Returns the states that monitoring compares. The owners are those of the latest graph, together with what the
 * registry says otherwise of them: a difference that nobody has accepted changes the digest.
 */
export function statesOf({ registry, ownership }: Pick<StructureEvidence, 'registry' | 'ownership'>): States {
  const differing = ownerDifferences(registry);
  const digest = createHash('sha256')
    .update([ownership?.digest ?? 'none', ...differing].join('\n'))
    .digest('hex');
  return { registry_status: registry?.situation ?? 'not_asked', ownership_change: `sha256:${digest}` };
}

function ownerDifferences(registry: RegistryEvidence | null): string[] {
  return (registry?.differences ?? []).filter(({ field }) => OF_OWNERS.includes(field)).map(({ id }) => id);
}

type Followed = Pick<Business, 'id' | 'environment' | 'status' | 'relationshipEndedAt'>;
type Structure = Pick<StructureEvidence, 'registry' | 'ownership'>;

/** Creates or ends the subscription of a business after a change of its status. The caller holds its lock. */
export async function followStatus(
  tx: Transaction,
  { id, environment, status, relationshipEndedAt }: Followed,
  structure: Structure,
  when: When,
): Promise<void> {
  const consequence = relationshipEndedAt === null ? BY_STATUS[status] : 'relationship_ended';
  if (consequence === 'begins') await beginMonitoring(tx, { id, environment }, structure, when);
  else if (consequence !== 'stays') await endSubscriptions(tx, [subjectOf({ id })], consequence, when.at);
}

/**
 * Subscribes a business with its states as accepted. If it is monitored already, the new approval accepts the states,
 * and its alerts about other states end. Returns the id of a new subscription, otherwise null.
 */
export async function beginMonitoring(
  tx: Transaction,
  { id, environment }: Pick<Followed, 'id' | 'environment'>,
  structure: Structure,
  { at, now }: When,
): Promise<string | null> {
  const subject = subjectOf({ id });
  const accepted = acceptedAt(statesOf(structure), at);
  const created = await subscribe(tx, {
    environment,
    subject,
    createdBy: APPROVAL,
    accepted,
    at,
    now,
  });
  if (created !== null) return created;
  await setAccepted(tx, (await currentSubscription(tx, subject))!.id, accepted);
  for (const check of STATE_CHECKS) resolveAllBut(tx, id, check, []);
  return null;
}
