/** Tests of the check of expressions, and of their evaluation, over random trees. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expressionFaults } from './check-expression.ts';
import { Evaluation } from './evaluate.ts';
import type { RiskExpression, RiskOperand } from './model.ts';
import { operationOf } from './operators.ts';
import { CATALOGUE, conditions, inputs, LIST_KEYS } from './testing/random-models.ts';

const KNOWN = { catalogue: CATALOGUE, listKeys: LIST_KEYS };
const faultsOf = (expression: RiskExpression) => expressionFaults(expression, '/when', KNOWN);

/** Each operand of a condition, with its pointer. */
function operandsOf(operand: RiskOperand, pointer: string): readonly { operand: RiskOperand; pointer: string }[] {
  const operation = typeof operand === 'object' && !Array.isArray(operand) ? operationOf(operand) : null;
  const below = (operation?.operands ?? []).flatMap((one, index) =>
    operandsOf(one, `${pointer}/${operation!.operator}/${index}`),
  );
  return [{ operand, pointer }, ...below];
}

/** Returns a condition with another operand at a pointer. */
function replaced(expression: RiskExpression, pointer: string, operand: RiskOperand): RiskExpression {
  const copy = structuredClone({ when: expression }) as Record<string, unknown>;
  const steps = pointer.split('/').slice(1);
  const last = steps.pop()!;
  const holder = steps.reduce((node, step) => node[step] as Record<string, unknown>, copy);
  holder[last] = operand;
  return copy['when'] as RiskExpression;
}

/** What no operand of any operator may be: a list fact within itself, or a comparison of two types. */
const ILL_TYPED: readonly RiskOperand[] = [
  { gt: [{ fact: 'x.number' }, 'ten'] },
  { not: [{ fact: 'x.text' }] },
  { daysSince: [{ fact: 'x.flag' }] },
  { count: [{ fact: 'x.text' }] },
  { eq: [{ fact: 'x.many' }, 'a'] },
  { exists: ['x.text'] },
  { between: [{ fact: 'x.day' }, 1, 2] },
  { in: [{ fact: 'x.number' }, { list: 'some' }] },
  { fact: 'x.unknown' },
  { list: 'unknown' },
];

describe('Over 10,000 random trees', () => {
  it('a condition without type errors is accepted and judged, whatever the facts are, in steps that its size bounds', () => {
    const answers = new Set<boolean | null>();
    fc.assert(
      fc.property(conditions, inputs, (condition, given) => {
        if (operandsOf(condition, '').length > 200) return;
        expect(faultsOf(condition)).toEqual([]);
        const evaluation = new Evaluation(given);
        const { value, missing } = evaluation.judge(condition);
        answers.add(value);
        // A value that is not of the declared type leaves the answer unknown, too, without being missing.
        if (value !== null) expect(missing).toEqual([]);
        // Each operand is one step, and a fact with several values one for each of them, of which there are three.
        expect(evaluation.steps).toBeLessThanOrEqual(operandsOf(condition, '').length * 4);
      }),
      { numRuns: 10_000 },
    );
    expect([...answers].length).toBe(3);
  });

  it('a condition with a type error anywhere is refused with a pointer to it', () => {
    fc.assert(
      fc.property(conditions, fc.nat(), fc.constantFrom(...ILL_TYPED), (condition, place, wrong) => {
        const places = operandsOf(condition, '/when').filter(({ pointer }) => pointer !== '/when');
        const { pointer } = places[place % places.length] ?? { pointer: '/when' };
        const broken = replaced(condition, pointer, wrong);
        const [fault] = faultsOf(broken);
        expect(fault?.pointer ?? 'none').toSatisfy((named: string) => named.startsWith(pointer) || named === pointer);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('An expression', () => {
  const nested = (depth: number): RiskExpression =>
    depth === 1 ? { exists: [{ fact: 'x.text' }] } : { not: [nested(depth - 1)] };
  const wide = (nodes: number): RiskExpression => ({
    and: Array.from({ length: 2 }, (_, half) => ({
      or: Array.from({ length: half === 0 ? 100 : nodes - 103 }, () => ({ fact: 'x.flag' })),
    })),
  });

  it.each([
    ['eight operators deep', nested(8), []],
    ['nine operators deep', nested(9), ['expression_too_large']],
    ['of 200 nodes', wide(200), []],
    ['of 201 nodes', wide(201), ['expression_too_large']],
  ])('%s is judged by its size', (_, expression, codes) => {
    expect(faultsOf(expression).map(({ code }) => code)).toEqual(codes);
  });

  it.each<[string, RiskExpression, string]>([
    ['that is no condition', { count: [{ fact: 'x.many' }] }, '/when'],
    ['with too few operands', { between: [{ fact: 'x.number' }, 1] }, '/when/between'],
    ['with a list of two types', { in: [{ fact: 'x.text' }, ['a', 1]] }, '/when/in/1/1'],
    ['with an unknown fact', { not: [{ exists: [{ fact: 'x.gone' }] }] }, '/when/not/0/exists/0/fact'],
    ['with an unknown list', { in: [{ fact: 'x.text' }, { list: 'gone' }] }, '/when/in/1/list'],
    ['that compares a date with a text', { eq: [{ fact: 'x.day' }, 'soon'] }, '/when/eq/1'],
  ])('%s is refused at the place of the fault', (_, expression, pointer) => {
    expect(faultsOf(expression).map((fault) => fault.pointer)).toEqual([pointer]);
  });

  const given = {
    facts: {
      'x.number': 3,
      'x.day': '2004-02-29',
      'x.many': ['a', 'c'],
      'x.flag': true,
      'x.text': 'b',
    },
    lists: { some: ['a', 'b'] },
    today: '2026-02-28',
  };

  it.each<[RiskExpression, boolean | null]>([
    [{ eq: [{ yearsSince: [{ fact: 'x.day' }] }, 21] }, true],
    [{ eq: [{ daysSince: ['2026-02-26'] }, 2] }, true],
    [{ between: [{ fact: 'x.number' }, 3, 4] }, true],
    [{ between: [{ fact: 'x.number' }, 2, 3] }, true],
    [{ lt: [{ fact: 'x.day' }, '2004-03-01'] }, true],
    [{ any: [{ fact: 'x.many' }, { list: 'some' }] }, true],
    [{ all: [{ fact: 'x.many' }, { list: 'some' }] }, false],
    [{ contains: [{ fact: 'x.many' }, 'c'] }, true],
    [{ eq: [{ count: [{ fact: 'x.many' }] }, 2] }, true],
    [{ in: [{ fact: 'x.text' }, { list: 'some' }] }, true],
    [{ gt: [{ fact: 'x.amount' }, 1] }, null],
    [{ not: [{ gt: [{ fact: 'x.amount' }, 1] }] }, null],
    [{ or: [{ gt: [{ fact: 'x.amount' }, 1] }, { fact: 'x.flag' }] }, true],
    [{ and: [{ gt: [{ fact: 'x.amount' }, 1] }, { fact: 'x.flag' }] }, null],
    [{ and: [{ gt: [{ fact: 'x.amount' }, 1] }, { not: [{ fact: 'x.flag' }] }] }, false],
    [{ exists: [{ fact: 'x.amount' }] }, false],
  ])('%j is %s', (expression, expected) => {
    expect(faultsOf(expression)).toEqual([]);
    expect(new Evaluation(given).judge(expression).value).toBe(expected);
  });

  it('names only the facts whose absence left it unknown', () => {
    const unknown: RiskExpression = {
      or: [
        { and: [{ gt: [{ fact: 'x.amount' }, 1] }, { not: [{ fact: 'x.flag' }] }] },
        { eq: [{ fact: 'x.code' }, 'a'] },
      ],
    };
    expect(new Evaluation(given).judge(unknown)).toEqual({ value: null, missing: ['x.code'] });
  });
});
