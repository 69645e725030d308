import type { FieldError } from '../../core/problem.ts';
import type { Definition, Factor, HardRule } from './risk-words.ts';

/** A factor in the editor: the scoring is a text of JSON, which the service checks. */
export interface FactorDraft {
  readonly key: string;
  readonly label: string;
  readonly category: Factor['category'];
  readonly weight: string;
  readonly fact: string;
  readonly scoring: string;
  readonly rationale: string;
}

export interface RuleDraft {
  readonly key: string;
  readonly when: string;
  readonly effect: HardRule['effect'];
  readonly reasonCode: string;
}

/** The content of a model in the editor. Numbers are texts while somebody types them. */
export interface ModelDraft {
  readonly name: string;
  readonly medium: string;
  readonly high: string;
  readonly lowMonths: string;
  readonly mediumMonths: string;
  readonly highMonths: string;
  readonly missingDataPolicy: Definition['missingDataPolicy'];
  readonly factors: readonly FactorDraft[];
  readonly hardRules: readonly RuleDraft[];
}

/** JSON Pointers of the fields whose names differ from those of the members. */
export const POINTERS = {
  medium: '/thresholds/medium',
  high: '/thresholds/high',
  lowMonths: '/reviewMonths/low',
  mediumMonths: '/reviewMonths/medium',
  highMonths: '/reviewMonths/high',
} as const;

export const NEW_FACTOR: FactorDraft = {
  key: '',
  label: '',
  category: 'customer',
  weight: '10',
  fact: '',
  scoring: '{ "by": "lookup", "lookup": [{ "match": "", "score": 100 }], "default": 0 }',
  rationale: '',
};

export const NEW_RULE: RuleDraft = {
  key: '',
  when: '{ "eq": [{ "fact": "" }, true] }',
  effect: 'floor_high',
  reasonCode: '',
};

export function draftOf({
  name,
  thresholds,
  reviewMonths,
  missingDataPolicy,
  factors,
  hardRules,
}: Definition): ModelDraft {
  return {
    name,
    medium: String(thresholds.medium),
    high: String(thresholds.high),
    lowMonths: String(reviewMonths.low),
    mediumMonths: String(reviewMonths.medium),
    highMonths: String(reviewMonths.high),
    missingDataPolicy,
    factors: factors.map((factor) => ({
      ...factor,
      weight: String(factor.weight),
      scoring: jsonText(factor.scoring),
    })),
    hardRules: hardRules.map((rule) => ({ ...rule, when: jsonText(rule.when) })),
  };
}

/** Returns the content of a draft. Throws a `SyntaxError` if a text is not JSON; `jsonFaults` says which. */
export function definitionOf(draft: ModelDraft): Definition {
  const { name, medium, high, lowMonths, mediumMonths, highMonths, missingDataPolicy } = draft;
  return {
    name: name.trim(),
    factors: draft.factors.map(({ key, label, category, weight, fact, scoring, rationale }) => ({
      key: key.trim(),
      label: label.trim(),
      category,
      weight: numberOf(weight),
      fact,
      scoring: JSON.parse(scoring),
      rationale: rationale.trim(),
    })),
    hardRules: draft.hardRules.map(({ key, when, effect, reasonCode }) => ({
      key: key.trim(),
      when: JSON.parse(when),
      effect,
      reasonCode: reasonCode.trim(),
    })),
    thresholds: { medium: numberOf(medium), high: numberOf(high) },
    reviewMonths: { low: numberOf(lowMonths), medium: numberOf(mediumMonths), high: numberOf(highMonths) },
    missingDataPolicy,
  };
}

/** Returns the texts that are not JSON as errors, in the form of those of the service. */
export function jsonFaults({ factors, hardRules }: ModelDraft): readonly FieldError[] {
  return [
    ...factors.flatMap(({ scoring }, at) => jsonFault(scoring, `/factors/${at}/scoring`)),
    ...hardRules.flatMap(({ when }, at) => jsonFault(when, `/hardRules/${at}/when`)),
  ];
}

function jsonFault(text: string, pointer: string): FieldError[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [{ pointer, code: 'not_json', message: error instanceof Error ? error.message : '' }];
  }
}

/** Reads a number as people of both languages type it. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
}

const WIDTH = 72;

/** Writes JSON with each part that fits on a line of its own. */
function jsonText(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || line.length + indent.length <= WIDTH) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => jsonText(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${jsonText(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
