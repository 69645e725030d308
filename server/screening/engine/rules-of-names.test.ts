/** Tests each rule by which names in other spellings and languages are found, and each limit of what they say. */
import { describe, expect, it } from 'vitest';
import { type Listed, type Query, scoreOf, THRESHOLD } from '../../../test/support/searched-names.ts';
import { LONG_WORD } from '../names/lexicon.ts';
import { tokenOf } from '../names/token.ts';
import { COSTS } from './name-score.ts';

const scoreBetween = (type: Listed['type'] & Query['type'], name: string, listed: string): number =>
  scoreOf({ type, names: [name] }, { type, names: [{ name: listed }] });

describe('The name of an organisation', () => {
  it.each([
    ['Meteor Zavod', 'Meteor Plant'],
    ['Usine Meteor', 'Zavod Meteor'],
    ['Stroitelnaya Kompaniya Meteor', 'Meteor Construction Company'],
    ['Banco Meteor', 'Bank Meteor'],
    ['Meteor Invest', 'Meteor Investitsii'],
  ])('is the same in translation: %s and %s', (name, listed) => {
    expect(scoreBetween('organisation', name, listed)).toBe(1);
    expect(scoreBetween('organisation', listed, name)).toBe(1);
  });

  it.each([
    ['Obschestvo s Organichennoj Otvetstvenostju Meteor', 'Meteor LLC'],
    ['Tovarystvo z obmezhenoyu vidpovidalnistyu Meteor', 'Meteor LLC'],
    ['Spolka z ograniczona odpowiedzialnoscia Meteor', 'Meteor Sp. z o.o.'],
    ['Nepublichnoe Aktcionernoe Obshestvo Meteor', 'Meteor JSC'],
    ['Federalnoe Gosudarstvennoe Unitarnoe Predpriyatie Meteor', 'Meteor FGUP'],
    ['Federal State Budgetary Educational Institution of Higher Education Meteor', 'Meteor FGBU'],
    ['Nauchno-Proizvodstvennoe Obyedinenie Meteor', 'Meteor NPO'],
  ])('is found with a misspelt legal form: %s', (name, listed) => {
    expect(scoreBetween('organisation', name, listed)).toBe(1);
    expect(scoreBetween('organisation', listed, name)).toBe(1);
  });

  it('has general words as translations, which are no abbreviations themselves', () => {
    const translations = [...new Set(LONG_WORD.values())];
    expect(translations.filter((text) => LONG_WORD.has(text))).toEqual([]);
    // These have abbreviations only.
    expect(
      translations.filter((text) => tokenOf({ text, isUnvowelled: false }, 'organisation').role === 'name'),
    ).toEqual(['brothers', 'laboratory', 'laboratories', 'equipment', 'distribution']);
  });

  it('of one rare word with a general word says more than the word alone, if only one name has further words', () => {
    expect(scoreBetween('organisation', 'Meteor Bureau', 'Kubrin Meteor Bureau')).toBe(0.81);
    expect(scoreBetween('organisation', 'Meteor', 'Kubrin Meteor')).toBeLessThanOrEqual(0.75);
    expect(scoreBetween('organisation', 'Meteor Bureau Kubrin', 'Meteor Bureau Orvat')).toBeLessThanOrEqual(0.75);
  });

  it('has general words of the weight that their translation has on the list', () => {
    const listed = ['Zavod Orvat', 'Zavod Kubrin', 'Aurora Meteor'].map((name) => ({ name }));
    const scoreBy = (name: string): number =>
      scoreOf({ type: 'organisation', names: [name] }, { type: 'organisation', names: listed });
    expect(scoreBy('Plant Aurora Meteor')).toBe(scoreBy('Zavod Aurora Meteor'));
    expect(scoreBy('Usine Aurora Meteor')).toBe(scoreBy('Zavod Aurora Meteor'));
  });

  it('of one rare word with a single letter says no more than the word alone', () => {
    expect(scoreBetween('organisation', 'Meteor K', 'Kubrin Meteor K')).toBeLessThanOrEqual(0.75);
  });
});

describe('The name of a person', () => {
  it.each([
    ['Belarusian', 'Uladzimir Novikau', 'Vladimir Novikov'],
    ['Arabic', 'Kadhim Yaghoobi', 'Kazem Yaqubi'],
  ])('is found in the spellings of %s: %s', (_, name, listed) => {
    expect(scoreBetween('person', name, listed)).toBeGreaterThanOrEqual(THRESHOLD);
    expect(scoreBetween('person', listed, name)).toBeGreaterThanOrEqual(THRESHOLD);
  });

  it('in two spellings that agree only by a Belarusian and a French reading is another name', () => {
    expect(scoreBetween('person', 'Uladzimir Hardzei', 'Vladimir Ardjey')).toBeLessThan(THRESHOLD);
  });

  it('of which only initials agree is no hit, not even with the same date of birth', () => {
    const asked: Query = { type: 'person', names: ['J. A. M.'] };
    const listed: Listed = { type: 'person', names: [{ name: 'J. Antônio M.' }] };
    expect(scoreOf(asked, listed)).toBe(0.25);
    const day = '1955-05-17';
    expect(scoreOf({ ...asked, dateOfBirth: day }, { ...listed, dobs: [day] })).toBeLessThan(THRESHOLD);
  });

  it.each([
    ['an equal day', '1955-05-17', 0.3],
    ['1 January, which stands for an unknown day,', '1955-01-01', 0.2],
    ['an equal year', '1955', 0.04],
  ])('says more with %s of birth', (_, date, added) => {
    const names = ['Heitor Petrenkov'];
    const listed: Listed = { type: 'person', names: [{ name: 'Heitor Karzoun' }] };
    const alone = scoreOf({ type: 'person', names }, listed);
    const dated = scoreOf({ type: 'person', names, dateOfBirth: date }, { ...listed, dobs: [date] });
    expect(dated - alone).toBeCloseTo(added, 9);
  });
});

describe('The cost of two words that contradict each other', () => {
  it.each(Object.entries(COSTS))(
    'is not below the highest cost of one of them, or the search misses a %s',
    (_, { both, scarce, subject, listed }) => {
      expect(both).toBeGreaterThanOrEqual(scarce * Math.max(subject, listed));
    },
  );
});
