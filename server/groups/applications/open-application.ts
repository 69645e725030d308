import type { components } from '../../contract/generated/types.ts';
import type { Environment, PersonalData } from '../../contract/principal.ts';
import { uuidv7, type Transaction } from '../../database/index.ts';
import { readSettings } from '../settings/index.ts';
import { recordApplicant } from './applicant.ts';
import type { ApplicationRecord } from './application.ts';
import type { BlindIndex } from './blind-index.ts';
import { calendarDate } from './calendar.ts';
import { recordMetadata } from './metadata.ts';
import type { Quotas } from './quota.ts';
import { assertSubmittable } from './requirements.ts';
import { assertOnlyActive } from './store/active-application.ts';
import { insertApplication } from './store/applications.ts';
import { submitted } from './transitions.ts';

type Wanted = components['schemas']['ApplicationCreate'];

interface OpeningParts {
  readonly index: BlindIndex;
  readonly quotas: Quotas;
}

interface Opening {
  readonly tenantId: string;
  /** How much of persons the caller is shown. */
  readonly personalData: PersonalData;
  readonly environment: Environment;
  readonly createdBy: components['schemas']['Actor'];
  readonly now: Date;
}

const DRAFT_DAYS = 30;
const DAY = 24 * 60 * 60 * 1000;

/** Creates a draft, or with `submit` an application in review; all of it or nothing. */
export async function openApplication(tx: Transaction, { index, quotas }: OpeningParts, opening: Opening, wanted: Wanted): Promise<ApplicationRecord> {
  const draft = draftOf(wanted, opening);
  const record = wanted.submit === true ? submitted(draft, opening.now) : draft;
  if (wanted.submit === true) {
    const { decisionPolicy } = await readSettings(tx, opening.tenantId);
    assertSubmittable({ level: record.level, applicant: record.applicant, evidence: [], today: calendarDate(opening.now) }, decisionPolicy.minimumAge);
    await assertOnlyActive(tx, opening, record, index);
  }
  await quotas.create(tx, opening, opening.now, () => insertApplication(tx, opening.tenantId, record, index));
  return record;
}

function draftOf(wanted: Wanted, { environment, createdBy, now }: Opening): ApplicationRecord {
  return {
    id: uuidv7(),
    externalId: wanted.externalId ?? null,
    environment,
    status: 'draft',
    statusReason: null,
    statusNote: null,
    level: wanted.level ?? 'standard',
    purpose: wanted.purpose,
    applicant: recordApplicant(wanted.applicant, { environment, today: calendarDate(now) }),
    productCodes: wanted.productCodes ?? [],
    channel: wanted.channel ?? 'api',
    submittedAt: null,
    decidedAt: null,
    expiresAt: new Date(now.getTime() + DRAFT_DAYS * DAY).toISOString(),
    metadata: recordMetadata(wanted.metadata ?? {}, environment),
    version: 1,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    createdBy,
  };
}
