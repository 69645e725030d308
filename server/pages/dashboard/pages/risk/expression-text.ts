import type { Schemas } from '../../core/api.ts';
import { inLanguages, useWords } from '../../core/language.ts';
import type { Factor } from './risk-words.ts';

type Expression = Schemas['RiskExpression'];
type Operand = Schemas['RiskOperand'];
type Scoring = Factor['scoring'];

const words = inLanguages({
  en: {
    and: ' and ',
    or: ' or ',
    yes: 'yes',
    no: 'no',
    otherwise: 'otherwise',
    not: (condition: string) => `not (${condition})`,
    list: (key: string) => `the list ${key}`,
    in: (value: string, values: string) => `${value} is in ${values}`,
    contains: (values: string, value: string) => `${values} holds ${value}`,
    any: (values: string, others: string) => `one of ${values} is in ${others}`,
    all: (values: string, others: string) => `all of ${values} are in ${others}`,
    between: (value: string, from: string, to: string) => `${value} is from ${from} to ${to}`,
    exists: (fact: string) => `${fact} is known`,
    daysSince: (date: string) => `days since ${date}`,
    yearsSince: (date: string) => `years since ${date}`,
    count: (values: string) => `number of ${values}`,
  },
  pt: {
    and: ' e ',
    or: ' ou ',
    yes: 'sim',
    no: 'não',
    otherwise: 'senão',
    not: (condition: string) => `não (${condition})`,
    list: (key: string) => `a lista ${key}`,
    in: (value: string, values: string) => `${value} está em ${values}`,
    contains: (values: string, value: string) => `${values} contém ${value}`,
    any: (values: string, others: string) => `um de ${values} está em ${others}`,
    all: (values: string, others: string) => `todos de ${values} estão em ${others}`,
    between: (value: string, from: string, to: string) => `${value} vai de ${from} a ${to}`,
    exists: (fact: string) => `${fact} é conhecido`,
    daysSince: (date: string) => `dias desde ${date}`,
    yearsSince: (date: string) => `anos desde ${date}`,
    count: (values: string) => `número de ${values}`,
  },
});

type Words = (typeof words)['en'];

const SIGNS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '≠',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
};

/** Writes a condition as people read it: `applicant.age ≥ 75 and applicant.pepDeclared = yes`. */
function textOf(operand: Operand, t: Words, isInner = false): string {
  if (Array.isArray(operand)) return `{${operand.map((value) => valueText(value, t)).join(', ')}}`;
  if (typeof operand !== 'object') return valueText(operand, t);
  if (operand.fact !== undefined) return operand.fact;
  if (operand.list !== undefined) return t.list(operand.list);
  const [operator, operands] = Object.entries(operand)[0] ?? ['', []];
  if (!Array.isArray(operands)) return '';
  const parts = operands.map((inner) => textOf(inner, t, true));
  const [first = '', second = '', third = ''] = parts;
  switch (operator) {
    case 'and':
    case 'or': {
      const joined = parts.join(t[operator]);
      return isInner && parts.length > 1 ? `(${joined})` : joined;
    }
    case 'not':
    case 'exists':
    case 'daysSince':
    case 'yearsSince':
    case 'count':
      return t[operator](first);
    case 'in':
    case 'contains':
    case 'any':
    case 'all':
      return t[operator](first, second);
    case 'between':
      return t.between(first, second, third);
    default:
      return `${first} ${SIGNS[operator] ?? operator} ${second}`;
  }
}

function valueText(value: string | number | boolean, t: Words): string {
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  return String(value);
}

/** Writes how a factor scores, row by row: `the list high_risk → 100; BR → 10; otherwise → 40`. */
function scoringText(scoring: Scoring, t: Words): readonly string[] {
  switch (scoring.by) {
    case 'lookup':
      return [
        ...scoring.lookup.map(({ match, score }) => `${textOf(match, t)} → ${score}`),
        `${t.otherwise} → ${scoring.default}`,
      ];
    case 'bands':
      return scoring.bands.map(({ gte, lt, score }) => `${bandText(gte, lt)} → ${score}`);
    case 'when':
      return [
        ...scoring.when.map(({ expr, score }) => `${textOf(expr, t)} → ${score}`),
        `${t.otherwise} → ${scoring.default}`,
      ];
    default:
      return [JSON.stringify(scoring)];
  }
}

function bandText(gte: number | undefined, lt: number | undefined): string {
  if (gte === undefined) return lt === undefined ? '−∞ … ∞' : `< ${lt}`;
  return lt === undefined ? `≥ ${gte}` : `≥ ${gte}, < ${lt}`;
}

/**
 * Writes a part of a model, or its JSON if it does not have the form of the contract, because an editor holds whatever
 * somebody has typed so far.
 */
function written(part: Expression | Scoring, write: () => readonly string[]): readonly string[] {
  try {
    return write();
  } catch (error) {
    if (error instanceof TypeError) return [JSON.stringify(part)];
    throw error;
  }
}

/** Returns functions that write conditions and scorings in the language of the page. */
export function useExpressionText(): {
  readonly condition: (expression: Expression) => string;
  readonly scoring: (scoring: Scoring) => readonly string[];
} {
  const t = useWords(words);
  return {
    condition: (expression) => written(expression, () => [textOf(expression, t)]).join(' '),
    scoring: (scoring) => written(scoring, () => scoringText(scoring, t)),
  };
}
