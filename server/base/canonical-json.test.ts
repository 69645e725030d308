/** Tests of the canonical form of JSON (RFC 8785). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, type Json } from './canonical-json.ts';

/** RFC 8785, Appendix B: the bits of an IEEE 754 number and its notation. */
const numbers = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
] as const;

describe('canonical JSON', () => {
  it.each(numbers)('writes the number %s as %s (RFC 8785 Appendix B)', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])(
    'refuses the number %s, which JSON cannot say (RFC 8785 Appendix B)',
    (bits) => {
      expect(() => canonicalJson({ value: Buffer.from(bits, 'hex').readDoubleBE() })).toThrow(TypeError);
    },
  );

  it('sorts members by UTF-16 code units, not by code points (RFC 8785 §3.2.3)', () => {
    const value = {
      '\u20ac': 'Euro',
      '\r': 'CR',
      '\ufb33': 'Dalet',
      '1': 'One',
      '\ud83d\ude00': 'Smile',
      '\u0080': 'Control',
      '\u00f6': 'o',
    };
    expect(Object.values(JSON.parse(canonicalJson(value)) as object).map(String)).toEqual([
      'One',
      'CR',
      'Control',
      'o',
      'Euro',
      'Smile',
      'Dalet',
    ]);
  });

  it('writes numbers and strings as the RFC’s example does (§3.2.2)', () => {
    expect(
      canonicalJson({
        numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
        string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\u0022/",
        literals: [null, true, false],
      }),
    ).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  // Files of the RFC's reference implementation: name, input as JSON text, output.
  it.each([
    ['arrays', '[ 56, { "d": true, "10": null, "1": [ ] } ]', '[56,{"1":[],"10":null,"d":true}]'],
    [
      'french',
      '{ "peach": "This sorting order", "péché": "is wrong according to French", "pêche": "but canonicalization ' +
        'MUST", "sin": "ingnore locale" }',
      '{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization ' +
        'MUST","sin":"ingnore locale"}',
    ],
    [
      'structures',
      '{ "1": {"f": {"f": "hi","F": 5} ,"\\n": 56.0}, "10": { }, "": "empty", "a": { }, "111": [ {} ], "A": { } }',
      '{"":"empty","1":{"\\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{}],"A":{},"a":{}}',
    ],
    ['unicode', '{ "Unnormalized Unicode":"\\u1e0d\\u0307" }', '{"Unnormalized Unicode":"\u1e0d\u0307"}'],
    [
      'weird',
      `{ "\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\u000a": "Newline", "1": "One",
      "\\u0080": "Control\\u007f", "\\ud83d\\ude02": "Smiley", "\\u00f6": "Latin Small Letter O With Diaeresis",
      "\\ufb33": "Hebrew Letter Dalet With Dagesh", "</script>": "Browser Challenge" }`,
      '{"\\n' +
        '":"Newline","\\r":"Carriage Return","1":"One","</script>":"Browser ' +
        'Challenge","\u0080":"Control\u007f","ö":"Latin Small Letter O With Diaeresis","€":"Euro ' +
        'Sign","\u{1f602}":"Smiley","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    ],
  ])('gives the published output of the file %s', (_, input, output) => {
    expect(canonicalJson(JSON.parse(input) as Json)).toBe(output);
  });

  it('does not depend on the notation of the value, and represents the same value', () => {
    const shuffled = (value: Json): Json => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (value === null || typeof value !== 'object') return value;
      const members = Object.entries(value).map(([name, member]) => [name, shuffled(member)]);
      return Object.fromEntries(members.reverse());
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value as Json);
        expect(canonicalJson(shuffled(value as Json))).toBe(text);
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('refuses a lone surrogate, which has no UTF-8', () => {
    for (const value of [{ value: '\ud800' }, { '\udc00': 1 }] as Json[])
      expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});
