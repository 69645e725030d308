/** Tests of expressions and decision tables: what they may see, and what is replaced in the library. */
import { describe, expect, it } from 'vitest';
import { type BusinessTimestamp, readBusinessTime } from '../../base/time.ts';
import { EvaluationFailed } from '../kernel/run.ts';
import { type DecisionTable, decide, lintTable } from './decision-table.ts';
import { evaluateFeel } from './evaluate.ts';

const AT = readBusinessTime('2026-11-27T01:30:00.000Z' as BusinessTimestamp);
const value = (text: string, variables = {}): unknown => evaluateFeel(text, variables, AT);

describe('An expression', () => {
  it.each([
    ['score > 3 and level = "high"', { score: 4, level: 'high' }, true],
    ['person.name', { person: { name: 'Ana' } }, 'Ana'],
    ['missing', {}, null],
    ['today()', {}, '2026-11-26'],
    ['matches(text, "^(a+)+$")', { text: `${'a'.repeat(40)}!` }, false],
    ['matches(text, "ANA", "i")', { text: 'ana' }, true],
    ['matches(text, "(", "i")', { text: 'ana' }, null],
    ['replace(text, "a+", "b")', { text: 'caat' }, 'cbt'],
    ['split(text, ";")', { text: 'a;b' }, ['a', 'b']],
    ['date("2026-01-31") + duration("P1M")', {}, '2026-02-28'],
    ['{ a: 1, b: [2] }', {}, { a: 1, b: [2] }],
  ])('%s', (text, variables, expected) => {
    expect(value(text, variables)).toEqual(expected);
  });

  it('tells the time of the step, so that a step computed again has the same result', () => {
    expect(String(value('now()'))).toContain('2026-11-27T01:30');
  });

  it.each([
    ['that reaches for the language of the service', 'a.constructor', { a: {} }, null],
    ['that reaches for a prototype', 'a.__proto__', { a: {} }, null],
  ])('%s has no value', (_, text, variables, expected) => {
    expect(value(text, variables)).toBe(expected);
  });

  it('depends on nothing but the variables of its own evaluation', () => {
    const text = 'if x = null then "none" else x';
    expect([{ x: 1 }, {}, { x: [2] }, { y: 3 }].map((variables) => value(text, variables))).toEqual([
      1,
      'none',
      [2],
      'none',
    ]);
    expect(value('x.y', { x: { y: 4 } })).toBe(4);
    expect(value('string length(text) // a comment', { text: 'ana', string: 'x' })).toBe(3);
  });

  it('that is too long to be kept is evaluated anew each time', () => {
    const text = Array.from({ length: 100 }, () => 'x').join(' + ');
    expect([1, 2].map((x) => value(text, { x }))).toEqual([100, 200]);
  });

  it.each([
    ['is not valid', 'x >'],
    ['would be valid in parentheses alone', '1) + (2'],
    ['has a function as its result', 'function(x) x'],
    ['calls itself without end', '{ f: function(g) g(g), r: f(f) }.r'],
    ['has a text as its result that is too long to be kept', 'string join(for i in 1..9000 return "12345678")'],
    ['has a list as its result that is too long to be kept', 'for i in 1..9000, j in 1..8 return i'],
  ])('that %s fails without a trace of the service', (_, text) => {
    expect(() => value(text)).toThrow(EvaluationFailed);
  });
});

const ROUTE: DecisionTable = {
  hitPolicy: 'first',
  inputs: [{ expression: 'hits' }, { expression: 'level' }],
  outputs: [{ name: 'route' }],
  rules: [
    { when: ['> 0', '-'], then: ['"review"'] },
    { when: ['-', '"high","prohibited"'], then: ['"enhanced"'] },
    { when: ['-', '-'], then: ['"automatic"'] },
  ],
};

describe('A decision table', () => {
  it.each([
    [{ hits: 2, level: 'low' }, 'review', 1],
    [{ hits: 0, level: 'high' }, 'enhanced', 2],
    [{ hits: 0, level: 'low' }, 'automatic', 3],
  ])('decides %j by its first matching rule', (variables, route, rule) => {
    expect(decide(ROUTE, variables, AT)).toEqual({ result: { route }, rules: [rule] });
  });

  it('tests cells that are too long to be kept', () => {
    const levels = Array.from({ length: 100 }, (_, number) => `"level_${number}"`).join();
    const rules = [{ when: ['-', levels], then: ['"known"'] }, ...ROUTE.rules];
    const decided = ['level_99', 'high', 'level_0'].map((level) => decide({ ...ROUTE, rules }, { hits: 0, level }, AT));
    expect(decided.map(({ rules: [rule] }) => rule)).toEqual([1, 3, 1]);
  });

  it('collects the outputs of all rules that match', () => {
    const all = decide({ ...ROUTE, hitPolicy: 'collect' }, { hits: 1, level: 'high' }, AT);
    expect(all.rules).toEqual([1, 2, 3]);
  });

  it.each([
    ['matches no rule', { ...ROUTE, rules: ROUTE.rules.slice(0, 1) }, { hits: 0, level: 'low' }],
    ['matches several rules but may match one', { ...ROUTE, hitPolicy: 'unique' as const }, { hits: 1, level: 'low' }],
    ['matches rules that do not agree', { ...ROUTE, hitPolicy: 'any' as const }, { hits: 1, level: 'low' }],
  ])('fails if it %s', (_, table, variables) => {
    expect(() => decide(table, variables, AT)).toThrow(EvaluationFailed);
  });

  it('is checked cell by cell before it is used', () => {
    const broken = {
      ...ROUTE,
      rules: [
        { when: ['> ', '-'], then: ['"x"'] },
        { when: ['-'], then: ['1'] },
      ],
    };
    expect(lintTable(broken).map(({ elementId }) => elementId)).toEqual(['rules/0', 'rules/1']);
    expect(lintTable(ROUTE)).toEqual([]);
  });
});
