/** Tests of the way of an instance from one version of its process to another. */
import { describe, expect, it } from 'vitest';
import type { BusinessTime } from '../base/time.ts';
import { compile } from './bpmn/compile.ts';
import { read } from './bpmn/read.ts';
import { Graph } from './kernel/graph.ts';
import { start, step } from './kernel/step.ts';
import { migrated } from './migration.ts';

const at = new Date('2026-11-26T12:00:00.000Z') as BusinessTime;
const environment = {
  at,
  evaluate: (): never => {
    throw new Error('No expression is evaluated in these tests.');
  },
};

const flow = (id: string, from: string, to: string): string =>
  `<sequenceFlow id="${id}" sourceRef="${from}" targetRef="${to}"/>`;

async function graphOf(elements: string): Promise<Graph> {
  const file = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t">
    <process id="p" isExecutable="true">${elements}</process></definitions>`;
  const { root } = await read(Buffer.from(file));
  return new Graph(compile(root!).program);
}

const ENDS = '<startEvent id="s"/><endEvent id="e"/>';
const one = (id: string): string => `${ENDS}<userTask id="${id}"/>${flow('f1', 's', id)}${flow('f2', id, 'e')}`;

const timer = (id: string, duration: string): string => `<intermediateCatchEvent id="${id}"><timerEventDefinition>
  <timeDuration>${duration}</timeDuration></timerEventDefinition></intermediateCatchEvent>`;

async function moved(from: string, to: string, ids: Readonly<Record<string, string>> = {}) {
  const versions = { from: await graphOf(from), to: await graphOf(to), ids: new Map(Object.entries(ids)) };
  const before = start(versions.from, { process: 'p', variables: {} }, environment);
  return { versions, before, after: migrated(versions, before, at) };
}

describe('An instance that continues by another version', () => {
  it('goes on from the same task, also under another id', async () => {
    const { versions, before, after } = await moved(one('review'), one('first_review'), { review: 'first_review' });
    if ('faults' in after) throw new Error('It should be possible.');
    expect(after.state.executions.map(({ id, node }) => [id, node])).toEqual([
      [1, 'p'],
      [2, 'first_review'],
    ]);
    const done = step(
      versions.to,
      { state: after.state, variables: before.variables },
      { do: 'complete', execution: 2, variables: {} },
      environment,
    );
    expect(done.state).toMatchObject({ status: 'ended', endEvent: 'e' });
  });

  it.each([
    ['has no such task', one('other'), 'unknown_element'],
    [
      'has a task of another type',
      `${ENDS}<receiveTask id="review"/>${flow('f1', 's', 'review')}${flow('f2', 'review', 'e')}`,
      'other_type',
    ],
    [
      'has the task inside of a sub-process',
      `${ENDS}<subProcess id="sub"><startEvent id="is"/><userTask id="review"/><endEvent id="ie"/>
        ${flow('i1', 'is', 'review')}${flow('i2', 'review', 'ie')}</subProcess>${flow('f1', 's', 'sub')}
        ${flow('f2', 'sub', 'e')}`,
      'other_scope',
    ],
  ])('is refused where that version %s', async (_, to, code) => {
    const { after } = await moved(one('review'), to);
    expect(after).toMatchObject({ faults: [{ elementId: 'review', code }] });
  });

  it('is refused where a token waits at a join over a flow that is gone', async () => {
    const join = (second: string): string => `${ENDS}<parallelGateway id="split"/><parallelGateway id="join"/>
      <userTask id="a"/>${flow('f1', 's', 'split')}${flow('f2', 'split', 'a')}${flow('f3', 'a', 'join')}
      ${flow(second, 'split', 'join')}${flow('f5', 'join', 'e')}`;
    const { after } = await moved(join('f4'), join('other'));
    expect(after).toMatchObject({ faults: [{ elementId: 'f4', code: 'unknown_flow' }] });
  });

  it('waits for an event that the version adds to what is under way', async () => {
    const timed = `${one('review')}<boundaryEvent id="t" attachedToRef="review"><timerEventDefinition>
      <timeDuration>P30D</timeDuration></timerEventDefinition></boundaryEvent>${flow('f3', 't', 'e')}`;
    const { after } = await moved(one('review'), timed);
    if ('faults' in after) throw new Error('It should be possible.');
    expect(after.state.subscriptions).toMatchObject([{ node: 't', execution: 2, due: '2026-12-26T12:00:00.000Z' }]);
  });

  it('no longer waits for an event that the version has not', async () => {
    const timed = `${one('review')}<boundaryEvent id="t" attachedToRef="review"><timerEventDefinition>
      <timeDuration>P30D</timeDuration></timerEventDefinition></boundaryEvent>${flow('f3', 't', 'e')}`;
    const { after } = await moved(timed, one('review'));
    if ('faults' in after) throw new Error('It should be possible.');
    expect(after.state.subscriptions).toEqual([]);
  });

  it('no longer waits for an event that is at another activity in the version', async () => {
    const two = (host: string): string => `${ENDS}<userTask id="a"/><userTask id="b"/>
      <boundaryEvent id="t" attachedToRef="${host}"><timerEventDefinition><timeDuration>P30D</timeDuration>
      </timerEventDefinition></boundaryEvent>${flow('f1', 's', 'a')}${flow('f2', 'a', 'b')}${flow('f3', 'b', 'e')}
      ${flow('f4', 't', 'e')}`;
    const { after } = await moved(two('a'), two('b'));
    if ('faults' in after) throw new Error('It should be possible.');
    expect(after.state.subscriptions).toEqual([]);
  });

  it('waits for the events that follow its gateway in the version', async () => {
    const choice = (second: string): string => `${ENDS}<eventBasedGateway id="g"/>${timer('t', 'P30D')}
      ${timer(second, 'P60D')}${flow('f1', 's', 'g')}${flow('f2', 'g', 't')}${flow('f3', 'g', second)}
      ${flow('f4', 't', 'e')}${flow('f5', second, 'e')}`;
    const { after } = await moved(choice('late'), choice('later'));
    if ('faults' in after) throw new Error('It should be possible.');
    expect(after.state.subscriptions.map(({ node }) => node)).toEqual(['t', 'later']);
  });

  it('does not wait again for what has happened already', async () => {
    const reminded = `${one('review')}<userTask id="remind"/><boundaryEvent id="t" attachedToRef="review"
      cancelActivity="false"><timerEventDefinition><timeDuration>P30D</timeDuration></timerEventDefinition>
      </boundaryEvent>${flow('f3', 't', 'remind')}${flow('f4', 'remind', 'e')}`;
    const { versions, before } = await moved(reminded, reminded);
    const subscription = before.state.subscriptions[0]!.id;
    const fired = step(versions.from, before, { do: 'fire', subscription, variables: {} }, environment);
    expect(migrated(versions, fired, at)).toMatchObject({ state: { subscriptions: [] } });
  });
});
