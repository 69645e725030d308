/** Tests of codes of countries and currencies. */
import { createRequire } from 'node:module';
import { iso31661, iso31663 } from 'iso-3166';
import { describe, expect, it } from 'vitest';
import { runtimeContract } from './runtime-contract.ts';

type Uses = readonly Readonly<Record<string, { readonly _to?: string }>>[];
const {
  supplemental: {
    currencyData: { region },
  },
} = createRequire(import.meta.url)('cldr-core/supplemental/currencyData.json') as {
  readonly supplemental: { readonly currencyData: { readonly region: Readonly<Record<string, Uses>> } };
};
const {
  components: { schemas },
} = runtimeContract();

/**
 * Returns a pattern for exactly these codes, short and still readable. If the test fails, it shows the text to write
 * into openapi.yaml.
 */
function patternOf(codes: readonly string[], ends: (parts: readonly string[]) => string): string {
  const byBeginning = Map.groupBy([...new Set(codes)].sort(), (code) => code[0]!);
  const alternatives = [...byBeginning].map(([letter, group]) => {
    const rests = group.map((code) => code.slice(1));
    return letter + (rests.length === 1 ? rests[0]! : ends(rests));
  });
  return `^(${alternatives.join('|')})$`;
}
const letters = (parts: readonly string[]): string => `[${parts.join('')}]`;
const alternatives = (parts: readonly string[]): string => `(${parts.join('|')})`;

const assigned = iso31661.map(({ alpha2 }) => alpha2);
const withdrawn = iso31663.map(({ from }) => from.alpha2);

/** Antarctica has no currency, and the codes of no region are metals, units of account and test codes. */
const ELSEWHERE = new Set(['AQ', 'CP', 'ZZ']);
/**
 * The yuan outside China (CNH) has no code in ISO 4217; the colón of El Salvador (SVC) keeps its code beside the
 * dollar.
 */
const used = Object.entries(region)
  .filter(([code]) => !ELSEWHERE.has(code))
  .flatMap(([, uses]) => uses.flatMap((use) => Object.entries(use)))
  .filter(([code, { _to: end }]) => end === undefined && code !== 'CNH')
  .map(([code]) => code)
  .concat('SVC');

describe('a code of a norm', () => {
  it('is a country of ISO 3166-1, and no other', () => {
    expect(schemas['CountryCode']!['pattern']).toBe(patternOf(assigned, letters));
  });

  it('may be withdrawn (ISO 3166-3) if it says where a person was born, or was a citizen', () => {
    expect(schemas['PresentOrFormerCountryCode']!['pattern']).toBe(patternOf([...assigned, ...withdrawn], letters));
  });

  it('is a currency of ISO 4217 that a country uses', () => {
    expect(
      (schemas['Money']!['properties'] as { readonly currency: { readonly pattern: string } }).currency.pattern,
    ).toBe(patternOf(used, alternatives));
  });
});
