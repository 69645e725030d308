/** Tests of choosing between readings of a machine-readable zone, and of when a zone is relied on. */
import { describe, expect, it } from 'vitest';
import { isReliable } from './read-picture.ts';
import { zoneOf } from './zone.ts';
import type { LineReading, ZoneCharacter } from './zone-line.ts';

const LINES = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'];
const TODAY = '2026-11-20';
const BOX = {
  x: 400,
  y: 700,
  along: 300,
  across: 12,
  angle: 0,
};

/** Returns a reading of a line, with the likeliest digit and letter at each place and some confidences of its own. */
function reading(text: string, confidences: Readonly<Record<number, number>> = {}): LineReading {
  const characters = [...text].map((character, index): ZoneCharacter => {
    const confidence = confidences[index] ?? 0.95;
    const orElse = (kind: RegExp, otherwise: string) =>
      kind.test(character) ? { character, confidence } : { character: otherwise, confidence: 1.02 - confidence };
    return {
      character,
      confidence,
      digit: orElse(/\d/, '0'),
      letter: orElse(/[A-Z]/, 'O'),
    };
  });
  return { characters, fit: -0.05 };
}
const three = (text: string, confidences: Readonly<Record<number, number>> = {}): LineReading[] =>
  Array.from({ length: 3 }, () => reading(text, confidences));
const found = (...rows: LineReading[][]) => {
  const zone = zoneOf([{ width: rows[0]![0]!.characters.length, rows, boxes: rows.map(() => BOX) }], TODAY);
  return { ...zone, isReliable: zone !== null && isReliable(zone, TODAY) };
};

describe('a zone', () => {
  it('is relied on if three readings agree and its check digits hold', () => {
    expect(found(three(LINES[0]!), three(LINES[1]!))).toMatchObject({ lines: LINES, agreeing: 3, isReliable: true });
  });

  it('is shown, but not relied on, if two of three readings of a line agree', () => {
    const odd = reading(LINES[1]!.replace('L898902C3', 'L898902C8'));
    expect(found(three(LINES[0]!), [odd, ...three(LINES[1]!).slice(1)])).toMatchObject({
      lines: LINES,
      agreeing: 2,
      isReliable: false,
    });
  });

  it('is shown as its check digits choose, but then not relied on', () => {
    const odd = LINES[1]!.replace('L898902C3', 'L898902C8');
    expect(found(three(LINES[0]!), [reading(odd), reading(odd), reading(LINES[1]!)])).toMatchObject({
      lines: LINES,
      isChosenByDigits: true,
      isReliable: false,
    });
  });

  it('is not relied on if no two readings agree', () => {
    const readings = ['L898902C3', 'L898902C8', 'L898902G3'].map((number) =>
      reading(LINES[1]!.replace('L898902C3', number)),
    );
    expect(found(three(LINES[0]!), readings)).toMatchObject({ agreeing: 1, isReliable: false });
  });

  it('is not relied on if a letter was taken for a digit, however well the result checks', () => {
    const lettered = LINES[1]!.replace('7408122', '74O8122');
    expect(found(three(LINES[0]!), three(lettered, { 15: 0.7 }))).toMatchObject({
      lines: LINES,
      isSubstituted: true,
      isReliable: false,
    });
  });

  it('is not relied on if one character is uncertain in more than one reading', () => {
    const faint = [reading(LINES[1]!), reading(LINES[1]!, { 3: 0.2 }), reading(LINES[1]!, { 3: 0.25 })];
    expect(found(three(LINES[0]!), faint)).toMatchObject({ lowestConfidence: 0.25, isReliable: false });
  });

  it('is not relied on if a check digit does not hold', () => {
    const wrong = LINES[1]!.replace('L898902C36', 'L898902C37');
    expect(found(three(LINES[0]!), three(wrong)).isReliable).toBe(false);
  });

  it('is shown as it is printed where its format does not allow a character that is beyond doubt', () => {
    const lettered = LINES[1]!.replace('7408122', '74O8122');
    expect(found(three(LINES[0]!), three(lettered, { 15: 0.99 }))).toMatchObject({
      lines: [LINES[0], lettered],
      isSubstituted: false,
      isReliable: false,
    });
  });

  it('is none if no format has lines of that width, or so many', () => {
    expect(found(three('HELLO<WORLD'))).toEqual({ isReliable: false });
    expect(found(three(LINES[1]!))).toEqual({ isReliable: false });
  });
});
