/** Tests of events and sub-processes: what an event ends, what it leaves alone, and who catches what is thrown. */
import { describe, expect, it } from 'vitest';
import { flows } from '../testing/driver.ts';
import {
  after,
  begun,
  boundary,
  call,
  end,
  ENDS,
  every,
  gateway,
  handler,
  HIT,
  LATE,
  MESSAGE,
  played,
  repeats,
  SIGNAL,
  sub,
  thrown,
  user,
  when,
} from '../testing/elements.ts';

/** What happens to an instance, and what it waits for at first and after each of these. */
type Case = readonly [title: string, elements: string, happening: string, waits: readonly string[]];

const TWICE = repeats('at once', { count: 2 });
const many = (id: string): string => `<userTask id="${id}">${TWICE}</userTask>`;
/** A task, then a task after it, and another one to which an event at the boundary leads. */
const beside = (activity: string, event: string): string =>
  `${ENDS}${activity}${user('w', 'z')}${event}${flows('s-a a-z z-e b-w w-e')}`;

describe('An event at a boundary', () => {
  const cases: readonly Case[] = [
    [
      'that repeats for ever fires until its activity ends',
      beside(user('a'), boundary('b', 'a', every('R/P1D'), 'accompanies')),
      '@b @b @b a',
      ['a', 'a w', 'a w w', 'a w w w', 'w w w z'],
    ],
    [
      'reminds before another one interrupts, and not after',
      `${beside(user('a'), boundary('b', 'a', every('R/P1D'), 'accompanies'))}${boundary('d', 'a', after('P9D'))}
        ${user('x')}${flows('d-x x-e')}`,
      '@b @d w x',
      ['a', 'a w', 'w x', 'x', '', 'ended at e'],
    ],
    [
      'of a sub-process ends what is inside of a sub-process in it',
      beside(
        sub('a', 'a_s-q q-a_e', `${sub('q', 'q_s-i i-q_e', `${user('i')}${end('q_e')}`)}${end('a_e')}`),
        boundary('b', 'a', MESSAGE),
      ),
      '@b',
      ['i', 'w'],
    ],
    ['ends every repetition', beside(many('a'), boundary('b', 'a', MESSAGE)), '@b', ['a a', 'w']],
    [
      'accompanies all repetitions together',
      beside(many('a'), boundary('b', 'a', MESSAGE, 'accompanies')),
      '@b a a',
      ['a a', 'a a w', 'a w', 'w z'],
    ],
    ['ends a call', beside(call('a'), boundary('b', 'a', MESSAGE)), '@b', ['a', 'w']],
    ['accompanies a call', beside(call('a'), boundary('b', 'a', MESSAGE, 'accompanies')), '@b a', ['a', 'a w', 'w z']],
    ['catches the error of a call', beside(call('a'), boundary('b', 'a', HIT)), 'a!HIT', ['a', 'w']],
    [
      'for its code comes before one for every code',
      `${beside(user('a'), boundary('d', 'a', '<errorEventDefinition/>'))}${boundary('b', 'a', HIT)}${user('x')}
        ${flows('d-x x-e')}`,
      'a!HIT',
      ['a', 'w'],
    ],
    [
      'for a signal waits for the next one, too, if it does not interrupt',
      beside(user('a'), boundary('b', 'a', SIGNAL, 'accompanies')),
      '~alarm ~alarm',
      ['a', 'a w', 'a w w'],
    ],
    [
      'by a condition interrupts once the condition holds',
      beside(user('a'), boundary('b', 'a', when('risk &gt; 5'))),
      'risk=3 risk=7',
      ['a', 'a', 'w'],
    ],
  ];

  it.each(cases)('%s', async (_, elements, happening, waits) => {
    expect(await played(elements, happening)).toEqual(waits);
  });

  it('is waited for no more when its sub-process has completed', async () => {
    const inner = sub('a', 'a_s-i i-a_e', `${user('i')}${end('a_e')}`);
    const instance = await begun(beside(inner, boundary('b', 'a', after('P1D'))));
    expect(instance.state.subscriptions).toMatchObject([{ node: 'b' }]);
    expect([instance.complete('i').waiting, instance.state.subscriptions]).toEqual(['z', []]);
  });
});

describe('An error or an escalation', () => {
  /** A sub-process in another one. Its task leads to an end event, and a second task runs beside both. */
  const nested = (inner: string, ...events: string[]): string =>
    `${ENDS}${sub(
      'p',
      'p_s-g g-q g-k q-p_e k-p_e',
      `${gateway('parallel', 'g')}${user('k')}${end('p_e')}
      ${sub('q', 'q_s-i i-q_e', `${user('i')}${end('q_e', inner)}`)}${events[0] ?? ''}`,
    )}
      ${user('z')}${events[1] ?? ''}${flows('s-p p-z z-e')}`;
  const out = user('w') + flows('b-w w-e');

  const cases: readonly Case[] = [
    [
      'in a sub-process is caught around the one outside of it, and ends both',
      nested(HIT, '', boundary('b', 'p', HIT) + out),
      'i',
      ['i k', 'w'],
    ],
    [
      'is caught where it is thrown before it is caught further out',
      nested(HIT, `${boundary('c', 'q', HIT)}${user('x')}${flows('c-x x-p_e')}`, boundary('b', 'p', HIT) + out),
      'i x k',
      ['i k', 'k x', 'k', 'z'],
    ],
    [
      'of another code goes past the event that is nearer',
      nested(
        HIT,
        `${boundary('c', 'q', '<errorEventDefinition errorRef="other"/>')}${user('x')}${flows('c-x x-p_e')}`,
        boundary('b', 'p', HIT) + out,
      ),
      'i',
      ['i k', 'w'],
    ],
    [
      'of one repetition ends all of them',
      `${ENDS}<subProcess id="p">${TWICE}<startEvent id="p_s"/>${user('i')}${end('p_e', HIT)}${flows('p_s-i i-p_e')}
        </subProcess>${boundary('b', 'p', HIT)}${flows('s-p p-e')}${out}`,
      'i',
      ['i i', 'w'],
    ],
    [
      'that escalates leaves its sub-process alone if the event does not interrupt',
      nested(LATE, '', boundary('b', 'p', LATE, 'accompanies') + out),
      'i k',
      ['i k', 'k w', 'w z'],
    ],
    [
      'that escalates ends its sub-process if the event interrupts',
      nested(LATE, '', boundary('b', 'p', LATE) + out),
      'i',
      ['i k', 'w'],
    ],
    ['that escalates and that nobody catches stops nothing', nested(LATE), 'i k', ['i k', 'k', 'z']],
  ];

  it.each(cases)('%s', async (_, elements, happening, waits) => {
    expect(await played(elements, happening)).toEqual(waits);
  });
});

describe('An event sub-process', () => {
  /** A sub-process with two tasks one after the other, one beside them, and event sub-processes. */
  const scope = (events: string, inner = user('j')): string =>
    `${ENDS}${gateway('parallel', 'f')}${user('o', 'z')}${sub(
      'p',
      'p_s-i i-j j-p_e',
      `${user('i')}${inner}${end('p_e')}${events}`,
    )}${flows('s-f f-p f-o p-z o-e z-e')}`;

  const cases: readonly Case[] = [
    [
      'that does not interrupt runs once for each message, and its scope waits for it',
      scope(handler('h', MESSAGE, 'accompanies')),
      '@h_s @h_s i j h_w h_w',
      ['i o', 'h_w i o', 'h_w h_w i o', 'h_w h_w j o', 'h_w h_w o', 'h_w o', 'o z'],
    ],
    [
      'that interrupts ends the rest of its scope alone, and then the scope',
      scope(handler('h', after('P1D'), 'interrupts')),
      '@h_s h_w',
      ['i o', 'h_w o', 'o z'],
    ],
    [
      'that interrupts ends one that runs beside its scope',
      scope(handler('h', MESSAGE, 'accompanies') + handler('k', SIGNAL, 'interrupts')),
      '@h_s ~alarm k_w',
      ['i o', 'h_w i o', 'k_w o', 'o z'],
    ],
    [
      'for an escalation runs beside what has thrown it',
      scope(handler('h', LATE, 'accompanies'), thrown('j', LATE)),
      'i',
      ['i o', 'h_w o'],
    ],
    [
      'for an escalation that interrupts ends what comes after the throwing event',
      scope(handler('h', LATE, 'interrupts'), thrown('j', LATE)),
      'i h_w',
      ['i o', 'h_w o', 'o z'],
    ],
    [
      'by a condition runs each time that the condition begins to hold',
      scope(handler('h', when('risk &gt; 5'), 'accompanies')),
      'risk=6 risk=1 risk=9',
      ['i o', 'h_w i o', 'h_w i o', 'h_w h_w i o'],
    ],
    [
      'catches the error of an activity, and its scope ends as usual',
      scope(handler('h', HIT, 'interrupts')),
      'i!HIT h_w',
      ['i o', 'h_w o', 'o z'],
    ],
  ];

  it.each(cases)('%s', async (_, elements, happening, waits) => {
    expect(await played(elements, happening)).toEqual(waits);
  });
});
