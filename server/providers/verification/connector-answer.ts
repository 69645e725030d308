/**
 * Reads what a vendor answers about a verification. Used by connector.ts. Whatever has not exactly the agreed form is
 * `provider_invalid_answer`, and so is a pass that its own checks do not bear out.
 */
import { type Check, type CheckOutcome, conclude, type ConcludedStatus } from '../../verification/check.ts';
import type { ExtractedField, FieldName } from '../../verification/document.ts';
import { type Extracted, type ProviderAnswer, ProviderError } from './provider.ts';

/** A verification at the vendor: it goes on under an id, or it has ended. */
export type VendorState = { readonly id: string } | { readonly answer: ProviderAnswer };

const STATUSES: readonly ConcludedStatus[] = ['passed', 'failed', 'inconclusive'];
const OUTCOMES: readonly CheckOutcome[] = ['pass', 'fail', 'warn', 'not_run'];
const MRZ_TYPES = ['TD1', 'TD2', 'TD3', 'MRV-A', 'MRV-B'];
const SOURCES: readonly ExtractedField['source'][] = ['mrz', 'visual'];
const FIELD_NAMES: readonly FieldName[] = [
  'documentNumber',
  'firstNames',
  'lastName',
  'fullName',
  'dateOfBirth',
  'dateOfExpiry',
  'nationality',
  'sex',
  'issuingCountry',
  'personalNumber',
  'taxId',
];
const ID = /^[\w-]{1,100}$/;
const CODE = /^[a-z][a-z0-9_]{0,59}$/;
const MOST_CHECKS = 40;
const LONGEST = 300;
const LARGEST = 1_000_000;

type Members = Readonly<Record<string, unknown>>;

function demand(condition: boolean): asserts condition {
  if (!condition) throw new ProviderError('provider_invalid_answer');
}

function membersOf(value: unknown, known: readonly string[]): Members {
  demand(typeof value === 'object' && value !== null && !Array.isArray(value));
  demand(Object.keys(value).every((name) => known.includes(name)));
  return value as Members;
}

const isIn = <T extends string>(value: unknown, values: readonly T[]): value is T => values.includes(value as T);
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST && !/\p{Cc}/u.test(value);

function textOrNull(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  demand(isText(value));
  return value;
}

function numberOrNull(value: unknown, [least, most]: readonly [number, number]): number | null {
  if (value === null || value === undefined) return null;
  demand(typeof value === 'number' && value >= least && value <= most);
  return value;
}

function checkOf(value: unknown): Check {
  const check = membersOf(value, ['code', 'outcome', 'score', 'threshold', 'expected', 'observed', 'reasonCode']);
  const { code, outcome, reasonCode = null } = check;
  demand(typeof code === 'string' && CODE.test(code) && isIn(outcome, OUTCOMES));
  demand(reasonCode === null || (typeof reasonCode === 'string' && CODE.test(reasonCode)));
  return {
    code,
    outcome,
    score: numberOrNull(check['score'], [-LARGEST, LARGEST]),
    threshold: numberOrNull(check['threshold'], [-LARGEST, LARGEST]),
    expected: textOrNull(check['expected']),
    observed: textOrNull(check['observed']),
    reasonCode,
  };
}

function extractedOf(value: unknown): Extracted | null {
  if (value === null || value === undefined) return null;
  const { mrzType = null, ...fields } = membersOf(value, ['mrzType', ...FIELD_NAMES]);
  demand(mrzType === null || isIn(mrzType, MRZ_TYPES));
  const read = Object.entries(fields)
    .filter(([, field]) => field !== null)
    .map(([name, field]) => {
      const { value: text, confidence, source } = membersOf(field, ['value', 'confidence', 'source']);
      demand(isText(text) && text !== '' && isIn(source, SOURCES));
      demand(typeof confidence === 'number');
      return [name, { value: text, confidence: numberOrNull(confidence, [0, 1])!, source }] as const;
    });
  return { ...(Object.fromEntries(read) as Partial<Record<FieldName, ExtractedField>>), mrzType };
}

/** Reads the answer of a vendor: `{id, state: "running"}`, or `{id, state: "done", result}`. */
export function parseState(text: string): VendorState {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ProviderError('provider_invalid_answer');
  }
  const { id, state, result = null } = membersOf(json, ['id', 'state', 'result']);
  demand(typeof id === 'string' && ID.test(id) && isIn(state, ['running', 'done']));
  if (state === 'running') return { id };
  const { status, confidence, checks, extracted } = membersOf(result, ['status', 'confidence', 'checks', 'extracted']);
  demand(isIn(status, STATUSES) && Array.isArray(checks) && checks.length <= MOST_CHECKS);
  const read = checks.map(checkOf);
  // A pass without a check that passed, or beside one that did not, is no pass.
  demand(status !== 'passed' || (conclude(read, []) === 'passed' && read.some(({ outcome }) => outcome === 'pass')));
  return {
    answer: {
      status,
      confidence: numberOrNull(confidence, [0, 1]),
      checks: read,
      extracted: extractedOf(extracted),
    },
  };
}
