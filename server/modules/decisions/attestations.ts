/**
 * Rules of attestations: what a person may record as looked up, and how long it counts. Called, through the index, by
 * the module of the subject, which holds the lock on the subject. Refuses unknown requirements, look-ups in the future
 * or too old, and a full ledger.
 */
import {
  addMilliseconds,
  type BusinessTime,
  type BusinessTimestamp,
  DAY_MILLISECONDS,
  MINUTE_MILLISECONDS,
  readBusinessTime,
  readStatedTime,
} from '../../base/time.ts';
import { uuidv7 } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { actorOf, type AnyPrincipal } from '../../contract/operation.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { Transaction } from '../../database/index.ts';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { Document } from '../documents/index.ts';
import { type Attestation, attestation as attestationTable, insertAttestation } from './attestation-store.ts';
import { assertRoom, type LedgerSubject, sealedRecord, timeOfRecord, unknownRequirement } from './ledger.ts';

/** Validity of an attested look-up, in days. */
const ATTESTATION_DAYS = 90;
/** Time by which the caller's clock may be ahead, as the clock of a phone may be. */
const TOLERANCE = 5 * MINUTE_MILLISECONDS;

/** Returns whether the last day on which a look-up counts is over, in the time zone of Brasília. */
export function isOutdated(lookedUpAt: BusinessTimestamp, today: string): boolean {
  return calendarDate(addMilliseconds(readBusinessTime(lookedUpAt), ATTESTATION_DAYS * DAY_MILLISECONDS)) < today;
}

interface Recording extends LedgerSubject {
  /** All attestations about the subject, newest first. */
  readonly ledger: readonly Attestation[];
  readonly documents: readonly Pick<Document, 'id'>[];
  /** Identifying data of the subject, which are stored with the attestation. */
  readonly identity: string;
  /** Returns whether an attestation meets a requirement, or null if neither the service nor the policy knows it. */
  readonly isAttestable: (key: string) => boolean | null;
}

/** Adds an attestation to the ledger. */
export async function recordAttestation(
  tx: Transaction,
  principal: AnyPrincipal,
  about: Recording,
  input: components['schemas']['AttestationCreate'],
): Promise<Attestation> {
  const { ledger, documents, identity, subject, now } = about;
  const { requirementKey, outcome, source, note } = input;
  const isAttestable = about.isAttestable(requirementKey);
  if (isAttestable === null) throw unknownRequirement(subject);
  assertRoom(ledger, subject, { pointer: '/requirementKey', records: 'attestations' });
  const lookedUpAt = timeOfLookUp(input.lookedUpAt, now);
  const evidence = documents.find(({ id }) => id === input.evidenceDocumentId) ?? null;
  const faults: FieldError[] = [
    ...(isAttestable
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
    ...(input.evidenceDocumentId != null && evidence === null
      ? [
          {
            pointer: '/evidenceDocumentId',
            code: 'unknown_document',
            message: `must be a document of this ${subject.kind}`,
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
    subject: identity,
    evidenceDocumentId: evidence?.id ?? null,
    createdBy: actorOf(principal),
    createdAt: timeOfRecord(ledger, now),
  };
  insertAttestation(tx, await sealedRecord(tx, attestationTable, attestation, about));
  return attestation;
}

/** Returns the time of a look-up; null if it is in the future or too old to count. */
function timeOfLookUp(text: string, now: BusinessTime): BusinessTimestamp | null {
  const at = readStatedTime(text);
  return at === null || at > addMilliseconds(now, TOLERANCE) || isOutdated(at.toISOString(), calendarDate(now))
    ? null
    : at.toISOString();
}
