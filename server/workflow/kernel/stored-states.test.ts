/**
 * Tests that instances which earlier releases have stored go on. `testing/golden` holds states of each format with
 * their programs, as they were written when the format was new; a file there is never changed.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Program, PROGRAM_FORMAT, programIn } from '../program.ts';
import { Instance } from '../testing/driver.ts';
import { upgraded, type Upgrades } from '../upgrade.ts';
import { Graph } from './graph.ts';
import { type State, STATE_FORMAT, stateOf, type Variables } from './state.ts';
import type { Command } from './step.ts';

/** An instance as it was stored, what happened to it then, and where that led. */
interface Golden {
  readonly about: string;
  readonly program: Program;
  readonly state: State;
  readonly variables: Variables;
  readonly command: Command;
  readonly waiting: string;
  readonly after: Variables;
}

const formats = Array.from({ length: STATE_FORMAT }, (_, index) => index + 1);
const golden = formats.flatMap((format) =>
  readFileSync(new URL(`../testing/golden/format-${format}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => [format, JSON.parse(line) as Golden] as const),
);

describe('A stored instance goes on', () => {
  it.each(golden.map(([format, one]) => [`${one.about} of the format ${format}`, format, one] as const))(
    'from %s',
    (_, format, { program, state, variables, command, waiting, after }) => {
      expect(state.format).toBe(format);
      const instance = Instance.from(new Graph(programIn(program)), { state: stateOf(state), variables }).do(command);
      expect([instance.waiting, instance.incidents, instance.variables]).toEqual([waiting, '', after]);
      expect(instance.state.format).toBe(STATE_FORMAT);
    },
  );
});

describe('A format', () => {
  const upgrades: Upgrades = new Map<number, (older: object) => { readonly format: number }>([
    [1, () => ({ format: 2, word: 'two' })],
    [2, (older: object) => ({ ...older, format: 3, next: 'three' })],
  ]);

  it('of two releases ago is brought up to date step by step', () => {
    expect(upgraded<{ format: number }>({ format: 1 }, 3, upgrades)).toEqual({ format: 3, word: 'two', next: 'three' });
  });

  it('of this release stays as it is', () => {
    const stored = { format: 3 };
    expect(upgraded(stored, 3, upgrades)).toBe(stored);
  });

  it.each([
    ['of a later release', { format: STATE_FORMAT + 1 }],
    ['that never was', { format: 0 }],
  ])('%s is refused', (_, stored) => {
    expect(() => stateOf(stored as never)).toThrow('is not known to this release');
    expect(PROGRAM_FORMAT).toBe(1);
  });
});
