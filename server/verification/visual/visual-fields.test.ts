/** Tests of finding the fields of a document in its printed text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCpf } from '../ids/tax-numbers.ts';
import { readMrz } from '../mrz/read.ts';
import { datesIn } from './printed-dates.ts';
import type { PlacedText } from './labels.ts';
import { visualFields } from './visual-fields.ts';

const ZONE = readMrz(
  ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'],
  '2026-11-20',
).fields!;

/** Places texts below each other, or at their columns. */
const page = (...rows: (string | readonly string[])[]): PlacedText[] =>
  rows.flatMap((row, index) =>
    [row].flat().map((text, column) => ({
      text,
      left: 40 + column * 300,
      middle: 50 + index * 30,
      height: 20,
    })),
  );

describe('a date in print', () => {
  it.each([
    ['12.08.1974', ['1974-08-12']],
    ['12/08/1974', ['1974-08-12']],
    ['1974-08-12', ['1974-08-12']],
    ['12 AUG 1974', ['1974-08-12']],
    ['12 AUG/AOÛT 74', ['1974-08-12', '2074-08-12']],
    ['12 ago 1974', ['1974-08-12']],
    ['12DEZ1974', ['1974-12-12']],
    ['born 12 08 1974 in Utopia', ['1974-08-12']],
    ['31.02.1974', []],
    ['12 XYZ 1974', []],
    ['112.08.19745', []],
    ['no date', []],
  ])('%s is read', (text, dates) => {
    expect(datesIn(text)).toEqual(dates);
  });

  it('is found in every form in which it is written', () => {
    const date = fc.date({ min: new Date('1930-01-01'), max: new Date('2060-12-31'), noInvalidDate: true });
    const form = fc.constantFrom(
      (y: string, m: string, d: string) => `${d}/${m}/${y}`,
      (y: string, m: string, d: string) => `${d}. ${m}. ${y}`,
      (y: string, m: string, d: string) => `${y}-${m}-${d}`,
    );
    fc.assert(
      fc.property(date, form, (at, written) => {
        const iso = at.toISOString().slice(0, 10);
        const [year, month, day] = iso.split('-') as [string, string, string];
        expect(datesIn(written(year, month, day))).toContain(iso);
      }),
    );
  });
});

describe('the print beside a machine-readable zone', () => {
  const PRINT = page('UTOPIA PASSPORT', 'L898902C3', 'ERIKSSON', 'ANNAMARIA', '12 AUG/AOUT 1974', '15 APR/AVR 2032');

  it('shows what the zone says, whatever spaces were lost', () => {
    expect(visualFields(PRINT, ZONE)).toEqual({
      documentNumber: 'L898902C3',
      dateOfBirth: '1974-08-12',
      dateOfExpiry: '2032-04-15',
      name: 'ANNA MARIA ERIKSSON',
    });
  });

  it.each([
    ['documentNumber', 'L898902C3', 'L898902C4'],
    ['dateOfBirth', '12 AUG/AOUT 1974', '13 AUG/AOUT 1974'],
    ['dateOfExpiry', '15 APR/AVR 2032', '15 APR/AVR 2031'],
    ['name', 'ERIKSSON', 'ERIKSEN'],
    ['name', 'ANNAMARIA', 'ANNAMARTA'],
  ])('does not show the %s if it has %s as %s', (member, text, other) => {
    const print = PRINT.map((line) => ({ ...line, text: line.text.replace(text, other) }));
    expect(Object.keys(visualFields(print, ZONE)!)).not.toContain(member);
  });

  it('takes O and 0 for the same in numbers, and never a short number from other text', () => {
    const zone = { ...ZONE, documentNumber: 'L8OO902C3' };
    expect(visualFields(page('No. L80O902C3'), zone)).toEqual({ documentNumber: 'L8OO902C3' });
    expect(visualFields(page('A1234567'), { ...ZONE, documentNumber: '123' })).toEqual({});
  });

  it('shows a short name only on a line of its own', () => {
    const zone = { ...ZONE, lastName: 'LI', firstNames: 'MARINA' };
    expect(visualFields(page('ELISA', 'MARINA'), zone)).toEqual({});
    expect(visualFields(page('LI', 'MARINA'), zone)).toEqual({ name: 'MARINA LI' });
  });
});

describe('the print of a card without a zone', () => {
  const CARD = page(
    'CARTEIRA DE IDENTIFICACAO',
    'NOME',
    'FATIMA ANTONIO DA SILVA LIMA',
    ['CPF', 'DATA NASCIMENTO'],
    ['918.533.191-04', '23/06/2000'],
    ['N REGISTRO', 'VALIDADE'],
    ['12664226886', '23/06/2034'],
  );

  it('is read by its labels', () => {
    expect(visualFields(CARD, null)).toEqual({
      name: 'FATIMA ANTONIO DA SILVA LIMA',
      dateOfBirth: '2000-06-23',
      dateOfExpiry: '2034-06-23',
      documentNumber: '12664226886',
      taxId: '91853319104',
    });
  });

  it('has no CPF if its digits are wrong or two are right, because then none was read', () => {
    expect(visualFields(page('918.533.191-05'), null)).toEqual({});
    expect(visualFields(page('918.533.191-04', '529.982.247-25'), null)).toEqual({});
    expect(visualFields(page('918.533.191-04', '918533191-04'), null)).toEqual({ taxId: '91853319104' });
  });

  it('ends the CPF before a date that was read as one text with it, and is cut from no longer number', () => {
    expect(visualFields(page('918.533.191-0430/06/1985'), null)).toEqual({ taxId: '91853319104' });
    for (const other of ['918.533.191-04306', '918.533.191-0430/06', '9185331910430/06/1985'])
      expect(visualFields(page(other), null), other).toEqual({});
  });

  it('never has a CPF whose digits are wrong', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 11 });
    fc.assert(
      fc.property(digits, (list) => {
        const shown = list.join('');
        const pointed = shown.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
        expect(visualFields(page(pointed), null)).toEqual(isCpf(shown) ? { taxId: shown } : {});
      }),
    );
  });

  it('is nothing without text', () => {
    expect(visualFields([], null)).toBeNull();
  });
});
