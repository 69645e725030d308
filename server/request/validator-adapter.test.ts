/** Tests of the fast checks that replace the date formats of ajv-formats, and of the end of long lists of errors. */
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInstant } from '../base/time.ts';
import { NO_CACHE } from './cached-validators.ts';
import { compileRequest, HttpError, type Probe, quickFormats } from './validator-adapter.ts';

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

describe('the check of a request', () => {
  const item = { type: 'object', required: ['a', 'b', 'c'], properties: { a: { type: 'string' } } };
  const described = {
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', properties: { rows: { type: 'array', items: { type: 'array', items: item } } } },
        },
      },
    },
  };
  const probe = (body: unknown): Probe => ({
    method: 'POST',
    path: '/rows',
    originalUrl: '/',
    headers: { 'content-type': 'application/json' },
    params: {},
    query: {},
    body,
    openapi: { schema: described as Probe['openapi']['schema'], expressRoute: '/rows', pathParams: {} },
  });
  const document = { openapi: '3.1.0', info: { title: 'Rows', version: '1' }, paths: {} };
  const compiled = compileRequest(document, probe(undefined), 'request POST /rows', NO_CACHE);

  /** Returns the number of errors that a list of lists of so many empty items leads to. */
  function errorsOf(lists: number, items: number): number {
    const rows = Array.from({ length: lists }, () => Array.from({ length: items }, () => ({})));
    expect(() => {
      compiled.check(probe({ rows }));
    }).toThrow(HttpError);
    return compiled.errors().body.length;
  }

  it('reports every error of a list as long as there are fewer than a thousand', () => {
    expect([errorsOf(1, 333), errorsOf(333, 1)]).toEqual([999, 999]);
  });

  it.each([
    [1, 334],
    [1, 100_000],
    [1_000, 1_000],
    [100_000, 1],
  ])('ends with the item that the thousandth error is found in, with %i lists of %i items', (lists, items) => {
    expect(errorsOf(lists, items)).toBe(1_002);
  });

  it('accepts lists of any length without errors, and counts anew for each request', () => {
    const rows = [Array.from({ length: 5_000 }, () => ({ a: 'a', b: 1, c: 1 }))];
    expect(() => {
      compiled.check(probe({ rows }));
    }).not.toThrow();
    expect(compiled.errors().body).toEqual([]);
    expect(errorsOf(1, 2)).toBe(6);
  });
});
