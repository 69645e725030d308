/** Tests of repetitions, joins, compensation and variables: what each repetition and scope sees and leaves behind. */
import { describe, expect, it } from 'vitest';
import { flow, flows } from '../testing/driver.ts';
import {
  begun,
  boundary,
  call,
  COMPENSATE,
  end,
  ENDS,
  gateway,
  handler,
  HIT,
  MESSAGE,
  played,
  repeats,
  sub,
  thrown,
  user,
} from '../testing/elements.ts';
import type { Instance } from '../testing/driver.ts';
import type { Variables } from './state.ts';

const repeated = (loop: string): string =>
  `${ENDS}<userTask id="a">${loop}</userTask>${user('w', 'z')}${boundary('b', 'a', MESSAGE)}
    ${flows('s-a a-z z-e b-w w-e')}`;
const completeAt = (instance: Instance, index: number, variables: Variables): Instance =>
  instance.do({
    do: 'complete',
    execution: instance.state.executions.find((one) => one.index === index)!.id,
    variables,
  });

describe('Repetitions', () => {
  it('in turn stop at their condition, and the list has the results so far', async () => {
    const loop = repeats('in turn', { of: 'people', until: 'result = "no"', collects: 'results' });
    const instance = await begun(repeated(loop), { people: [1, 2, 3] });
    instance.complete('a', { result: 'yes' }).complete('a', { result: 'no' });
    expect([instance.waiting, instance.variables['results']]).toEqual(['z', ['yes', 'no']]);
  });

  it('in turn that an event ends leave no list', async () => {
    const loop = repeats('in turn', { of: 'people', collects: 'results' });
    const instance = (await begun(repeated(loop), { people: [1, 2] })).complete('a', { result: 1 }).fire('b');
    expect([instance.waiting, instance.variables['results']]).toEqual(['w', undefined]);
  });

  it('at once that end early have nothing in the list for those that were not done', async () => {
    const loop = repeats('at once', { of: 'people', until: 'numberOfCompletedInstances = 2', collects: 'results' });
    const instance = await begun(repeated(loop), { people: ['x', 'y', 'z'] });
    completeAt(completeAt(instance, 3, { result: 'third' }), 1, { result: 'first' });
    expect([instance.waiting, instance.variables['results']]).toEqual(['z', ['first', null, 'third']]);
  });

  it('of an empty list are over at once, and their list is empty', async () => {
    const loop = repeats('at once', { of: 'people', collects: 'results' });
    const instance = await begun(repeated(loop), { people: [] });
    expect([instance.waiting, instance.variables['results']]).toEqual(['z', []]);
  });

  it('in turn see how many are done and none that is under way', async () => {
    const loop = repeats('in turn', { count: 9, until: 'numberOfActiveInstances = 0 and loops = 2' });
    expect(await played(repeated(loop), 'loops=1 a loops=2 a')).toEqual(['a', 'a', 'a', 'a', 'z']);
  });

  it('of a loop with a maximum and no condition are as many', async () => {
    const loop = '<standardLoopCharacteristics loopMaximum="2"/>';
    expect(await played(repeated(loop), 'a a')).toEqual(['a', 'a', 'z']);
  });

  it('of a call are as many calls, and each gives its result', async () => {
    const loop = repeats('at once', { of: 'people', collects: 'results' });
    const instance = await begun(`${ENDS}${call('a', loop)}${user('z')}${flows('s-a a-z z-e')}`, { people: [1, 2] });
    expect(instance.waiting).toBe('a a');
    completeAt(completeAt(instance, 2, { result: 'two' }), 1, { result: 'one' });
    expect([instance.waiting, instance.variables['results']]).toEqual(['z', ['one', 'two']]);
  });

  it('inside of repetitions are for each item of each list', async () => {
    const loop = repeats('at once', { of: 'groups' });
    const inner = `${loop}<startEvent id="p_s"/><userTask id="a">${repeats('at once', { of: 'item' })}</userTask>
      ${end('p_e')}${flows('p_s-a a-p_e')}`;
    const elements = `${ENDS}<subProcess id="p">${inner}</subProcess>${user('z')}${flows('s-p p-z z-e')}`;
    const instance = await begun(elements, { groups: [[1, 2], [3]] });
    const items = instance.state.executions.flatMap(({ node, locals }) => (node === 'a' && locals ? [locals] : []));
    expect(items.map(({ item }) => item)).toEqual([1, 2, 3]);
    expect(instance.complete('a').complete('a').complete('a').waiting).toBe('z');
  });

  it('hide a variable of the name of their item, and leave it as it was', async () => {
    const loop = repeats('in turn', { of: 'people', collects: 'results' });
    const instance = await begun(repeated(loop), { people: ['x'], item: 'outer' });
    expect(instance.execution('a').locals).toMatchObject({ item: 'x' });
    instance.complete('a', { item: 'inner', result: 1 });
    expect(instance.variables).toMatchObject({ item: 'outer', results: [1] });
  });
});

describe('A variable', () => {
  const MAPPED = `<extensionElements><zeebe:ioMapping><zeebe:input source="=limit * 2" target="limit"/>
    <zeebe:output source="=limit + 1" target="found"/></zeebe:ioMapping></extensionElements>`;
  const scope = (inner: string): string =>
    `${ENDS}<subProcess id="p">${MAPPED}<startEvent id="p_s"/>${inner}${end('p_e')}${flows('p_s-i i-p_e')}</subProcess>
      ${user('z')}${flows('s-p p-z z-e')}`;

  it('of a scope hides that of the instance, and what is set inside changes the nearer one', async () => {
    const instance = await begun(scope(user('i')), { limit: 5 });
    instance.complete('i', { limit: 20 });
    expect([instance.waiting, instance.variables]).toEqual(['z', { limit: 5, found: 21 }]);
  });

  it('that is new inside of a scope is one of the instance', async () => {
    const instance = (await begun(scope(user('i')), { limit: 5 })).complete('i', { note: 'seen' });
    expect(instance.variables).toEqual({ limit: 5, found: 11, note: 'seen' });
  });

  it('that a message carries to a boundary is set around its activity', async () => {
    const inner = `<userTask id="i"><extensionElements><zeebe:ioMapping><zeebe:input source="=1" target="score"/>
      </zeebe:ioMapping></extensionElements></userTask>${boundary('b', 'i', MESSAGE, 'accompanies')}${user('w')}
      ${flows('b-w w-p_e')}`;
    const instance = (await begun(scope(inner), { limit: 5 })).fire('b', { score: 9, limit: 7 });
    expect([instance.waiting, instance.execution('i').locals, instance.variables]).toEqual([
      'i w',
      { score: 1 },
      { limit: 5, score: 9 },
    ]);
    expect(instance.state.executions.find(({ node }) => node === 'p')?.locals).toEqual({ limit: 7 });
  });
});

describe('A join', () => {
  it('of inclusive gateways in each other waits for the tokens of its own split', async () => {
    const elements = `${ENDS}<inclusiveGateway id="g" default="f2"/><inclusiveGateway id="h" default="f3"/>
      ${gateway('inclusive', 'k', 'j')}${user('a', 'b', 'c', 'z')}${flow('f1', 'g', 'h', 'x')}${flow('f2', 'g', 'c')}
      ${flow('f3', 'h', 'a')}${flow('f4', 'h', 'b', 'x')}${flow('f5', 'h', 'a', 'x')}${flow('f6', 'g', 'c', 'x')}
      ${flows('s-g a-k b-k k-j c-j j-z z-e')}`;
    expect(await played(elements, 'c a b', { x: true })).toEqual(['a b c', 'a b', 'b', 'z']);
  });

  it('of parallel flows waits again in each round of a loop', async () => {
    const elements = `${ENDS}${gateway('exclusive', 'l')}<exclusiveGateway id="k" default="out"/>
      ${gateway('parallel', 'g', 'j')}${user('a', 'b')}${flow('out', 'k', 'e')}${flow('back', 'k', 'l', 'again')}
      ${flows('s-l l-g g-a g-b a-j b-j j-k')}`;
    expect(await played(elements, 'a b b again=false a', { again: true })).toEqual([
      'a b',
      'b',
      'a b',
      'a',
      'a',
      '',
      'ended at e',
    ]);
  });

  it('of parallel flows counts two tokens over the same flow once', async () => {
    const elements = `${ENDS}${gateway('parallel', 'f', 'j')}${gateway('exclusive', 'l')}${user('a', 'c', 'd', 'z')}
      ${flows('s-f f-a f-c f-d a-l c-l l-j d-j j-z z-e')}`;
    expect(await played(elements, 'a c d z')).toEqual(['a c d', 'c d', 'd', 'z', '', 'P:deadlock']);
  });

  it('is not needed after a choice, which takes the first condition that holds, in the order of the file', async () => {
    const elements = `${ENDS}<exclusiveGateway id="g" default="f3"/>${user('a', 'b', 'c')}
      ${flow('f1', 'g', 'a', 'n > 9')}${flow('f2', 'g', 'b', 'n > 5')}
      ${flow('f3', 'g', 'c')}${flows('s-g a-e b-e c-e')}`;
    const taken = await Promise.all([10, 7, 1].map((n) => played(elements, '', { n })));
    expect(taken).toEqual([['a'], ['b'], ['c']]);
  });
});

describe('Compensation', () => {
  const undone = (id: string, loop = ''): string => `<userTask id="${id}">${loop}</userTask>
    <boundaryEvent id="on_${id}" attachedToRef="${id}">${COMPENSATE}</boundaryEvent>
    <userTask id="un_${id}" isForCompensation="true"/><association id="l_${id}" associationDirection="One"
      sourceRef="on_${id}" targetRef="un_${id}"/>`;

  it('of one activity leaves the others as they are', async () => {
    const one = thrown('t', '<compensateEventDefinition activityRef="a"/>');
    const elements = `${ENDS}${undone('a')}${undone('c')}${one}${user('z')}${flows('s-a a-c c-t t-z z-e')}`;
    expect(await played(elements, 'a c un_a')).toEqual(['a', 'c', 'un_a', 'z']);
  });

  it('undoes nothing that is not complete', async () => {
    const elements = `${ENDS}${gateway('parallel', 'g')}${undone('a')}${user('k', 'z')}${thrown('t', COMPENSATE)}
      ${flows('s-g g-a g-k k-t t-z a-e z-e')}`;
    expect(await played(elements, 'k')).toEqual(['a k', 'a z']);
  });

  it('undoes repetitions together', async () => {
    const elements = `${ENDS}${undone('a', repeats('at once', { count: 2 }))}${thrown('t', COMPENSATE)}${user('z')}
      ${flows('s-a a-t t-z z-e')}`;
    expect(await played(elements, 'a a un_a')).toEqual(['a a', 'a', 'un_a', 'z']);
  });

  it('in an event sub-process undoes what was done around it', async () => {
    const rescue = handler('h', HIT, 'interrupts').replace(
      '<userTask id="h_w"/>',
      `<intermediateThrowEvent id="h_w">${COMPENSATE}</intermediateThrowEvent>`,
    );
    const inner = `${undone('i')}${user('j')}${end('p_e')}${rescue}`;
    const elements = `${ENDS}${sub('p', 'p_s-i i-j j-p_e', inner)}${user('z')}${flows('s-p p-z z-e')}`;
    expect(await played(elements, 'i j!HIT un_i')).toEqual(['i', 'j', 'un_i', 'z']);
  });
});
