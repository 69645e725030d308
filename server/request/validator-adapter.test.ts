/** Tests of the fast checks that replace the date formats of ajv-formats. */
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInstant } from '../base/time.ts';
import { quickFormats } from './validator-adapter.ts';

const digits = (count: number) =>
  fc.integer({ min: 0, max: 10 ** count - 1 }).map((number) => String(number).padStart(count, '0'));
const date = fc
  .tuple(digits(4), fc.constantFrom('-', '/', ''), digits(2), fc.constant('-'), digits(2))
  .map((parts) => parts.join(''));
const zone = fc.constantFrom('Z', 'z', '', '+00:00', '-03:00', '+2400', 'Z ');
const time = fc
  .tuple(
    digits(2),
    fc.constantFrom(':', ''),
    digits(2),
    fc.constant(':'),
    digits(2),
    fc.constantFrom('', '.', '.5', '.123456'),
    zone,
  )
  .map((parts) => parts.join(''));
const instant = fc.tuple(date, fc.constantFrom('T', 't', ' ', '', 'TT'), time).map((parts) => parts.join(''));

describe('the fast format checks', () => {
  it.each([
    ['date', fc.oneof(date, fc.string())],
    ['date-time', fc.oneof(instant, date, fc.string())],
  ] as const)(
    'give the result of ajv-formats for every %s, but refuse instants that an SDK language or the database cannot read',
    (name, texts) => {
      const { validate } = fullFormats[name] as { readonly validate: (text: string) => boolean };
      const isReadable = (text: string): boolean =>
        name === 'date' || /^(?!0000)\d{4}-/.test(readInstant(text)?.toISOString() ?? '');
      fc.assert(
        fc.property(texts, (text) => {
          expect(quickFormats[name].validate(text)).toBe(validate(text) && isReadable(text));
        }),
        { numRuns: 5000 },
      );
    },
  );

  it.each(['2026-02-28', '2024-02-29', '2026-12-31'])('accept the date %s', (text) => {
    expect(quickFormats.date.validate(text)).toBe(true);
  });

  it.each(['2026-02-29', '1990-13-01', '2026-00-10', '2026-01-00'])('refuse the date %s', (text) => {
    expect(quickFormats.date.validate(text)).toBe(false);
  });

  it.each(['0000-06-01T00:00:00Z', '9999-12-31T23:59:59-00:01', '0001-01-01T00:00:00+00:01', '2026-01-31T09:05:00+03'])(
    'refuse the instant %s',
    (text) => {
      expect(quickFormats['date-time'].validate(text)).toBe(false);
    },
  );

  it.each(['2016-12-31T23:59:60Z', '2026-01-31T09:05:00.120Z', '2026-01-31t09:05:00-03:00'])(
    'accept the instant %s',
    (text) => {
      expect(quickFormats['date-time'].validate(text)).toBe(true);
    },
  );
});
