/** Functions of FEEL that replace built-in ones, because those read the clock or match patterns without a bound. */
import { RE2JS } from 're2js';
import { FeelFunction, parseDate, parseDateTime } from 'feelin';
import { calendarDate } from '../../rules/brazilian-calendar.ts';
import type { BusinessTime } from '../../base/time.ts';

const MAX_PATTERN = 500;

/**
 * Returns the function in place of one of the library, if there is one. `now` and `today` tell the time of the step, so
 * that a step computed again has the same result; the others use regular expressions that take linear time.
 */
export function functionAt(name: string, at: BusinessTime): FeelFunction | undefined {
  if (name === 'now') return new FeelFunction(() => parseDateTime(at.toISOString()), []);
  if (name === 'today') return new FeelFunction(() => parseDate(calendarDate(at)), []);
  return TEXT_FUNCTIONS.get(name);
}

const TEXT_FUNCTIONS: ReadonlyMap<string, FeelFunction> = new Map(
  Object.entries({
    matches: new FeelFunction(
      (input: unknown, pattern: unknown, flags?: unknown) => {
        const expression = compiled(pattern, flags);
        return expression === null || typeof input !== 'string' ? null : expression.matcher(input).find();
      },
      ['input', 'pattern', 'flags'],
    ),
    replace: new FeelFunction(
      (input: unknown, pattern: unknown, replacement: unknown, flags?: unknown) => {
        const expression = compiled(pattern, flags);
        if (expression === null || typeof input !== 'string' || typeof replacement !== 'string') return null;
        return expression.matcher(input).replaceAll(replacement);
      },
      ['input', 'pattern', 'replacement', 'flags'],
    ),
    split: new FeelFunction(
      (string: unknown, delimiter: unknown) => {
        const expression = compiled(delimiter, undefined);
        return expression === null || typeof string !== 'string' ? null : expression.split(string);
      },
      ['string', 'delimiter'],
    ),
  }),
);

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  s: RE2JS.DOTALL,
  m: RE2JS.MULTILINE,
};

/** Returns null for what is no regular expression. */
function compiled(pattern: unknown, flags: unknown): RE2JS | null {
  if (typeof pattern !== 'string' || pattern.length > MAX_PATTERN) return null;
  const letters = typeof flags === 'string' ? [...flags] : [];
  if (letters.some((letter) => FLAGS[letter] === undefined)) return null;
  try {
    return RE2JS.compile(
      pattern,
      letters.reduce((set, letter) => set | FLAGS[letter]!, 0),
    );
  } catch {
    return null;
  }
}
