/** Tests of end events, and of tokens that wait or go on elsewhere: event-based gateways, links and signals. */
import { describe, expect, it } from 'vitest';
import { flows } from '../testing/driver.ts';
import {
  after,
  begun,
  boundary,
  caught,
  COMPENSATE,
  end,
  ENDS,
  gateway,
  link,
  MESSAGE,
  played,
  repeats,
  SIGNAL,
  sub,
  thrown,
  user,
} from '../testing/elements.ts';

/** What happens to an instance, and what it waits for at first and after each of these. */
type Case = readonly [title: string, elements: string, happening: string, waits: readonly string[]];

const TWICE = repeats('at once', { count: 2 });
const TERMINATE = '<terminateEventDefinition/>';

describe('The end', () => {
  const parallel = (first: string): string =>
    sub(
      'p',
      'p_s-g g-i g-j i-p_t j-p_e',
      `${gateway('parallel', 'g')}${user('i', 'j')}${end('p_t', first)}
      ${end('p_e')}`,
    );

  const cases: readonly Case[] = [
    [
      'that terminates a sub-process ends that alone',
      `${ENDS}${gateway('parallel', 'f')}${user('o', 'z')}${parallel(TERMINATE)}${flows('s-f f-p f-o p-z o-e z-e')}`,
      'i',
      ['i j o', 'o z'],
    ],
    [
      'that terminates one repetition leaves the others alone',
      `${ENDS}${user('z')}${parallel(TERMINATE).replace('<startEvent', `${TWICE}<startEvent`)}${flows('s-p p-z z-e')}`,
      'i i',
      ['i i j j', 'i j', 'z'],
    ],
    [
      'that terminates a process ends everything in it',
      `${ENDS}${gateway('parallel', 'f')}${user('o')}${end('t', TERMINATE)}${parallel('')}
        ${flows('s-f f-p f-o o-t p-e')}`,
      'o',
      ['i j o', '', 'ended at t'],
    ],
    [
      'that sends a signal wakes what waits beside it',
      `${ENDS}${gateway('parallel', 'f')}${user('o', 'a', 'w')}${boundary('b', 'a', SIGNAL)}${end('t', SIGNAL)}
        ${flows('s-f f-o f-a a-e o-t b-w w-e')}`,
      'o w',
      ['a o', 'w', '', 'ended at e'],
    ],
    [
      'that compensates does so before the instance ends',
      `${ENDS.replace('<endEvent id="e"/>', end('e', COMPENSATE))}${user('a')}
        <boundaryEvent id="c" attachedToRef="a">${COMPENSATE}</boundaryEvent>
        <userTask id="undo" isForCompensation="true"/><association id="l" associationDirection="One" sourceRef="c"
        targetRef="undo"/>${flows('s-a a-e')}`,
      'a undo',
      ['a', 'undo', '', 'ended at e'],
    ],
  ];

  it.each(cases)('%s', async (_, elements, happening, waits) => {
    expect(await played(elements, happening)).toEqual(waits);
  });
});

describe('What waits or goes on elsewhere', () => {
  const two = (first: string, second: string): string =>
    `${ENDS}${gateway('eventBased', 'g')}${caught('t1', first)}${caught('t2', second)}${user('y', 'z')}
      ${flows('s-g g-t1 g-t2 t1-y t2-z y-e z-e')}`;
  const leap = (name: string): string => `${thrown('to', link(name))}${caught('from', link(name))}`;

  const cases: readonly Case[] = [
    ['a gateway with two timers takes the one that fires', two(after('P1D'), after('P2D')), '@t2', ['g', 'z']],
    ['a gateway takes a signal, and waits for no message then', two(MESSAGE, SIGNAL), '~alarm', ['g', 'z']],
    [
      'a link continues for each token that reaches it',
      `${ENDS}${gateway('parallel', 'f')}${user('a', 'c', 'z')}${leap('there')}
        ${flows('s-f f-a f-c a-to c-to from-z z-e')}`,
      'a c',
      ['a c', 'c z', 'z z'],
    ],
    [
      'a link is that of its own scope',
      `${ENDS}${leap('there')}${user('z')}${sub(
        'p',
        'p_s-p_to p_from-i i-p_e',
        `${leap('there').replaceAll('id="', 'id="p_')}${user('i')}${end('p_e')}`,
      )}${flows('s-p p-to from-z z-e')}`,
      'i',
      ['i', 'z'],
    ],
  ];

  it.each(cases)('%s', async (_, elements, happening, waits) => {
    expect(await played(elements, happening)).toEqual(waits);
  });

  it('a signal reaches those that wait in the order in which they began to wait', async () => {
    const elements = `${ENDS}${gateway('parallel', 'f')}${user('a', 'y', 'z')}${caught('c', SIGNAL)}
      ${caught('d', SIGNAL)}${flows('s-f f-a f-c a-d c-y d-z y-e z-e')}`;
    const instance = (await begun(elements)).complete('a').do({ do: 'signal', name: 'alarm', variables: {} });
    const fired = instance.effects.flatMap((one) => (one.do === 'history' && one.event === 'fired' ? [one.node] : []));
    expect([instance.waiting, fired]).toEqual(['y z', ['c', 'd']]);
  });

  it('two timers after a gateway are both due, and neither when one has fired', async () => {
    const instance = await begun(two(after('P1D'), after('P2D')));
    expect(instance.state.subscriptions.map(({ node, due }) => [node, due])).toEqual([
      ['t1', '2026-11-27T12:00:00.000Z'],
      ['t2', '2026-11-28T12:00:00.000Z'],
    ]);
    expect(instance.fire('t1').state.subscriptions).toEqual([]);
  });
});
