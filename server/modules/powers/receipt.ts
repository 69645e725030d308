import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../base/canonical-json.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { components } from '../../contract/generated/types.ts';
import { evaluateSigning } from '../../powers/evaluate.ts';
import type { Act, PowersOnFile } from '../../powers/powers.ts';
import type { ClausedInstrument } from './instrument.ts';

type Schemas = components['schemas'];

/** Everything that an evaluation is based on. It is stored, so that the answer can be evaluated again. */
export interface EvaluationInput {
  readonly file: Omit<PowersOnFile, 'instruments'> & { readonly instruments: readonly ClausedInstrument[] };
  readonly act: Act;
  readonly signers: Schemas['SigningSigner'][] | null;
  readonly instrumentVersions: Schemas['InstrumentVersion'][];
  readonly ownershipVersion: number;
}

export type EvaluationAnswer = Pick<
  Schemas['SigningEvaluation'],
  'result' | 'coverage' | 'satisfiedBy' | 'missing' | 'minimalSets' | 'truncated' | 'reasons'
>;

/** Evaluates an input. The same input always gives the same answer. */
export function answerOf({ file, act, signers }: EvaluationInput): EvaluationAnswer {
  const { satisfiedBy, isTruncated, missing, minimalSets, reasons, result, coverage } = evaluateSigning(
    file,
    act,
    signers,
  );
  const clauseOf = (instrumentId: string | null, ruleKey: string): string | null =>
    file.instruments.find(({ id }) => id === instrumentId)?.rules.find(({ key }) => key === ruleKey)?.clause ?? null;
  return {
    result,
    coverage,
    satisfiedBy: satisfiedBy.map(({ instrumentId, ruleKey, slots }) => ({
      instrumentId: idOf(instrumentId),
      ruleKey,
      clause: clauseOf(instrumentId, ruleKey),
      slots: slots.map((slot) => ({ ...slot })),
    })),
    missing: missing.map((set) => [...set]),
    minimalSets: minimalSets.map((set) => [...set]),
    truncated: isTruncated,
    reasons: reasons.map((reason) => ({ ...reason, instrumentId: idOf(reason.instrumentId) })),
  };
}

/** Instruments are rows, whose ids the engine repeats. */
const idOf = (id: string | null): Uuid | null => id as Uuid | null;

const canonical = (value: EvaluationInput | EvaluationAnswer): string => canonicalJson(value as unknown as Json);

/** A receipt as it is stored: input and answer as canonical JSON, and the digest of both. */
export function receiptOf(input: EvaluationInput): {
  readonly input: string;
  readonly answer: string;
  readonly digest: string;
  readonly shown: EvaluationAnswer;
} {
  const shown = answerOf(input);
  const texts = { input: canonical(input), answer: canonical(shown) };
  const content = `{"answer":${texts.answer},"format":"signing-evaluation/1","input":${texts.input}}`;
  return { ...texts, digest: `sha256:${createHash('sha256').update(content, 'utf8').digest('hex')}`, shown };
}

/** Tells whether an input, evaluated again, gives the stored answer and digest byte for byte. */
export function isReproducible(stored: { readonly input: string; readonly answer: string; readonly digest: string }) {
  const again = receiptOf(JSON.parse(stored.input) as EvaluationInput);
  return again.answer === stored.answer && again.digest === stored.digest;
}
