/** Tests of what is found in models, each finding with its element, and of files that must not reach the parser. */
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { threadMilliseconds } from '../../../test/support/processor-time.ts';
import { compiled, flow, flows, processXml, SHARED, sharedModel } from '../testing/driver.ts';
import { read } from './read.ts';

const found = async (elements: string, roots = ''): Promise<string[]> =>
  (await compiled(processXml(elements, roots))).findings.map(({ code, elementId }) => `${code} ${elementId}`);
const ENDS = '<startEvent id="s"/><endEvent id="e"/>';

describe('A finding names the element that it is about', () => {
  it.each([
    [
      'a gateway without a default',
      'missing_default g',
      `<exclusiveGateway id="g"/><task id="a"/>
      ${flow('f1', 'g', 'a', 'x')}${flow('f2', 'g', 'e', 'y')}${flows('s-g a-e')}`,
    ],
    [
      'a flow of a choice without a condition',
      'missing_condition f1',
      `<exclusiveGateway id="g" default="f2"/>
      <task id="a"/>${flow('f1', 'g', 'a')}${flow('f2', 'g', 'e')}${flows('s-g a-e')}`,
    ],
    ['an activity that no flow leads to', 'unreachable a', `<task id="a"/>${flows('s-e a-e')}`],
    ['a flow to nowhere', 'dangling_flow f', `${flows('s-e')}<sequenceFlow id="f" sourceRef="s"/>`],
    ['a script', 'unsupported_element a', `<scriptTask id="a"/>${flows('s-a a-e')}`],
    ['an ad-hoc sub-process', 'unsupported_element a', `<adHocSubProcess id="a"/>${flows('s-a a-e')}`],
    ['a transaction', 'unsupported_element a', `<transaction id="a"/>${flows('s-a a-e')}`],
    ['a complex gateway', 'unsupported_element a', `<complexGateway id="a"/>${flows('s-a a-e')}`],
    ['a task without a type of work', 'missing_job_type a', `<serviceTask id="a"/>${flows('s-a a-e')}`],
    [
      'code of another engine',
      'unsupported_expression a',
      `<serviceTask id="a" xmlns:camunda="c"
      camunda:class="org.Evil"/>${flows('s-a a-e')}`,
    ],
    [
      'an expression of another engine',
      'unsupported_expression f1',
      `<exclusiveGateway id="g" default="f2"/>
      <task id="a"/>${flow('f1', 'g', 'a', '${x}').replace('=$', '$')}${flow('f2', 'g', 'e')}${flows('s-g a-e')}`,
    ],
    [
      'a timer below a second',
      'invalid_timer c',
      `<intermediateCatchEvent id="c"><timerEventDefinition>
      <timeDuration>PT0S</timeDuration></timerEventDefinition></intermediateCatchEvent>${flows('s-c c-e')}`,
    ],
    [
      'a timer that repeats without a pause',
      'invalid_timer c',
      `<intermediateCatchEvent id="c"><timerEventDefinition>
      <timeCycle>R/PT0S</timeCycle></timerEventDefinition></intermediateCatchEvent>${flows('s-c c-e')}`,
    ],
    ['an event that waits for nothing', 'missing_event c', `<intermediateCatchEvent id="c"/>${flows('s-c c-e')}`],
    [
      'a gateway whose target waits for nothing',
      'invalid_event_target g',
      `<eventBasedGateway id="g"/>
      <task id="a"/>${flows('s-g g-a a-e')}`,
    ],
    [
      'a link without its other end',
      'missing_link t',
      `<intermediateThrowEvent id="t"><linkEventDefinition name="L"/>
      </intermediateThrowEvent>${flows('s-t')}`,
    ],
    [
      'four eyes with a task of another process',
      'unknown_activity a',
      `<userTask id="a" kyc:notSameUserAs="b"/>${flows('s-a a-e')}</process><process id="Q" isExecutable="true">
      <startEvent id="qs"/><userTask id="b"/><endEvent id="qe"/>${flows('qs-b b-qe')}`,
    ],
    ['four eyes with nobody', 'unknown_activity a', `<userTask id="a" kyc:notSameUserAs="b"/>${flows('s-a a-e')}`],
    [
      'a repetition without a number',
      'missing_loop_count a',
      `<task id="a"><multiInstanceLoopCharacteristics/></task>
      ${flows('s-a a-e')}`,
    ],
    [
      'an invalid expression',
      'invalid_expression f1',
      `<exclusiveGateway id="g" default="f2"/><task id="a"/>
      ${flow('f1', 'g', 'a', 'x >')}${flow('f2', 'g', 'e')}${flows('s-g a-e')}`,
    ],
    [
      'a function that FEEL lacks',
      'unknown_function f1',
      `<exclusiveGateway id="g" default="f2"/><task id="a"/>
      ${flow('f1', 'g', 'a', 'require("fs") = 1')}${flow('f2', 'g', 'e')}${flows('s-g a-e')}`,
    ],
    [
      'equality of computed numbers',
      'equality_of_computed_numbers f1',
      `<exclusiveGateway id="g" default="f2"/>
      <task id="a"/>${flow('f1', 'g', 'a', '0.1 + x = 0.3')}${flow('f2', 'g', 'e')}${flows('s-g a-e')}`,
    ],
    [
      'a range of a milliard numbers',
      'range_too_large f1',
      `<exclusiveGateway id="g" default="f2"/><task id="a"/>
      ${flow('f1', 'g', 'a', 'some i in 1..1000000000 satisfies i = 3')}${flow('f2', 'g', 'e')}${flows('s-g a-e')}`,
    ],
    ['an id of the language of the service', 'invalid_id __proto__', `<task id="__proto__"/>${flows('s-e')}`],
    ['an activity without an id', 'invalid_id null', `<userTask name="Look"/>${flows('s-e')}`],
  ])('%s', async (_, expected, elements) => {
    expect(await found(ENDS + elements)).toContain(expected);
  });

  it('and there is none in a model that is well-formed', async () => {
    expect(await found(`${ENDS}<userTask id="a"/>${flows('s-a a-e')}`)).toEqual([]);
  });
});

describe('A file', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const deep = `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}`;
  const many = processXml('<task id="same"/>'.repeat(20_000));
  it.each([
    ['with a document type', '<!DOCTYPE x><definitions/>', 'xml_forbidden_declaration'],
    [
      'with an entity bomb',
      '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "b">]><l>&a;</l>',
      'xml_forbidden_declaration',
    ],
    ['nested fifty thousand deep', deep, 'xml_too_deep'],
    ['with twenty thousand equal ids', many, 'xml_too_many_elements'],
    ['with an attribute of a hundred thousand characters', `<a b="${'x'.repeat(100_000)}"/>`, 'xml_attribute_too_long'],
    ['whose tag does not end', '<definitions ', 'xml_malformed'],
    ['whose comment does not end', '<!-- ', 'xml_malformed'],
    ['that is no XML', 'hello', 'xml_malformed'],
    ['of another kind', '<html/>', 'xml_malformed'],
    ['of more than 512 KiB', ' '.repeat(512 * 1024 + 1), 'xml_too_large'],
  ])('%s is refused within 300 ms of processor time', async (_, text, code) => {
    const before = threadMilliseconds();
    const { root, findings } = await read(bytes(text));
    expect([root, findings.map((one) => one.code)]).toEqual([null, [code]]);
    expect(threadMilliseconds() - before).toBeLessThan(300);
  });

  it('in an encoding other than the one it declares is refused', async () => {
    const invalid = Uint8Array.from([...bytes('<definitions name="'), 0xff, 0xfe, ...bytes('"/>')]);
    expect((await read(invalid)).findings.map(({ code }) => code)).toEqual(['xml_encoding']);
  });

  it('is decoded as its declaration or its byte order mark says', async () => {
    const named = processXml('<userTask id="a" name="Prüfung"/>').replace('UTF-8', 'ISO-8859-1');
    const latin = Uint8Array.from(named, (character) => character.charCodeAt(0));
    const wide = new Uint8Array(Buffer.from(`\ufeff${processXml('<userTask id="a" name="Prüfung"/>')}`, 'utf16le'));
    for (const file of [latin, wide]) {
      const { root } = await read(file);
      expect(root?.['rootElements'][0].flowElements[0].name).toBe('Prüfung');
    }
  });
});

const models = existsSync(SHARED) ? globSync('**/*.bpmn', { cwd: fileURLToPath(SHARED) }).sort() : [];

describe('The models at hand', () => {
  it.each(models)('%s is read, and compiled even where it only documents a procedure', async (path) => {
    const { graph, findings } = await compiled(
      sharedModel(path).replaceAll('isExecutable="false"', 'isExecutable="true"'),
    );
    expect(graph.program.nodes.length).toBeGreaterThan(0);
    expect(findings.filter(({ code }) => code === 'xml_malformed' || code === 'invalid_id')).toEqual([]);
  });

  it('may map inputs of a start event, which have no effect', async () => {
    const { graph, findings } = await compiled(
      processXml(`<startEvent id="s"><extensionElements><zeebe:ioMapping><zeebe:input source="=1" target="one"/>
        </zeebe:ioMapping></extensionElements></startEvent><endEvent id="e"/>${flows('s-e')}`),
    );
    expect(findings).toMatchObject([{ severity: 'warning', code: 'unsupported_element', elementId: 's' }]);
    expect(graph.program.nodes[0]).not.toHaveProperty('inputs');
  });

  it('may leave out the ids of flows, which then follow from their ends', async () => {
    const unnamed = (from: string, to: string) => `<sequenceFlow sourceRef="${from}" targetRef="${to}"/>`;
    const { graph, findings } = await compiled(
      processXml(`${ENDS}<userTask id="a"/>${unnamed('s', 'a')}${unnamed('a', 'e')}${unnamed('a', 'e')}`),
    );
    expect(findings).toEqual([]);
    expect(graph.program.flows.map(({ id }) => id)).toEqual(['s.a.1', 'a.e.1', 'a.e.2']);
    const named = await compiled(processXml(`${ENDS}<userTask id="a"/>${unnamed('s', 'a')}${flow('s.a.1', 'a', 'e')}`));
    expect(named.findings).toEqual([]);
    expect(named.graph.program.flows.map(({ id }) => id)).toEqual(['s.a.2', 's.a.1']);
  });

  it('include one of a single user task', async () => {
    const { graph } = await compiled(processXml(`${ENDS}<userTask id="a"/>${flows('s-a a-e')}`));
    expect(graph.program.nodes.map(({ type }) => type)).toEqual(['start', 'end', 'user']);
  });
});
