/** Tests of the sentences that explain a score. */
import { describe, expect, it } from 'vitest';
import runtime from '../contract/generated/contract.runtime.json' with { type: 'json' };
import type { Feature, Reason } from './engine/features.ts';
import { sentenceOf } from './sentences.ts';

const REASONS = runtime.components.schemas.HitFeatureReason.enum as readonly Reason[];
const feature = (reason: Reason, more: Partial<Feature> = {}): Feature => ({
  name: 'alignment',
  reason,
  query: 'Reis',
  candidate: 'Reyes',
  similarity: 0.95,
  weight: 1.8,
  limit: 0.76,
  contribution: 0.4441,
  ...more,
});
const say = (reason: Reason, more?: Partial<Feature>) => sentenceOf(feature(reason, more));

describe('each reason of a score', () => {
  it.each(REASONS)('has its own sentences in both languages, and not a code: %s', (reason) => {
    const { en, pt } = say(reason);
    for (const text of [en, pt]) expect(text).toMatch(/^[“A-ZÀ-Ü][^_]* [^_]*\.$/);
    expect(pt).not.toBe(en);
    expect([en.includes('adds 0.444'), pt.includes('soma 0,444')]).toEqual([true, true]);
    const others = REASONS.filter(
      (other) => other !== reason && !(reason.startsWith('cpf') && other.startsWith('cpf')),
    );
    expect(others.map((other) => say(other).en)).not.toContain(en);
  });

  it('names what agreed or differed, and the limit that follows', () => {
    for (const reason of REASONS.filter(
      (one) => /_differs$|_swapped$|_off$|_other_day$/.test(one) && !/^(?:number|syllable)/.test(one),
    ))
      for (const text of Object.values(say(reason))) expect(text).toMatch(/Reis.*Reyes/);
    for (const reason of ['single_strong_token', 'word_contradicted', 'other_script', 'weak_name'] as const)
      expect([say(reason).en, say(reason).pt]).toEqual([
        expect.stringContaining('0.76'),
        expect.stringContaining('0,76'),
      ]);
    expect(say('exact', { query: 'reis', candidate: 'reis' }).pt).toContain('“reis” está nos dois nomes.');
    expect(say('exact', { query: 'zavod', candidate: 'plant' })).toEqual({
      en: '“zavod” and “plant” mean the same. This adds 0.444.',
      pt: '“zavod” e “plant” significam o mesmo. Isso soma 0,444.',
    });
    expect(say('sound').en).toBe(
      '“Reis” and “Reyes” sound the same but are spelt differently, so they count 95 %. This adds 0.444.',
    );
    expect(say('joined', { query: 'auroratrading', candidate: 'aurora trading', similarity: 0.98 })).toEqual({
      en: '“auroratrading” and “aurora trading” differ only by a space, so they count 98 %. This adds 0.444.',
      pt: '“auroratrading” e “aurora trading” diferem só por um espaço, por isso contam 98 %. Isso soma 0,444.',
    });
    expect(say('joined', { query: 'auroratradin', candidate: 'aurora trading', similarity: 0.93 }).en).toContain(
      'are alike if two words are written as one, so they count 93 %.',
    );
    expect(say('only_listed', { contribution: -0.1178 })).toEqual({
      en: '“Reyes” is only in the name on the list. This takes 0.118.',
      pt: '“Reyes” só está no nome da lista. Isso tira 0,118.',
    });
    expect(say('word_contradicted', { contribution: 0 }).en).toMatch(/0\.76 at most\. This changes nothing\.$/);
    expect(say('country_differs', { name: 'modifier', contribution: 0 })).toEqual({
      en: expect.stringMatching(/ Nothing is taken for this, because an equal number already identifies the entry\.$/),
      pt: expect.stringMatching(/ Nada se tira por isso, porque um número igual já identifica a entrada\.$/),
    });
    expect(say('all_words', { name: 'divisor', contribution: 0 }).en).toMatch(
      / rare words get more than common ones\.$/,
    );
  });

  it('writes days and genders as the language does, and names a number but never a person in its place', () => {
    const dates = {
      name: 'modifier',
      query: '1961-04-02',
      candidate: '1961-04 1958/1963',
      contribution: -0.15,
    } as const;
    expect(say('date_of_birth_year_differs', dates)).toEqual({
      en: 'The years of birth differ (screened: 1961-04-02; on the list: 1961-04 1958 to 1963). This takes 0.15.',
      pt: 'Os anos de nascimento diferem (consultado: 02/04/1961; na lista: 04/1961 1958 a 1963). Isso tira 0,15.',
    });
    expect(say('gender_differs', { name: 'modifier', query: 'female', candidate: 'male' }).pt).toContain(
      '(consultado: feminino; na lista: masculino)',
    );
    expect(say('imo', { query: '9074729', candidate: 'IMO9074729' }).en).toContain(
      'IMO number (9074729; on the list IMO9074729), so',
    );
    expect(say('bic', { query: 'KDBKKPPY', candidate: 'KDBKKPPY' }).pt).toContain('(KDBKKPPY), por isso');
    expect(say('cpf', { query: '99', candidate: '99', contribution: 0.2 })).toEqual({
      en: 'Both have the same CPF, so the score is at least 0.97. This adds 0.2.',
      pt: 'Ambos têm o mesmo CPF, por isso a nota é ao menos 0,97. Isso soma 0,2.',
    });
    for (const query of ['3M', 'B3', '99'])
      expect(say('tax_number', { query, candidate: 'Reis' }).en).toContain('the same tax number, so');
    expect(say('cnpj', { query: '3M', candidate: 'B3' }).en).toContain('the same CNPJ, so');
  });
});
