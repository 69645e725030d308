/** Tests of the reader of JSON bodies. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ratioOf } from '../../test/support/processor-time.ts';
import { Problem } from '../contract/problem.ts';
import type { BodyShape } from './body-limits.ts';
import { readJson } from './receive.ts';

/** Shape of any value, because json-limits.test.ts tests what the limits of a schema let through. */
const anything: BodyShape = { text: undefined, array: null, object: null };
Object.assign(anything, {
  array: { most: Infinity, each: anything },
  object: { most: Infinity, members: new Map(), each: anything },
});

const read = (text: string | Buffer): unknown => readJson(Buffer.from(text as string), anything);

function fault(text: string | Buffer): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof Problem && error.code === 'malformed_json') return error.members.detail ?? '';
    throw error;
  }
  return 'accepted';
}

describe('the JSON reader', () => {
  it('reads every JSON value as the engine does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['{"a":1,"a":2}', 7],
    ['{"a":{"b":1,"c":[{"d":1,"d":1}]}}', 24],
    ['{"a":1,"\\u0061":2}', 7],
    ['{"":1, "":2}', 7],
    ['[{"x":1},{"x":1,"x":1}]', 16],
    ['{"__proto__":1,"__proto__":2}', 15],
  ])('refuses the doubled name in %s and says where', (text, at) => {
    expect(fault(text)).toBe(`The body repeats a member name at character ${at}.`);
  });

  it('finds a repeated name in any object', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.array(fc.json(), { maxLength: 3 }), (value, around) => {
        const text = `[${[...around, `{"k":${value},"k":${value}}`].join(',')}]`;
        expect(fault(text)).toMatch(/^The body repeats a member name at character/);
      }),
    );
  });

  it.each([
    ['', 0],
    ['{', 1],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['nul', 0],
    ['{"a" 1}', 5],
    ["{'a':1}", 1],
    ['[1 2]', 3],
    ['01', 1],
    ['"a\nb"', 2],
    ['"\\x"', 2],
    ['"\\u12g4"', 2],
    ['{"a":1]', 6],
    ['{a:1}', 1],
    ['[', 1],
    ['"open', 5],
    ['-', 0],
    ['1.', 1],
    ['NaN', 0],
  ])('refuses %j and says where, but not what', (text, at) => {
    expect(fault(text)).toMatch(
      new RegExp(`^The body (is not JSON|goes on after the JSON value) at character ${at}\\.$`),
    );
  });

  it('refuses text after the value', () => {
    expect(fault('{"a":1} x')).toBe('The body goes on after the JSON value at character 8.');
  });

  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('refuses exactly those texts that the engine refuses', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (text, at, extra) => {
        const cut = at % (text.length + 1);
        const changed = text.slice(0, cut) + extra + text.slice(cut + 1);
        fc.pre(!isJson(changed));
        expect(fault(changed)).toMatch(/at character \d+\.$/);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses a byte order mark, text that is not UTF-8, NUL and lone surrogates', () => {
    expect(fault('\ufeff{}')).toMatch(/byte order mark/);
    expect(fault(Buffer.from([0x22, 0xff, 0x22]))).toMatch(/not valid UTF-8/);
    expect(fault(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toMatch(/not valid UTF-8/);
    expect(fault('"a\\u0000b"')).toMatch(/NUL/);
    expect(fault('{"a\\u0000":1}')).toMatch(/NUL/);
    expect(fault('"\\ud800"')).toMatch(/lone surrogate/);
    expect(fault('{"\\udc00":1}')).toMatch(/lone surrogate/);
    expect(fault('["\\ud83d\\ude00", "\\\\u0000"]')).toBe('accepted');
  });

  it('refuses excessive depth without exhausting the stack', () => {
    expect(fault(`${'['.repeat(64)}1${']'.repeat(64)}`)).toBe('accepted');
    expect(fault(`${'['.repeat(65)}${']'.repeat(65)}`)).toMatch(/nested deeper than 64/);
    expect(fault(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)).toMatch(/nested deeper/);
    expect(fault('['.repeat(1_000_000))).toMatch(/nested deeper/);
    expect(fault('{"a":'.repeat(200_000))).toMatch(/nested deeper/);
  });

  it('costs little more than parsing for an ordinary body', async () => {
    const body = Buffer.from(
      JSON.stringify({
        items: Array.from({ length: 20 }, (_, n) => ({ name: `entry "${n}" \\ :`, value: n, tags: ['a:b', 'c'] })),
      }),
    );
    const often = (work: () => void) => () => {
      for (let n = 0; n < 200; n++) work();
    };
    expect(
      await ratioOf(
        often(() => void readJson(body, anything)),
        often(() => void JSON.parse(body.toString())),
        { rounds: 60 },
      ),
    ).toBeLessThan(4);
  });
});
