/** Tests of mappings: which variables an activity or event sets, and what happens if one cannot be computed. */
import { describe, expect, it } from 'vitest';
import { compiled, flow, flows, Instance, processXml } from '../testing/driver.ts';
import type { Variables } from './state.ts';

async function run(elements: string, variables: Variables = {}): Promise<Instance> {
  const roots = '<message id="m" name="go"/><message id="n" name="stop"/>';
  const { graph, findings } = await compiled(processXml(elements, roots));
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return new Instance(graph, variables);
}

const ENDS = '<startEvent id="s"/><endEvent id="e"/>';
/** Sets `paid.reais` from an amount in centavos. Of zero, it makes a range, which no variable can hold. */
const OUTPUT = `<extensionElements><zeebe:ioMapping>
  <zeebe:output source="=if amount = 0 then [1..2] else amount / 100" target="paid.reais"/>
  </zeebe:ioMapping></extensionElements>`;
const MESSAGE = '<messageEventDefinition messageRef="m"/>';
const Z = '<userTask id="z"/>';

describe('A mapping of results', () => {
  it.each([
    [
      'of an activity',
      `${ENDS}<userTask id="a">${OUTPUT}</userTask>${Z}${flows('s-a a-z z-e')}`,
      (instance: Instance, given: Variables) => instance.complete('a', given),
    ],
    [
      'at the boundary of an activity',
      `${ENDS}<userTask id="a"/>${Z}<boundaryEvent id="b" attachedToRef="a">${OUTPUT}${MESSAGE}</boundaryEvent>
        ${flows('s-a a-e b-z z-e')}`,
      (instance: Instance, given: Variables) => instance.fire('b', given),
    ],
    [
      'of an event after an event-based gateway',
      `${ENDS}<eventBasedGateway id="g"/><intermediateCatchEvent id="c">${OUTPUT}${MESSAGE}</intermediateCatchEvent>
        <intermediateCatchEvent id="d"><messageEventDefinition messageRef="n"/></intermediateCatchEvent>${Z}
        ${flows('s-g g-c g-d c-z d-e z-e')}`,
      (instance: Instance, given: Variables) => instance.fire('c', given),
    ],
    [
      'of the start of an event sub-process',
      `${ENDS}<userTask id="a"/><subProcess id="p" triggeredByEvent="true"><startEvent id="ps">${OUTPUT}${MESSAGE}
        </startEvent><endEvent id="pe"/>${Z}${flows('ps-z z-pe')}</subProcess>${flows('s-a a-e')}`,
      (instance: Instance, given: Variables) => instance.fire('ps', given),
    ],
  ])('%s sets variables, and one that failed is computed again after a retry', async (_, elements, happens) => {
    const instance = happens(await run(elements), { amount: 1250 });
    expect([instance.waiting, instance.variables['paid']]).toEqual(['z', { reais: 12.5 }]);
    expectComputedAgain(happens(await run(elements), { amount: 0 }));
  });

  it('of the start of a process sets variables beside those that it was started with', async () => {
    const elements = `<startEvent id="s">${OUTPUT}</startEvent><endEvent id="e"/>${Z}${flows('s-z z-e')}`;
    const started = await run(elements, { amount: 1250 });
    expect([started.waiting, started.variables]).toEqual(['z', { amount: 1250, paid: { reais: 12.5 } }]);
    expectComputedAgain(await run(elements, { amount: 0 }));
  });

  function expectComputedAgain(instance: Instance): void {
    const failed = instance.state.executions.find(({ incident }) => incident !== undefined)!;
    expect([failed.incident?.code, instance.waiting, instance.variables['paid']]).toEqual([
      'expression_failed',
      '',
      undefined,
    ]);
    // As an operator does it: the variables are changed, then the incident is resolved.
    instance.do({ do: 'set_variables', variables: { amount: 300 } });
    expect(instance.retry(failed.node).waiting).toBe('z');
    expect(instance.variables['paid']).toEqual({ reais: 3 });
  }

  it('of an event is applied once, although no flow could be taken at first', async () => {
    const elements = `${ENDS}<userTask id="a"/><userTask id="z"/><boundaryEvent id="b" attachedToRef="a"
      cancelActivity="false"><extensionElements><zeebe:ioMapping><zeebe:output source="=reminders + 1"
      target="reminders"/></zeebe:ioMapping></extensionElements>${MESSAGE}</boundaryEvent>
      ${flows('s-a a-e z-e')}${flow('f1', 'b', 'z', 'open')}${flow('f2', 'b', 'z', 'open = false')}`;
    const instance = (await run(elements, { reminders: 0 })).fire('b');
    expect([instance.incidents, instance.variables['reminders']]).toEqual(['b:expression_failed', 0]);
    expect([instance.retry('b', { open: true }).waiting, instance.variables['reminders']]).toEqual(['a z', 1]);
  });
});

describe('A mapping of what an event sends', () => {
  it('decides alone what the message carries', async () => {
    const elements = `<startEvent id="s"/><endEvent id="e"><extensionElements><zeebe:ioMapping>
      <zeebe:input source="=score" target="score"/></zeebe:ioMapping></extensionElements>${MESSAGE}</endEvent>
      ${flows('s-e')}`;
    const instance = await run(elements, { score: 7, name: 'x' });
    expect(instance.effects).toContainEqual({
      do: 'message',
      name: 'go',
      key: null,
      variables: { score: 7 },
    });
  });
});
