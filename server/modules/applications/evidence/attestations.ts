import {
  addMilliseconds,
  type BusinessTime,
  type BusinessTimestamp,
  MINUTE_MILLISECONDS,
  readStatedTime,
  type RealTime,
} from '../../../base/time.ts';
import { uuidv7 } from '../../../base/uuid.ts';
import type { components } from '../../../contract/generated/types.ts';
import { actorOf, type AnyPrincipal } from '../../../contract/operation.ts';
import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { Access } from '../../../request/lookup.ts';
import { type BusinessClocks, calendarDate } from '../../../rules/brazilian-calendar.ts';
import { sealedRow, sealingKey } from '../../subject-keys/index.ts';
import { type Invalidated, reviewAgain } from '../decisions/pending-decision.ts';
import { assertOpen, MAX_RECORDS, nextChangeTime, refusal } from '../record/application.ts';
import { lookup } from '../record/lookup.ts';
import { readContents } from '../record/read-applications.ts';
import { type Attestation, attestation as attestationTable, insertAttestation } from './attestation-store.ts';
import {
  ATTESTATION_DAYS,
  assessedOf,
  attestedPerson,
  isAttestable,
  isKnown,
  isOutdated,
} from './requirement-rules.ts';
import { requirementsOf, unknownRequirement } from './requirements.ts';

/** Time by which the caller's clock may be ahead, as the clock of a phone may be. */
const TOLERANCE = 5 * MINUTE_MILLISECONDS;

interface Recording extends Access, BusinessClocks {
  readonly principal: AnyPrincipal;
  readonly params: { readonly applicationId: string };
  readonly body: components['schemas']['AttestationCreate'];
  readonly now: RealTime;
}

/**
 * Adds an attestation to the ledger. The lock on the application makes simultaneous records see each other. A decision
 * that waits for a second review is invalidated, because its evidence has changed.
 */
export async function recordAttestation(
  ctx: Recording,
): Promise<{ readonly attestation: Attestation; readonly invalidated: Invalidated | null }> {
  const {
    tx,
    principal,
    params: { applicationId },
    body,
  } = ctx;
  const of = { tenantId: principal.tenantId, applicationId };
  const [application, contents] = await Promise.all([
    lookup(ctx).application(applicationId).forChange(),
    readContents(tx, of),
  ]);
  const { attestations, documents } = contents;
  assertOpen(application.status);
  const at = ctx.timeIn(application.environment);
  const { requirementKey, outcome, source, note } = body;
  const { items } = requirementsOf(assessedOf(application, contents, calendarDate(at)));
  // Accepts any known requirement, even if the policy does not demand it, because an adverse finding counts in any
  // case.
  if (!isKnown(requirementKey) && !items.some(({ key }) => key === requirementKey)) throw unknownRequirement();
  if (attestations.length >= MAX_RECORDS)
    throw refusal(
      '/requirementKey',
      'too_many',
      `must not be recorded: an application has at most ${MAX_RECORDS} attestations`,
    );
  const lookedUpAt = timeOfLookUp(body.lookedUpAt, at);
  const evidence = documents.find(({ id }) => id === body.evidenceDocumentId) ?? null;
  const faults: FieldError[] = [
    ...(isAttestable(requirementKey)
      ? []
      : [
          {
            pointer: '/requirementKey',
            code: 'not_attestable',
            message: 'must be one that a person looks up: its `satisfiedBy` names `attestation`',
          },
        ]),
    ...(lookedUpAt === null
      ? [
          {
            pointer: '/lookedUpAt',
            code: 'range',
            message:
              `must be at most ${ATTESTATION_DAYS} days ago, and at most five minutes ahead of ` +
              'the clock of the service',
          },
        ]
      : []),
    ...(body.evidenceDocumentId != null && evidence === null
      ? [
          {
            pointer: '/evidenceDocumentId',
            code: 'unknown_document',
            message: 'must be a document of this application',
          },
        ]
      : []),
  ];
  if (faults.length > 0 || lookedUpAt === null) throw new Problem('validation_failed', { errors: faults });
  const attestation: Attestation = {
    id: uuidv7(),
    requirementKey,
    outcome,
    source,
    lookedUpAt,
    note,
    subject: attestedPerson(application.applicant),
    evidenceDocumentId: evidence?.id ?? null,
    createdBy: actorOf(principal),
    // Later than the previous record, so that the order of times is the order in which the ledger was written.
    createdAt: attestations[0] === undefined ? at.toISOString() : nextChangeTime(at, attestations[0].createdAt),
  };
  const key = await sealingKey(
    tx,
    { type: 'application', id: application.id },
    { environment: application.environment, now: at },
  );
  insertAttestation(tx, {
    ...sealedRow(attestationTable, attestation, key),
    ...of,
    environment: application.environment,
  });
  return { attestation, invalidated: await reviewAgain(ctx, application) };
}

/** Returns the time of a look-up; null if it is in the future or too old to count. */
function timeOfLookUp(text: string, at: BusinessTime): BusinessTimestamp | null {
  const time = readStatedTime(text);
  return time === null || time > addMilliseconds(at, TOLERANCE) || isOutdated(time.toISOString(), calendarDate(at))
    ? null
    : time.toISOString();
}
