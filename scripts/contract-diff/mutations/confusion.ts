import type { Verdict } from '../../contract/member.ts';
import type { Trial } from './run.ts';

const VERDICTS: readonly Verdict[] = ['breaking', 'non-breaking', 'docs-only'];

/** Expected against given: what stands off the diagonal is a miss or a false alarm. */
export function confusionTable(trials: readonly Trial[]): string {
  const count = (expected: Verdict, given: Verdict) => trials.filter((trial) => trial.mutation.expected === expected && trial.given === given).length;
  const row = (cells: readonly (string | number)[]) => cells.map((cell, index) => (index === 0 ? String(cell).padEnd(22) : String(cell).padStart(14))).join('');
  return [row(['expected \\ given', ...VERDICTS]), ...VERDICTS.map((expected) => row([expected, ...VERDICTS.map((given) => count(expected, given))]))].join('\n');
}

/** Each trial that was called something else, with what was found. */
export function mistaken(trials: readonly Trial[]): string[] {
  return trials.filter(({ mutation, given }) => given !== mutation.expected).map(({ mutation, where, given, changes }) => (
    [`${mutation.name} at ${where}: ${mutation.expected}, but called ${given}`, ...changes.slice(0, 5).map(({ impact, rule, place, message }) => `  ${impact} ${place}: ${message} (${rule})`)].join('\n')
  ));
}
