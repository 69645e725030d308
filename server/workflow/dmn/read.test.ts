/** Tests of reading decision tables from files of DMN. */
import { describe, expect, it } from 'vitest';
import type { BusinessTime } from '../../base/time.ts';
import { decide } from '../feel/decision-table.ts';
import { isDmn, readDecision } from './read.ts';

const at = new Date('2026-11-26T12:00:00.000Z') as BusinessTime;

const file = (table: string, namespace = 'https://www.omg.org/spec/DMN/20191111/MODEL/', id = 'route'): Buffer =>
  Buffer.from(`<definitions xmlns="${namespace}" id="d" name="n" namespace="x">
    <decision id="${id}" name="Route">${table}</decision></definitions>`);

const table = (rules: string, attributes = ''): string => `<decisionTable ${attributes}>
  <input><inputExpression><text>amount</text></inputExpression></input><output name="route"/>${rules}</decisionTable>`;
const rule = (when: string, then: string): string =>
  `<rule><inputEntry><text>${when}</text></inputEntry><outputEntry><text>${then}</text></outputEntry></rule>`;

const GOOD = table(rule('&gt; 1000', '"review"') + rule('', '"automatic"'), 'hitPolicy="FIRST"');

describe('A file of DMN', () => {
  it.each([
    'https://www.omg.org/spec/DMN/20191111/MODEL/',
    'http://www.omg.org/spec/DMN/20180521/MODEL/',
    'http://www.omg.org/spec/DMN/20151101/dmn.xsd',
  ])('of the namespace %s is read as a table that decides', (namespace) => {
    const bytes = file(GOOD, namespace);
    expect(isDmn(bytes)).toBe(true);
    const { decision, findings } = readDecision(bytes);
    expect([decision!.id, decision!.name, findings]).toEqual(['route', 'Route', []]);
    expect(decide(decision!.table, { amount: 5000 }, at)).toEqual({ result: { route: 'review' }, rules: [1] });
    expect(decide(decision!.table, { amount: 5 }, at)).toEqual({ result: { route: 'automatic' }, rules: [2] });
  });

  it('is told from one of BPMN', () => {
    const bpmn = '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t"/>';
    expect(isDmn(Buffer.from(bpmn))).toBe(false);
    const prefixed = bpmn.replace('<definitions xmlns=', '<b:definitions xmlns:b=');
    const withFeel = prefixed.replace('targetNamespace', 'xmlns:feel="http://www.omg.org/spec/DMN/20180521/FEEL/" $&');
    expect(isDmn(Buffer.from(withFeel))).toBe(false);
  });

  it.each([
    ['an unknown hit policy', table(rule('-', '1'), 'hitPolicy="RULE ORDER"'), 'unsupported_element'],
    ['a sum of its results', table(rule('-', '1'), 'hitPolicy="COLLECT" aggregation="SUM"'), 'unsupported_element'],
    ['a rule with too few cells', table('<rule><inputEntry><text>-</text></inputEntry></rule>'), 'invalid_expression'],
    ['a cell that is no FEEL', table(rule('((', '1')), 'invalid_expression'],
    ['an output without a name', GOOD.replace(' name="route"', ''), 'invalid_variable'],
    ['too many rules', table(rule('-', '1').repeat(501)), 'too_many_nodes'],
  ])('with %s is a draft that says so', (_, content, code) => {
    const { decision, findings } = readDecision(file(content));
    expect(decision).not.toBeNull();
    expect(findings.map((finding) => finding.code)).toContain(code);
  });

  it.each([
    ['no decision table', file('<literalExpression><text>1</text></literalExpression>')],
    ['an id that cannot be a key', file(GOOD, undefined, '1 2')],
    ['tags that are not closed', Buffer.from(file(GOOD).toString().slice(0, -20))],
    ['a document type', Buffer.from(`<!DOCTYPE x [<!ENTITY a "b">]>${file(GOOD).toString()}`)],
  ])('with %s is refused', (_, bytes) => {
    const { decision, findings } = readDecision(bytes);
    expect(decision).toBeNull();
    expect(findings).toMatchObject([{ severity: 'error' }]);
  });
});
