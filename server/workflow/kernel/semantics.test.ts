/** Tests of what activities, events, repetitions, compensation and incidents mean, each on a small model of its own. */
import { describe, expect, it } from 'vitest';
import { compiled, flow, flows, Instance, processXml } from '../testing/driver.ts';
import type { Variables } from './state.ts';
import { Stale } from './step.ts';

async function run(elements: string, variables: Variables = {}, roots = ''): Promise<Instance> {
  const { graph, findings } = await compiled(processXml(elements, roots));
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return new Instance(graph, variables);
}

const ENDS = '<startEvent id="s"/><endEvent id="e"/>';
const user = (...ids: string[]): string => ids.map((id) => `<userTask id="${id}"/>`).join('');
const repeated = (loop: string): string =>
  `${ENDS}<userTask id="a">${loop}</userTask>${user('z')}${flows('s-a a-z z-e')}`;
const list = (sequential: boolean, more = ''): string =>
  `<multiInstanceLoopCharacteristics isSequential="${sequential}"><extensionElements><zeebe:loopCharacteristics
    inputCollection="=people" inputElement="person" outputCollection="verdicts" outputElement="=verdict"/>
    </extensionElements>${more}</multiInstanceLoopCharacteristics>`;

describe('A repeated activity', () => {
  it('runs for each item at once, and collects a result of each in the order of the list', async () => {
    const instance = await run(repeated(list(false)), { people: ['x', 'y'] });
    const second = instance.state.executions.find(({ index }) => index === 2)!;
    expect(second.locals).toEqual({ loopCounter: 2, person: 'y' });
    instance.do({ do: 'complete', execution: second.id, variables: { verdict: 2 } }).complete('a', { verdict: 1 });
    expect([instance.waiting, instance.variables['verdicts']]).toEqual(['z', [1, 2]]);
  });

  it('runs for one item after the other', async () => {
    const instance = await run(repeated(list(true)), { people: ['x', 'y'] });
    expect([instance.waiting, instance.complete('a').waiting, instance.complete('a').waiting]).toEqual(['a', 'a', 'z']);
  });

  it('ends early by its condition, and cancels what is still open', async () => {
    const done = '<completionCondition>=numberOfCompletedInstances &gt;= 1</completionCondition>';
    const instance = await run(repeated(list(false, done)), { people: [1, 2, 3] });
    expect([instance.waiting, instance.complete('a').waiting]).toEqual(['a a a', 'z']);
  });

  it('goes on while the condition of a loop holds, and tests first where it says so', async () => {
    const loop = (before: boolean): string =>
      repeated(`<standardLoopCharacteristics testBefore="${before}"><loopCondition>=more</loopCondition>
        </standardLoopCharacteristics>`);
    const after = await run(loop(false), { more: true });
    expect([after.complete('a').waiting, after.complete('a', { more: false }).waiting]).toEqual(['a', 'z']);
    expect((await run(loop(true), { more: false })).waiting).toBe('z');
  });

  it.each([
    ['a list that is none', { people: 3 }, 'a:expression_failed'],
    ['more than a thousand items', { people: Array.from({ length: 1001 }, () => 0) }, 'a:too_many_repetitions'],
  ])('stops at %s, and goes on when that is resolved', async (_, variables, incident) => {
    const instance = await run(repeated(list(false)), variables);
    expect([instance.incidents, instance.retry('a', { people: [] }).waiting]).toEqual([incident, 'z']);
  });
});

const MESSAGE = '<message id="m" name="go"/>';
const SIGNAL = '<signal id="sig" name="alarm"/>';
const ERROR = '<error id="err" errorCode="HIT"/>';
const ESCALATION = '<escalation id="esc" escalationCode="LATE"/>';

describe('An event', () => {
  it('that waits for a message continues with what the message brings', async () => {
    const elements = `${ENDS}<receiveTask id="r" messageRef="m"/>${user('z')}${flows('s-r r-z z-e')}`;
    const instance = (await run(elements, {}, MESSAGE)).fire('r', { paid: true });
    expect([instance.waiting, instance.variables]).toEqual(['z', { paid: true }]);
  });

  it('computes the key of a message once, when it begins to wait', async () => {
    const keyed = `<message id="m" name="go"><extensionElements><zeebe:subscription correlationKey="=id"/>
      </extensionElements></message>`;
    const elements = `${ENDS}<receiveTask id="r" messageRef="m"/>${flows('s-r r-e')}`;
    const instance = (await run(elements, { id: 'A1' }, keyed)).do({ do: 'set_variables', variables: { id: 'B2' } });
    expect(instance.state.subscriptions).toMatchObject([{ node: 'r', key: 'A1' }]);
    expect((await run(elements, { id: [] }, keyed)).incidents).toBe('r:expression_failed');
  });

  it('that repeats by time keeps its rhythm, and does not outlive its number', async () => {
    const elements = `${ENDS}${user('a', 'w')}<boundaryEvent id="b" attachedToRef="a" cancelActivity="false">
      <timerEventDefinition><timeCycle>R2/P1D</timeCycle></timerEventDefinition></boundaryEvent>
      ${flows('s-a a-e b-w w-e')}`;
    const instance = await run(elements);
    expect(instance.state.subscriptions).toMatchObject([{ due: '2026-11-27T12:00:00.000Z', left: 1 }]);
    instance.fire('b');
    expect(instance.state.subscriptions).toMatchObject([{ due: '2026-11-28T12:00:00.000Z', left: 0 }]);
    expect([instance.fire('b').state.subscriptions, instance.waiting]).toEqual([[], 'a w w']);
  });

  it('that throws a signal wakes every activity that waits for it', async () => {
    const catching = '<intermediateCatchEvent id="c"><signalEventDefinition signalRef="sig"/></intermediateCatchEvent>';
    const throwing = '<intermediateThrowEvent id="t"><signalEventDefinition signalRef="sig"/></intermediateThrowEvent>';
    const elements = `${ENDS}<parallelGateway id="g"/>${user('a', 'z')}${catching}${throwing}
      ${flows('s-g g-c g-a a-t t-e c-z z-e')}`;
    const instance = await run(elements, {}, SIGNAL);
    expect([instance.waiting, instance.complete('a').waiting]).toEqual(['a c', 'z']);
    expect(instance.effects).toContainEqual({ do: 'signal', name: 'alarm', variables: {} });
  });

  it('by condition fires when the condition begins to hold, and once only', async () => {
    const elements = `${ENDS}${user('a', 'w')}<boundaryEvent id="b" attachedToRef="a" cancelActivity="false">
      <conditionalEventDefinition><condition>=risk &gt; 5</condition></conditionalEventDefinition></boundaryEvent>
      ${flows('s-a a-e b-w w-e')}`;
    const instance = await run(elements);
    const set = (risk: number): string => instance.do({ do: 'set_variables', variables: { risk } }).waiting;
    expect([set(3), set(6), set(7), set(1), set(9)]).toEqual(['a', 'a w', 'a w', 'a w', 'a w w']);
  });
});

describe('An error', () => {
  const inner =
    '<startEvent id="is"/><userTask id="i"/><endEvent id="ie"><errorEventDefinition errorRef="err"/></endEvent>';
  const boundary = (code: string): string =>
    `<boundaryEvent id="b" attachedToRef="p"><errorEventDefinition ${code}/></boundaryEvent>`;
  const model = (caught: string, more = ''): string =>
    `${ENDS}<subProcess id="p">${inner}${flows('is-i i-ie')}${more}</subProcess>${caught}${user('w')}${flows('s-p p-e')}
      ${caught === '' ? flows('s-w w-e') : flows('b-w w-e')}`;

  it.each([
    ['by its code', 'errorRef="err"'],
    ['by an event for every code', ''],
  ])('of an end event is caught around its sub-process %s', async (_, code) => {
    expect((await run(model(boundary(code)), {}, ERROR)).complete('i').waiting).toBe('w');
  });

  it('that nothing catches stops the instance and ends a called one', async () => {
    const { graph } = await compiled(processXml(model(''), ERROR));
    const own = new Instance(graph).complete('w').complete('i');
    expect([own.incidents, own.state.status]).toEqual(['ie:unhandled_error', 'active']);
    const called = new Instance(graph, {}, { called: true }).complete('i');
    expect(called.state).toMatchObject({
      status: 'ended',
      outcome: 'error',
      errorCode: 'HIT',
      executions: [],
    });
  });

  it('is caught by an event sub-process of its scope before one further out', async () => {
    const handler = `<subProcess id="h" triggeredByEvent="true"><startEvent id="hs">
      <errorEventDefinition errorRef="err"/>
      </startEvent><userTask id="hw"/><endEvent id="he"/>${flows('hs-hw hw-he')}</subProcess>`;
    const instance = (await run(model(boundary(''), handler), {}, ERROR)).complete('i');
    expect([instance.waiting, instance.complete('hw').state.endEvent]).toEqual(['hw', 'e']);
  });

  it('in an event sub-process is not caught by that sub-process again', async () => {
    const handler = `<subProcess id="h" triggeredByEvent="true"><startEvent id="hs"><errorEventDefinition/></startEvent>
      <endEvent id="he"><errorEventDefinition errorRef="err"/></endEvent>${flows('hs-he')}</subProcess>`;
    expect((await run(model(boundary(''), handler), {}, ERROR)).complete('i').waiting).toBe('w');
  });
});

describe('An escalation', () => {
  const model = (interrupting: boolean): string => `${ENDS}<subProcess id="p"><startEvent id="is"/>
    <intermediateThrowEvent id="t"><escalationEventDefinition escalationRef="esc"/></intermediateThrowEvent>
    <userTask id="i"/><endEvent id="ie"/>${flows('is-t t-i i-ie')}</subProcess>
    <boundaryEvent id="b" attachedToRef="p" cancelActivity="${interrupting}">
    <escalationEventDefinition escalationRef="esc"/></boundaryEvent>${user('w')}${flows('s-p p-e b-w w-e')}`;

  it.each([
    ['goes on beside what it caused', false, 'i w'],
    ['ends its scope where the event interrupts', true, 'w'],
  ])('%s', async (_, interrupting, waiting) => {
    expect((await run(model(interrupting), {}, ESCALATION)).waiting).toBe(waiting);
  });
});

describe('Compensation', () => {
  const undone = (id: string): string => `<userTask id="${id}"/><userTask id="un_${id}" isForCompensation="true"/>
    <boundaryEvent id="b_${id}" attachedToRef="${id}"><compensateEventDefinition/></boundaryEvent>
    <association id="as_${id}" sourceRef="b_${id}" targetRef="un_${id}"/>`;
  const model = `${ENDS}${undone('a')}${undone('c')}${user('z')}<intermediateThrowEvent id="t">
    <compensateEventDefinition/></intermediateThrowEvent>${flows('s-a a-c c-t t-z z-e')}`;

  it('undoes what is complete, the latest first, and waits for each before the next', async () => {
    const instance = (await run(model)).complete('a').complete('c');
    const seen = [instance.waiting, instance.complete('un_c').waiting, instance.complete('un_a').waiting];
    expect([...seen, instance.complete('z').state.status]).toEqual(['un_c', 'un_a', 'z', 'ended']);
  });

  it('undoes what is complete inside of a sub-process, and nothing twice', async () => {
    const inside = `${ENDS}<subProcess id="p"><startEvent id="is"/><endEvent id="ie"/>
      ${undone('a')}${flows('is-a a-ie')}
      </subProcess>${['t', 'u']
        .map(
          (id) => `<intermediateThrowEvent id="${id}"><compensateEventDefinition/>
      </intermediateThrowEvent>`,
        )
        .join('')}${flows('s-p p-t t-u u-e')}`;
    const instance = (await run(inside)).complete('a');
    expect([instance.waiting, instance.complete('un_a').state.status]).toEqual(['un_a', 'ended']);
  });
});

describe('An inclusive join', () => {
  const split = `<inclusiveGateway id="g" default="fc"/><inclusiveGateway id="j"/>${user('a', 'b', 'c', 'z')}
    ${flow('fa', 'g', 'a', 'x')}${flow('fb', 'g', 'b', 'y')}${flow('fc', 'g', 'c')}`;

  it('continues when an event takes away the token that it waited for', async () => {
    const elements = `${ENDS}${split}<boundaryEvent id="t" attachedToRef="b"><timerEventDefinition>
      <timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent><endEvent id="e2"/>
      ${flows('s-g a-j b-j c-j j-z z-e t-e2')}`;
    const instance = (await run(elements, { x: true, y: true })).complete('a');
    expect([instance.waiting, instance.fire('t').waiting]).toEqual(['b', 'z']);
  });

  it('waits for a token that goes through a loop before it', async () => {
    const elements = `${ENDS}${split}<exclusiveGateway id="m"/><exclusiveGateway id="k" default="fj"/>
      ${flow('back', 'k', 'm', 'again')}${flow('fj', 'k', 'j')}${flows('s-g a-m m-b b-k c-j j-z z-e')}`.replace(
      flow('fb', 'g', 'b', 'y'),
      flow('fb', 'g', 'm', 'y'),
    );
    const instance = await run(elements, { x: false, y: true, again: true });
    expect([instance.complete('b').waiting, instance.complete('b', { again: false }).waiting]).toEqual(['b', 'z']);
  });
});

describe('A step', () => {
  it('that enters five thousand nodes without waiting stops as an incident', async () => {
    const elements = `${ENDS}<exclusiveGateway id="m"/><exclusiveGateway id="k" default="f"/>${flow('f', 'k', 'm')}
      ${flow('o', 'k', 'e', 'out')}${flows('s-m m-k')}`;
    const instance = await run(elements, { out: false });
    expect(instance.incidents).toMatch(/^[mk]:loop_limit$/);
  });

  it('for what is no longer under way is refused and changes nothing', async () => {
    const instance = await run(`${ENDS}${user('a')}${flows('s-a a-e')}`);
    const { id } = instance.execution('a');
    instance.complete('a');
    expect(() => instance.do({ do: 'complete', execution: id, variables: {} })).toThrow(Stale);
    expect(() => instance.do({ do: 'fire', subscription: 99, variables: {} })).toThrow(Stale);
    expect(() => instance.do({ do: 'modify', end: [id], begin: [] })).toThrow(Stale);
  });

  it('that moves a token by hand ends one activity and begins another', async () => {
    const instance = await run(`${ENDS}${user('a', 'b')}${flows('s-a a-b b-e')}`);
    instance.do({ do: 'modify', end: [instance.execution('a').id], begin: ['b'] });
    expect([instance.waiting, instance.complete('b').state.status]).toEqual(['b', 'ended']);
  });

  it('that moves a token behind a join resolves its deadlock', async () => {
    const elements = `${ENDS}<exclusiveGateway id="g" default="d"/>${flow('d', 'g', 'j')}${flow('n', 'g', 'a', 'no')}
      ${user('a', 'z')}<parallelGateway id="j"/>${flows('s-g a-j j-z z-e')}`;
    const instance = await run(elements, { no: false });
    expect([instance.incidents, instance.waiting]).toEqual(['P:deadlock', '']);
    instance.do({ do: 'modify', end: [], begin: ['z'] });
    expect([instance.incidents, instance.waiting]).toEqual(['', 'z']);
  });

  it('that would leave more than a thousand variables stops, and sets none of them', async () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`v${index}`, index]));
    const instance = (await run(`${ENDS}${user('a')}${flows('s-a a-e')}`)).complete('a', many);
    expect([instance.incidents, instance.variables]).toEqual(['a:expression_failed', {}]);
    expect(() => instance.do({ do: 'set_variables', variables: many })).toThrow('1000 variables at most');
  });

  it('that cancels leaves nothing behind', async () => {
    const instance = await run(`${ENDS}${user('a')}${flows('s-a a-e')}`);
    expect(instance.do({ do: 'cancel' }).state).toMatchObject({
      status: 'ended',
      outcome: 'cancelled',
      executions: [],
      subscriptions: [],
    });
  });

  it('keeps names like those of the language of the service as plain data', async () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"a":1}') as Variables;
    const instance = (await run(`${ENDS}${user('a')}${flows('s-a a-e')}`)).complete('a', hostile);
    expect([Object.keys(instance.variables), ({} as Record<string, unknown>)['polluted']]).toEqual([
      ['__proto__', 'a'],
      undefined,
    ]);
  });
});
