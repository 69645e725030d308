/**
 * Runs the models of the workflow patterns and of related constructs. They are beside the project in its development
 * environment; without them, the tests of each construct in this folder replace them.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compiled, flows, Instance, processXml, SHARED, sharedModel } from '../testing/driver.ts';
import type { Variables } from './state.ts';

type Case = readonly [title: string, expected: unknown, run: () => Promise<unknown>];

const available = (cases: readonly Case[]): readonly Case[] => (existsSync(SHARED) ? cases : []);

async function instance(name: string, variables: Variables = {}): Promise<Instance> {
  const text = sharedModel(`conformance/${name}.bpmn`).replace('PT0.060S', 'PT1S');
  return new Instance((await compiled(text)).graph, variables);
}

/** Completes the named activities one after the other, and returns what is waited for before and after each. */
async function trace(name: string, done: readonly string[], variables: Variables = {}): Promise<string[]> {
  const run = await instance(name, variables);
  const seen = [run.waiting];
  for (const node of done) seen.push(run.complete(node).waiting);
  return [...seen, run.state.status];
}

const x = (value: boolean, y = value): Variables => ({ x: value, y });

const PATTERNS: readonly Case[] = [
  ['WCP01: sequence', ['a', 'b', '', 'ended'], () => trace('WCP01', ['a', 'b'])],
  ['WCP02: parallel split', ['a b', 'b', '', 'ended'], () => trace('WCP02', ['a', 'b'])],
  ['WCP03: synchronization', ['a b', 'a', 'c', '', 'ended'], () => trace('WCP03', ['b', 'a', 'c'])],
  ['WCP04: exclusive choice', ['a', '', 'ended'], () => trace('WCP04', ['a'], { hi: true })],
  ['WCP04: its default', ['b', '', 'ended'], () => trace('WCP04', ['b'], { hi: false })],
  ['WCP05: simple merge', ['a', 'c', '', 'ended'], () => trace('WCP05', ['a', 'c'], { hi: true })],
  ['WCP06: multi-choice', ['a b', 'a', '', 'ended'], () => trace('WCP06', ['b', 'a'], x(true))],
  ['WCP07: two branches', ['a b', 'b', 'z', '', 'ended'], () => trace('WCP07', ['a', 'b', 'z'], x(true))],
  ['WCP07: one branch', ['a', 'z', '', 'ended'], () => trace('WCP07', ['a', 'z'], x(true, false))],
  ['WCP07: its default', ['c', 'z', '', 'ended'], () => trace('WCP07', ['c', 'z'], x(false))],
  [
    'WCP10: two loops that cross',
    ['a', 'b', 'a', 'b', 'ended'],
    async () => {
      const run = await instance('WCP10', { again1: true, again2: false });
      const seen = [run.waiting, run.complete('a').waiting, run.complete('b').waiting];
      run.complete('a').complete('b', { again1: false, again2: true });
      return [...seen, run.waiting, run.complete('b', { again2: false }).state.status];
    },
  ],
  ['WCP11: an instance ends when nothing is left', ['a b', 'b', '', 'ended'], () => trace('WCP11', ['a', 'b'])],
  ['WCP13: a number in the model', ['a a a', 'a a', 'a', 'b', '', 'ended'], () => trace('WCP13', ['a', 'a', 'a', 'b'])],
  ['WCP14: a number in the data', ['a a', 'a', 'b', '', 'ended'], () => trace('WCP14', ['a', 'a', 'b'], { n: 2 })],
  ['WCP14: no instance at all', ['b', '', 'ended'], () => trace('WCP14', ['b'], { n: 0 })],
  ['WCP16: the message comes first', 'a', async () => (await instance('WCP16')).fire('m').waiting],
  [
    'WCP16: the time comes first',
    ['b', []],
    async () => {
      const run = (await instance('WCP16')).fire('tm');
      return [run.waiting, run.state.subscriptions];
    },
  ],
  ['WCP19: an activity is cancelled', 'b', async () => (await instance('WCP19')).fire('bm').waiting],
  ['WCP20: a case is cancelled', ['a b', '', 'ended'], () => trace('WCP20', ['a'])],
];

const CONSTRUCTS: readonly Case[] = [
  [
    'a parallel join behind a choice never continues with one token',
    'P:deadlock',
    async () => (await instance('AND-xor', { x: true })).complete('a').incidents,
  ],
  [
    'a join waits for a branch that divides and merges again',
    ['request_docs screening', 'request_docs', 'check_docs', 'approve'],
    async () => {
      const run = new Instance((await compiled(sharedModel('repro-early-join.bpmn'))).graph, { need: true });
      const seen = [run.waiting, run.complete('screening').waiting];
      return [...seen, run.complete('request_docs').waiting, run.complete('check_docs').waiting];
    },
  ],
  [
    'a token waits at a choice without a match until that is resolved',
    ['g:no_flow', 'b', ''],
    async () => {
      const run = (await instance('XOR-none', { x: false })).complete('a');
      return [run.incidents, run.retry('g', { x: true }).waiting, run.incidents];
    },
  ],
  ['a timer interrupts its activity', 'b', async () => (await instance('BT-int')).fire('bt').waiting],
  ['a timer accompanies its activity', 'a b', async () => (await instance('BT-non')).fire('bt').waiting],
  ['an error is caught by its code', 'b', async () => (await instance('BE')).error('a', 'HIT').waiting],
  [
    'an error of another code stops the instance where it occurred',
    ['a:unhandled_error', 'e'],
    async () => {
      const run = (await instance('BE')).error('a', 'OTHER');
      return [run.incidents, run.retry('a').complete('a').state.endEvent];
    },
  ],
  ['a link continues where its name is caught', ['a', 'b', '', 'ended'], () => trace('LINK', ['a', 'b'])],
  [
    'a sub-process runs twice at once',
    ['a a', 'a b', 'a', 'b', 'z', '', 'ended'],
    () => trace('SUB-mi', ['a', 'b', 'a', 'b', 'z']),
  ],
  ['an event sub-process ends the rest', 'w', async () => (await instance('ESP-int')).fire('es').waiting],
  ['every flow of an activity whose condition holds', ['a', 'b c', 'active'], () => trace('COND-flow', ['a'], x(true))],
  ['the default flow of an activity', ['a', 'dd', 'active'], () => trace('COND-flow', ['a'], x(false))],
];

describe('The workflow patterns', () => {
  it.each(available(PATTERNS))('%s', async (_, expected, run) => {
    expect(await run()).toEqual(expected);
  });

  it('have a smallest member: a process without any activity ends in its first step', async () => {
    const { graph } = await compiled(processXml(`<startEvent id="s"/><endEvent id="e"/>${flows('s-e')}`));
    expect(new Instance(graph).state).toMatchObject({ status: 'ended', outcome: 'completed', endEvent: 'e' });
  });
});

describe('Related constructs', () => {
  it.each(available(CONSTRUCTS))('%s', async (_, expected, run) => {
    expect(await run()).toEqual(expected);
  });

  it('are reached one after the other', async () => {
    const elements = '<startEvent id="s"/><task id="a"/><userTask id="b"/><endEvent id="e"/>';
    const { graph } = await compiled(processXml(elements + flows('s-a a-b b-e')));
    expect(new Instance(graph).complete('b').state.status).toBe('ended');
  });
});
