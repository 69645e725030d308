/**
 * Creates applications, as drafts or submitted at once. Called by the handler. Refused beyond the monthly quota, for a
 * second active application of the same person, and if a submission lacks something; then nothing is stored.
 */
import { addMilliseconds, type BusinessTime, DAY_MILLISECONDS } from '../../../base/time.ts';
import { uuidv7 } from '../../../base/uuid.ts';
import type { components } from '../../../contract/generated/types.ts';
import type { Environment } from '../../../contract/operation.ts';
import type { Transaction } from '../../../database/index.ts';
import type { BlindIndex } from '../../../rules/blind-index.ts';
import { calendarDate } from '../../../rules/brazilian-calendar.ts';
import type { DecisionPolicy } from '../../tenant-settings/index.ts';
import { assessedOf, NOTHING } from '../evidence/requirement-rules.ts';
import { assertSubmittable } from '../evidence/requirements.ts';
import { assertSamePerson, findRenewed } from '../life/renewals.ts';
import { recordApplicant, recordMetadata, renewedApplicant } from './applicant.ts';
import { type ApplicationRecord, submitted } from './application.ts';
import type { Quotas } from './quotas.ts';
import { assertOnlyActive, type Submitter } from './same-tax-number-store.ts';
import { insertApplication } from './store.ts';
import { initialMembers, writtenMembers } from './written-members.ts';

type ApplicationWanted = components['schemas']['ApplicationCreate'];

interface CreationDependencies {
  readonly index: BlindIndex;
  readonly quotas: Quotas;
  readonly room: Awaited<ReturnType<Quotas['monthlyRoom']>>;
}

interface CreationContext extends Submitter {
  readonly environment: Environment;
  readonly createdBy: components['schemas']['Actor'];
  readonly policy: DecisionPolicy;
  /** The business time of the creation. */
  readonly now: BusinessTime;
}

const DRAFT_DAYS = 30;
/**
 * Creates a draft, or an application in review if the request says `submit`. Nothing is stored if the submission is
 * refused.
 */
export async function createApplication(
  tx: Transaction,
  { index, quotas, room }: CreationDependencies,
  opening: CreationContext,
  wanted: ApplicationWanted,
): Promise<ApplicationRecord> {
  const renewed = await findRenewed(tx, opening, wanted);
  const draft = draftOf(wanted, opening, renewed);
  if (renewed !== null) assertSamePerson(renewed.applicant, draft.applicant);
  const record = wanted.submit === true ? submitted(draft, opening.now) : draft;
  if (wanted.submit === true) {
    assertSubmittable(
      assessedOf(record, { ...NOTHING, policy: opening.policy }, calendarDate(opening.now)),
      opening.policy.rules.minimumAge,
    );
    await assertOnlyActive(tx, opening, record, index);
  }
  const {
    principal: { tenantId },
    environment,
    now,
  } = opening;
  await quotas.create(tx, { tenantId, environment }, { now, room }, () =>
    insertApplication(tx, tenantId, record, index),
  );
  return record;
}

function draftOf(
  wanted: ApplicationWanted,
  { environment, createdBy, now }: CreationContext,
  renewed: ApplicationRecord | null,
): ApplicationRecord {
  const recording = { environment, today: calendarDate(now) };
  return {
    id: uuidv7(),
    ...writtenMembers(wanted, initialMembers(wanted.purpose, renewed)),
    environment,
    status: 'draft',
    statusReason: null,
    statusNote: null,
    applicant:
      renewed === null
        ? recordApplicant(wanted.applicant, recording)
        : renewedApplicant(renewed.applicant, wanted.applicant, recording),
    resubmissionCount: 0,
    submittedAt: null,
    decidedAt: null,
    validUntil: null,
    reviewDueAt: null,
    relationshipEndedAt: null,
    renewsApplicationId: renewed?.id ?? null,
    expiresAt: addMilliseconds(now, DRAFT_DAYS * DAY_MILLISECONDS).toISOString(),
    metadata: recordMetadata(wanted.metadata ?? {}, environment),
    version: 1,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    createdBy,
  };
}
