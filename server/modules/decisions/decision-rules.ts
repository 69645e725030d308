/**
 * Rules of what a decision must say, without input or output: reject type, reason codes, note. Used by decide.ts and,
 * through the index, by handlers. Refuses reason codes outside the tenant's catalogue (`unknown_reason_code`).
 */
import type { Body } from '../../contract/operation-types.ts';
import { type FieldError, Problem } from '../../contract/problem.ts';
import type { ValidPart } from '../../request/handler.ts';
import { reasonFaults, SHIPPED_REASON_CODES } from '../../rules/reasons.ts';
import type { DecisionPolicy } from '../tenant-settings/index.ts';

/** Part of the decision policy that applies to decisions about any subject. */
export type DecisionRules = Pick<DecisionPolicy['rules'], 'reasonCodes'>;

/** Least length of the note, in characters, if a reason code is `other`. */
const NOTE_OF_OTHER = 50;

/** Checks the rules that depend only on the body. */
export function decisionBodyFaults({
  outcome,
  rejectType,
  reasonCodes = [],
  note,
}: ValidPart<Body<'createDecision'>>): FieldError[] {
  return [
    ...(outcome === 'reject' && rejectType === undefined
      ? [{ pointer: '/rejectType', code: 'required', message: 'is required of a rejection' }]
      : []),
    ...(outcome === 'approve' && rejectType !== undefined
      ? [{ pointer: '/rejectType', code: 'not_allowed', message: 'an approval does not have it' }]
      : []),
    ...reasonFaults(
      'decision',
      outcome,
      Object.fromEntries(reasonCodes.flatMap((code, index) => [[`/reasonCodes/${index}`, code]])),
    ),
    ...(reasonCodes.includes('other') && note !== undefined && [...note].length < NOTE_OF_OTHER
      ? [
          {
            pointer: '/note',
            code: 'too_short',
            message: `must have at least ${NOTE_OF_OTHER} characters where the reason is other`,
          },
        ]
      : []),
  ];
}

/** Rejects reason codes that are not in the tenant's catalogue. If that catalogue is empty, the shipped one applies. */
export function assertKnownReasons(codes: readonly string[], { reasonCodes }: DecisionRules): void {
  const catalogue = reasonCodes.length > 0 ? reasonCodes : SHIPPED_REASON_CODES;
  const errors = codes.flatMap((code, index) =>
    catalogue.includes(code)
      ? []
      : [
          {
            pointer: `/reasonCodes/${index}`,
            code: 'unknown',
            message: 'must be one of the reason codes in the settings',
          },
        ],
  );
  if (errors.length > 0) throw new Problem('unknown_reason_code', { errors });
}
