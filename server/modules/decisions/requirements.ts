/**
 * What requirements of subjects have in common, without input or output: who meets one, by what, and whether documents,
 * attestations or a waiver do. Used, through the index, by the modules of subjects, which hold the requirements
 * themselves. An outcome that is too lenient here lets a subject be approved that nobody has checked.
 */
import type { components } from '../../contract/generated/types.ts';
import type { FieldError } from '../../contract/problem.ts';
import { type Document } from '../documents/index.ts';
import type { Attestation } from './attestation-store.ts';
import { isOutdated } from './attestations.ts';
import type { Waiver } from './waiver-store.ts';
import { isWaived } from './waivers.ts';

export type Requirement = components['schemas']['Requirement'];
export type Source = components['schemas']['RequirementSource'];
export type Outcome = Pick<Requirement, 'status' | 'reasonCode'>;
/** Members of a document from which requirements are computed. */
export type Evidence = Pick<Document, 'id' | 'type' | 'status' | 'expiresOn'>;

/** Definition of a requirement: who meets it, and with what. Any one of the sources in `by` is enough. */
export interface Rule<A> {
  readonly kind: Requirement['kind'];
  /**
   * Whether the requirement, while unmet, is demanded at every level and cannot be waived, whatever the policy says.
   */
  readonly binds?: (assessed: A) => boolean;
  readonly met: (assessed: A, key: string) => Outcome;
  readonly by: readonly Source[];
}

export const OPEN: Outcome = { status: 'missing', reasonCode: 'not_established' };
export const PROVIDED: Outcome = { status: 'provided', reasonCode: null };
export const VERIFIED: Outcome = { status: 'verified', reasonCode: null };
export const ATTESTED_ADVERSE = 'attested_adverse';

export function isMet({ status }: Pick<Requirement, 'status'>): boolean {
  return status !== 'missing' && status !== 'failed';
}

export function typesOf(sources: readonly Source[]): string[] {
  return sources.flatMap(({ documentType = [] }) => documentType);
}

/** Evaluates documents: one of these types is enough, if it is not rejected, superseded or expired. */
export function documentOutcome(types: readonly string[], evidence: readonly Evidence[], today: string): Outcome {
  const current = evidence.filter(
    ({ type, status }) => types.includes(type) && (status === 'uploaded' || status === 'accepted'),
  );
  const valid = current.filter(({ expiresOn }) => expiresOn === null || expiresOn >= today);
  if (valid.length > 0) return valid.some(({ status }) => status === 'accepted') ? VERIFIED : PROVIDED;
  return current.length > 0
    ? { status: 'failed', reasonCode: 'document_expired' }
    : { status: 'missing', reasonCode: 'document_missing' };
}

interface LookUps {
  readonly attestations: readonly Pick<Attestation, 'requirementKey' | 'outcome' | 'lookedUpAt' | 'subject'>[];
  /** Current identifying data of the subject. A look-up does not count once these have changed. */
  readonly identity: string;
  /** YYYY-MM-DD */
  readonly today: string;
}

/** Evaluates the latest look-up. An adverse finding counts until a later look-up, however old it is. */
export function attestedOutcome(key: string, { attestations, identity, today }: LookUps): Outcome {
  const last = latest(
    attestations.filter(({ requirementKey }) => requirementKey === key),
    ({ lookedUpAt }) => lookedUpAt,
  );
  if (last === undefined) return OPEN;
  if (last.outcome === 'fail') return { status: 'failed', reasonCode: ATTESTED_ADVERSE };
  if (last.subject !== identity) return { status: 'missing', reasonCode: 'attestation_of_other_data' };
  return isOutdated(last.lookedUpAt, today) ? { status: 'missing', reasonCode: 'attestation_outdated' } : VERIFIED;
}

/** Returns a requirement as readers see it. A waiver meets an unmet one, unless it binds. */
export function listedRequirement<A>(
  key: string,
  { kind, by }: Rule<A>,
  found: Outcome,
  {
    binds,
    waivers,
  }: { readonly binds: boolean; readonly waivers: readonly Pick<Waiver, 'action' | 'requirementKey'>[] },
): Requirement {
  const outcome: Outcome =
    !isMet(found) && !binds && isWaived(waivers, key) ? { status: 'waived', reasonCode: null } : found;
  return {
    key,
    kind,
    ...outcome,
    alternatives: isMet(outcome) ? [] : typesOf(by),
    satisfiedBy: by.map((source) => ({ ...source })),
  };
}

/** Returns the fault of a requirement that documents meet and that none does. */
export function missingDocument({ reasonCode, satisfiedBy }: Requirement): FieldError {
  const begin = reasonCode === 'document_expired' ? 'is past its date; needs one of' : 'needs one of';
  return {
    pointer: '/documents',
    code: reasonCode ?? 'required',
    message: `${begin}: ${typesOf(satisfiedBy).join(', ')}`,
  };
}

/**
 * Returns the record with the latest time, and the newest of records with equal times, so that a record that is written
 * late does not override what happened after its time.
 */
export function latest<Of>(newestFirst: readonly Of[], timeOf: (record: Of) => string): Of | undefined {
  const [first, ...others] = newestFirst;
  return others.reduce(
    (last: Of | undefined, record) => (last !== undefined && timeOf(record) > timeOf(last) ? record : last),
    first,
  );
}
