/** Tests of the score that is made like that of OFAC's search tool. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asOfacWrites, ofacScore } from './ofac-score.ts';

describe('The score of the search tool of OFAC', () => {
  it.each([
    ['MARTHA', 'MARHTA', 96],
    ['DWAYNE', 'DUANE', 84],
    ['DIXON', 'DICKSONX', 81],
  ])('is the similarity of Jaro and Winkler: %s and %s have %i', (query, listed, score) => {
    expect(ofacScore(query, listed)).toBe(score);
  });

  it.each([
    ['of the same words in another order is 100', 'Heitor Montalvao', 'MONTALVAO, Heitor', 100],
    ['of a name that has more words than the question is 100', 'Montalvao', 'MONTALVAO, Heitor Augusto', 100],
    [
      'of a name that differs in a short word of the question only is 100 for the tool does not ask for it',
      'Kim Jong Un',
      'KIM, Jong Man',
      100,
    ],
    ['of a question of short words only asks for them', 'Li', 'LI, Ming', 100],
    [
      'of words of which one is too unlike is that of the others alone',
      'Xyz Heitor Montalvao',
      'MONTALVAO, Heitor',
      67,
    ],
    ['of a name that begins otherwise is that of its parts', 'Zeca Heitor', 'HEITOR, Quim', 50],
    ['of marks and apostrophes is that of the letters', "D'Ávila", 'DAVILA', 100],
    ['of a name without letters is 0', '…', 'MONTALVAO, Heitor', 0],
  ])('%s', (_, query, listed, score) => {
    expect(ofacScore(query, listed)).toBe(score);
  });

  it('is from 0 to 100, and 100 for each name itself', () => {
    const name = fc
      .array(fc.stringMatching(/^[a-zãéü]{1,9}$/), { minLength: 1, maxLength: 5 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(ofacScore(one, one)).toBe(100);
        const score = ofacScore(one, other);
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
      }),
    );
  });

  it.each([
    ['Heitor Augusto MONTALVAO REIS', 'MONTALVAO REIS, Heitor Augusto'],
    ['AURORA ENCANTADA LTDA', 'AURORA ENCANTADA LTDA'],
    ['Heitor Montalvao', 'Heitor Montalvao'],
  ])('is computed for the name as OFAC writes it: %s is %s', (spoken, written) => {
    expect(asOfacWrites(spoken)).toBe(written);
  });
});
