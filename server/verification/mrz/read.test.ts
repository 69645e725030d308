/** Tests of the reader of machine-readable zones: ICAO Doc 9303, check digits, repairs, and what no digit can see. */
import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDigit, MRZ_ALPHABET } from './check-digit.ts';
import { birthDate, expiryDate } from './dates.ts';
import { FORMATS, type MrzFormat } from './formats.ts';
import { MRZ_CHECKS, readMrz } from './read.ts';
import { acceptedSpellings, canonicalSpelling } from './spelling.ts';

interface Vector {
  readonly id: string;
  readonly type: 'parse' | 'corruption' | 'century' | 'name';
  readonly title: string;
  readonly today: string;
  readonly lines: string[];
  readonly field: 'birth' | 'expiry';
  readonly yymmdd: string;
  readonly name: string;
  readonly expect: never;
}

/**
 * Vectors of an independent implementation, which are beside the project in its development environment; without them,
 * the examples and the properties below replace them.
 */
const VECTORS = new URL('../../../../shared/vectors/mrz/cases.json', import.meta.url);
const vectors = existsSync(VECTORS) ? (JSON.parse(readFileSync(VECTORS, 'utf8')) as { cases: Vector[] }).cases : [];
const ofType = (type: Vector['type']) => vectors.filter((vector) => vector.type === type);

const TODAY = '2026-11-20';
const PASSPORT = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'];
const outcomesOf = (lines: readonly string[], wanted: string): string[] => {
  const { checks } = readMrz(lines, TODAY);
  return MRZ_CHECKS.filter((code) => checks[code] === wanted).toSorted();
};

describe('a machine-readable zone is read', () => {
  it.each(ofType('parse'))('as in the vector $id: $title', ({ lines, today, expect: expected }) => {
    const { mrzType, fields, checks, repaired } = readMrz(lines, today);
    expect({
      mrzType,
      fields: fields ?? {},
      checks,
      repaired,
    }).toEqual(expected);
  });

  it.each(ofType('corruption'))('as in the vector $id: $title', ({ lines, expect: expected }) => {
    expect({
      failing: outcomesOf(lines, 'fail'),
      warning: outcomesOf(lines, 'warn'),
      repaired: readMrz(lines, TODAY).repaired,
    }).toEqual(expected);
  });

  it('with every field and check of a passport', () => {
    expect(readMrz(PASSPORT, TODAY)).toMatchObject({
      mrzType: 'TD3',
      fields: {
        documentNumber: 'L898902C3',
        dateOfBirth: '1974-08-12',
        dateOfExpiry: '2032-04-15',
        lastName: 'ERIKSSON',
        firstNames: 'ANNA MARIA',
        optional: ['ZE184226B'],
      },
      isNameCut: false,
    });
    expect(outcomesOf(PASSPORT, 'pass')).toEqual(MRZ_CHECKS.toSorted());
  });

  it('and a name that fills its field may be cut off', () => {
    const name = 'P<UTOVASCONCELLOS<ALBUQUERQUE<<MARIANA<CECIL';
    expect(readMrz([name, PASSPORT[1]!], TODAY).isNameCut).toBe(true);
  });

  it.each([
    ['no line', []],
    ['one line', [PASSPORT[1]!]],
    ['three lines of the width of a passport', [...PASSPORT, PASSPORT[1]!]],
    ['small letters', [PASSPORT[0]!.toLowerCase(), PASSPORT[1]!]],
    ['an empty line', ['', '']],
  ])('as nothing if there is %s', (_, lines) => {
    expect(readMrz(lines, TODAY)).toMatchObject({ mrzType: null, fields: null, checks: { mrz_format: 'fail' } });
    expect(outcomesOf(lines, 'not_run')).toHaveLength(5);
  });
});

describe('a date of two digits for the year', () => {
  it.each(ofType('century'))('is taken as in the vector $id: $title', ({ field, yymmdd, today, expect: expected }) => {
    if (field === 'birth') expect({ value: birthDate(yymmdd, today) }).toEqual(expected);
    else {
      const { value, isOutsideWindow } = expiryDate(yymmdd, today);
      expect({ value, outsideWindow: isOutsideWindow }).toEqual(expected);
    }
  });

  it('of birth is never after today, and at most a century before', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1930-01-01'), max: new Date(`${TODAY}T00:00Z`), noInvalidDate: true }),
        (day) => {
          const date = day.toISOString().slice(0, 10);
          expect(birthDate(date.slice(2).replaceAll('-', ''), TODAY)).toBe(date);
        },
      ),
    );
  });

  it.each(['740230', '7408', '<<<<<<', '74<<12', '7413<<', 'ABCDEF'])('of birth %j is none', (yymmdd) => {
    expect(birthDate(yymmdd, TODAY)).toBeNull();
  });

  it('of expiry inside the window is that date, and the window includes both ends', () => {
    const day = fc.date({ min: new Date('2016-11-20'), max: new Date('2076-11-20'), noInvalidDate: true });
    fc.assert(
      fc.property(day, (instant) => {
        const date = instant.toISOString().slice(0, 10);
        const read = expiryDate(date.slice(2).replaceAll('-', ''), TODAY);
        expect(read).toEqual({ value: date, isOutsideWindow: false });
      }),
    );
    expect(expiryDate('180228', '2028-02-29').isOutsideWindow).toBe(false);
    expect(expiryDate('180227', '2028-02-29').isOutsideWindow).toBe(true);
  });

  it('of expiry with an unknown part is none', () => {
    expect(expiryDate('32<<<<', TODAY)).toEqual({ value: null, isOutsideWindow: false });
  });
});

describe('a name is spelt', () => {
  it.each(ofType('name'))('as in the vector $id', ({ name, expect: expected }) => {
    const { canonical, accepted, refused } = expected as { canonical: string; accepted: string[]; refused: string[] };
    expect(canonicalSpelling(name)).toBe(canonical);
    expect(acceptedSpellings(name)).toEqual(accepted);
    expect(acceptedSpellings(name).filter((spelling) => refused.includes(spelling))).toEqual([]);
  });

  it.each([
    ['Straße', ['STRASSE']],
    ['Åse Øberg', ['AASE<OEBERG', 'AASE<OBERG', 'ASE<OEBERG', 'ASE<OBERG']],
    ['Đỗ', ['DO']],
    ['Łukasz', ['LUKASZ']],
    ['Ana–Lúcia  de Sá', ['ANA<LUCIA<DE<SA']],
    ['王', ['']],
  ])('%s', (name, accepted) => expect(acceptedSpellings(name)).toEqual(accepted));
});

/** Generates the lines of a zone with right check digits. */
function zoneOf(format: MrzFormat): fc.Arbitrary<string[]> {
  const text = (length: number, letters: string) =>
    fc.array(fc.constantFrom(...letters), { minLength: length, maxLength: length }).map((list) => list.join(''));
  const day = fc.date({ min: new Date('1950-01-01'), max: new Date('2020-12-28'), noInvalidDate: true });
  return fc
    .record({
      name: text(6, 'ABCDEFGHIJ'),
      number: text(9, '0123456789ABCDEFGHIJKLMN'),
      birth: day,
      expiry: day,
      optional: text(7, '0123456789ABC<'),
    })
    .map(({ name, number, birth, expiry, optional }) => {
      const characters = Array.from({ length: format.lines * format.width }, () => '<');
      const put = (from: number, value: string): void => void characters.splice(from, value.length, ...value);
      const yymmdd = (date: Date): string => date.toISOString().slice(2, 10).replaceAll('-', '');
      const dates = [yymmdd(birth), yymmdd(expiry)] as const;
      put(format.documentCode.from, format.codes.at(-1)!);
      put(format.issuingCountry.from, 'UTO');
      put(format.nationality.from, 'UTO');
      put(format.name.from, `${name}<<ANA`);
      put(format.documentNumber.from, number);
      put(format.documentNumberDigit, checkDigit(number));
      put(format.dateOfBirth.from, dates[0]);
      put(format.dateOfBirthDigit, checkDigit(dates[0]));
      put(format.dateOfExpiry.from, dates[1]);
      put(format.dateOfExpiryDigit, checkDigit(dates[1]));
      put(format.optional.at(-1)!.from, optional);
      const covered = (ranges: readonly { from: number; to: number }[]): string =>
        ranges.map(({ from, to }) => characters.slice(from, to).join('')).join('');
      if (format.personalNumberDigit !== null) put(format.personalNumberDigit, checkDigit(covered(format.optional)));
      if (format.composite !== null) put(format.composite.digit, checkDigit(covered(format.composite.ranges)));
      return Array.from({ length: format.lines }, (_, line) =>
        characters.slice(line * format.width, (line + 1) * format.width).join(''),
      );
    });
}

describe.each(FORMATS)('a zone of format $type', (format) => {
  it('with right digits passes each of its checks, and none is repaired', () => {
    fc.assert(
      fc.property(zoneOf(format), (lines) => {
        const { mrzType, checks, repaired } = readMrz(lines, TODAY);
        expect(mrzType).toBe(format.type);
        expect(Object.values(checks).every((outcome) => outcome === 'pass' || outcome === 'not_run')).toBe(true);
        expect(repaired).toEqual([]);
      }),
    );
  });

  it('never passes with another document number, unless the values differ by a multiple of ten', () => {
    const place = fc.integer({ min: 0, max: 8 });
    fc.assert(
      fc.property(zoneOf(format), place, fc.constantFrom(...MRZ_ALPHABET), (lines, offset, character) => {
        const text = [...lines.join('')];
        const index = format.documentNumber.from + offset;
        const value = (of: string): number => MRZ_ALPHABET.indexOf(of) % 36;
        fc.pre((value(text[index]!) - value(character)) % 10 !== 0);
        text[index] = character;
        const changed = lines.map((_, line) => text.slice(line * format.width, (line + 1) * format.width).join(''));
        const { checks } = readMrz(changed, TODAY);
        expect(checks.mrz_check_digit_document_number).toBe('fail');
        if (format.composite !== null) expect(checks.mrz_check_digit_composite).toBe('fail');
      }),
    );
  });

  it('never passes a check with a repaired letter in its range', () => {
    const confused: Record<string, string> = {
      0: 'O',
      1: 'I',
      8: 'B',
      5: 'S',
      2: 'Z',
    };
    fc.assert(
      fc.property(zoneOf(format), fc.integer({ min: 0, max: 5 }), (lines, offset) => {
        const text = [...lines.join('')];
        const letter = confused[text[format.dateOfBirth.from + offset]!];
        fc.pre(letter !== undefined);
        text[format.dateOfBirth.from + offset] = letter!;
        const changed = lines.map((_, line) => text.slice(line * format.width, (line + 1) * format.width).join(''));
        const { checks, repaired } = readMrz(changed, TODAY);
        expect(checks.mrz_check_digit_date_of_birth).toBe('warn');
        expect(repaired).toHaveLength(1);
      }),
    );
  });

  it('is read without an error whatever its characters are', () => {
    const characters = { minLength: format.width, maxLength: format.width };
    const line = fc.array(fc.constantFrom(...MRZ_ALPHABET), characters).map((list) => list.join(''));
    fc.assert(
      fc.property(fc.array(line, { minLength: format.lines, maxLength: format.lines }), (lines) => {
        expect(Object.keys(readMrz(lines, TODAY).checks)).toHaveLength(MRZ_CHECKS.length);
      }),
    );
  });
});
