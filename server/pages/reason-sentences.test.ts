/** Tests that the dashboard has a sentence for each reason of a score. */
import { describe, expect, it } from 'vitest';
import runtime from '../contract/generated/contract.runtime.json' with { type: 'json' };

interface Said {
  readonly query: string;
  readonly candidate: string;
  readonly percent: string;
  readonly weight: string;
  readonly limit: string;
}
type Sentences = Readonly<Record<string, (said: Said) => string>>;

/** Module of the page, which is written for browsers and compiled separately from the service. */
const { sentences } = (await import(
  new URL('dashboard/pages/screenings/reason-sentences.ts', import.meta.url).href
)) as { sentences: Readonly<Record<'en' | 'pt', Sentences>> };
const REASONS: readonly string[] = runtime.components.schemas.HitFeatureReason.enum;
const SAID = {
  query: 'Reis',
  candidate: 'Reyes',
  percent: '95 %',
  weight: '1.8',
  limit: '0.76',
} as const;

describe('each reason of a score', () => {
  it('has its own sentence in both languages, and not a code', () => {
    for (const language of ['en', 'pt'] as const) {
      expect(Object.keys(sentences[language]).sort()).toEqual([...REASONS].sort());
      for (const reason of REASONS) expect(sentences[language][reason]!(SAID)).toMatch(/^[“A-ZÀ-Ü][^_]* [^_]*\.$/);
    }
    for (const reason of REASONS) expect(sentences.pt[reason]!(SAID)).not.toBe(sentences.en[reason]!(SAID));
  });

  it.each(['en', 'pt'] as const)('names the difference and the remaining score, in %s', (language) => {
    const say = (reason: string): string => sentences[language][reason]!(SAID);
    for (const reason of REASONS.filter(
      (one) => /_differs$|_swapped$|_off$|_other_day$/.test(one) && !/^(?:number|syllable)/.test(one),
    ))
      expect(say(reason)).toMatch(/Reis.*Reyes/);
    for (const reason of [
      'single_strong_token',
      'word_contradicted',
      'common_words_only',
      'other_script',
      'weak_name',
      'unconfirmed_namesake',
    ])
      expect(say(reason)).toContain('0.76');
    expect([
      say('only_screened').includes('Reis'),
      say('only_listed').includes('Reyes'),
      say('sound').includes('95 %'),
    ]).toEqual([true, true, true]);
  });
});
