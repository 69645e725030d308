import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

describe('canonical JSON', () => {
  it('sorts members by UTF-16 code units, not by code points (RFC 8785 §3.2.3)', () => {
    const value = { '\u20ac': 'Euro', '\r': 'CR', '\ufb33': 'Dalet', '1': 'One', '\ud83d\ude00': 'Smile', '\u0080': 'Control', '\u00f6': 'o' };
    expect(Object.values(JSON.parse(canonicalJson(value)) as object).map(String)).toEqual(['One', 'CR', 'Control', 'o', 'Euro', 'Smile', 'Dalet']);
  });

  it('writes numbers and strings as the RFC’s example does (§3.2.2)', () => {
    expect(canonicalJson({
      numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\\u0022/',
      literals: [null, true, false],
    })).toBe('{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}');
  });

  it.each([['a lone surrogate', '\ud800'], ['not a number', Number.NaN], ['infinity', Number.POSITIVE_INFINITY]])('refuses %s', (_, value) => {
    expect(() => canonicalJson({ value })).toThrow(TypeError);
  });
});
