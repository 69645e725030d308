/** Tests of how a document is compared with its two zones and with the applicant, and of what follows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Check, check, conclude } from './check.ts';
import { compareNames } from './compare/names.ts';
import { type DocumentContent, judgeDocument, REQUIRED_CHECKS, type StatedPerson } from './document.ts';

const TODAY = '2026-11-20';
const LINES = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'];
const PERSON: StatedPerson = { fullName: 'Anna Maria Eriksson', dateOfBirth: '1974-08-12', cpf: '52998224725' };
const VISUAL = {
  name: 'ERIKSSON ANNA MARIA',
  documentNumber: 'L898902C3',
  dateOfBirth: '1974-08-12',
  dateOfExpiry: '2032-04-15',
};
const judge = (content: Partial<DocumentContent>, person: Partial<StatedPerson> = {}) =>
  judgeDocument({ mrzLines: LINES, visual: VISUAL, ...content }, { ...PERSON, ...person }, TODAY);
const codeOf = (checks: readonly Check[], code: string) => {
  const { outcome, reasonCode } = checks.find((one) => one.code === code)!;
  return [outcome, reasonCode];
};

describe('a document', () => {
  it('passes if both zones and the applicant agree', () => {
    const { checks, fields } = judge({});
    expect(conclude(checks, REQUIRED_CHECKS)).toBe('passed');
    expect(fields['documentNumber']).toEqual({ value: 'L898902C3', confidence: 0.99, source: 'mrz' });
    expect(fields['lastName']).toEqual({ value: 'ERIKSSON', confidence: 0.6, source: 'mrz' });
  });

  it('is inconclusive if its printed text was not read, because typed lines prove no document', () => {
    const { checks } = judge({ visual: null });
    expect(codeOf(checks, 'mrz_vs_visual')).toEqual(['not_run', 'visual_zone_not_read']);
    expect(conclude(checks, REQUIRED_CHECKS)).toBe('inconclusive');
  });

  it('is inconclusive if nothing was read', () => {
    const { checks, fields, mrzType } = judge({ mrzLines: null, visual: null });
    expect(checks.every(({ outcome }) => outcome === 'not_run')).toBe(true);
    expect(conclude(checks, REQUIRED_CHECKS)).toBe('inconclusive');
    expect([fields, mrzType]).toEqual([{}, null]);
  });

  it.each<[string, Parameters<typeof judge>, string, string]>([
    [
      'another number in print',
      [{ visual: { ...VISUAL, documentNumber: 'L898902C4' } }],
      'mrz_vs_visual',
      'zones_differ',
    ],
    ['another date in print', [{ visual: { ...VISUAL, dateOfBirth: '1974-08-13' } }], 'mrz_vs_visual', 'zones_differ'],
    ['another name in print', [{ visual: { ...VISUAL, name: 'OLGA BERG' } }], 'mrz_vs_visual', 'zones_differ'],
    ['another birth date stated', [{}, { dateOfBirth: '1974-12-08' }], 'data_match_date_of_birth', 'date_differs'],
    ['another name stated', [{}, { fullName: 'Olga Berg' }], 'data_match_name', 'name_differs'],
    ['a CPF with wrong digits', [{ visual: { ...VISUAL, taxId: '52998224724' } }], 'tax_id_checksum', 'digits_wrong'],
    ['the CPF of another', [{ visual: { ...VISUAL, taxId: '11144477735' } }], 'data_match_tax_id', 'tax_id_differs'],
    [
      'a wrong check digit',
      [{ mrzLines: [LINES[0]!, LINES[1]!.replace('L898902C36', 'L898902C37')] }],
      'mrz_check_digit_document_number',
      'check_digit_wrong',
    ],
    [
      'a date in the past',
      [{ mrzLines: [LINES[0]!, 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'] }],
      'document_expired',
      'document_expired',
    ],
    ['lines of another shape', [{ mrzLines: ['P<UTO'] }], 'mrz_format', 'format_wrong'],
  ])('fails with %s', (_, of, code, reason) => {
    const { checks } = judge(...of);
    expect(codeOf(checks, code)).toEqual(['fail', reason]);
    expect(conclude(checks, REQUIRED_CHECKS)).toBe('failed');
  });

  it('takes O and 0 for the same in numbers of two zones', () => {
    expect(codeOf(judge({ visual: { ...VISUAL, documentNumber: 'L8989O2C3' } }).checks, 'mrz_vs_visual')).toEqual([
      'pass',
      null,
    ]);
  });

  it('does not pass with a repaired letter, and halves the confidence in its field', () => {
    const { checks, fields } = judge({ mrzLines: [LINES[0]!, LINES[1]!.replace('7408122', '74O8122')] });
    expect(codeOf(checks, 'mrz_check_digit_date_of_birth')).toEqual(['warn', 'letter_taken_for_digit']);
    expect(fields['dateOfBirth']?.confidence).toBe(0.5);
    expect(conclude(checks, REQUIRED_CHECKS)).toBe('inconclusive');
  });

  it('does not pass if the characters of its zone are uncertain, although its check digits hold', () => {
    const { checks, fields } = judge({ areLinesUncertain: true });
    expect(codeOf(checks, 'mrz_check_digit_document_number')).toEqual(['warn', 'characters_uncertain']);
    expect(codeOf(checks, 'mrz_format')).toEqual(['pass', null]);
    expect([fields['documentNumber']?.confidence, fields['dateOfBirth']?.confidence]).toEqual([0.5, 0.5]);
    expect(conclude(checks, REQUIRED_CHECKS)).toBe('inconclusive');
  });

  it.each(['name', 'documentNumber', 'dateOfBirth'] as const)(
    'does not pass if its printed %s was not read, however well the rest agrees',
    (member) => {
      const { [member]: _, ...rest } = VISUAL;
      const { checks } = judge({ visual: rest });
      expect(codeOf(checks, 'mrz_vs_visual')).toEqual(['warn', 'visual_zone_partly_read']);
      expect(conclude(checks, REQUIRED_CHECKS)).toBe('inconclusive');
    },
  );

  it('with a birth date without a day is a warning if the rest agrees', () => {
    const { checks } = judge({ mrzLines: null, visual: { ...VISUAL, dateOfBirth: '1974-08' } });
    expect(codeOf(checks, 'data_match_date_of_birth')).toEqual(['warn', 'date_incomplete']);
  });

  it('is not compared with what the applicant has not stated', () => {
    const { checks } = judge({ visual: { ...VISUAL, taxId: '52998224725' } }, { dateOfBirth: null, cpf: null });
    expect(codeOf(checks, 'data_match_date_of_birth')).toEqual(['not_run', 'not_stated']);
    expect(codeOf(checks, 'data_match_tax_id')).toEqual(['not_run', 'not_stated']);
    expect(codeOf(checks, 'tax_id_checksum')).toEqual(['pass', null]);
  });
});

describe('names are compared', () => {
  it.each<[string, string, string, string | null]>([
    ['ERIKSSON ANNA MARIA', 'Anna Maria Eriksson', 'pass', null],
    ['JOAO PEDRO DA CONCEICAO', 'João Pedro Conceição', 'pass', null],
    ['MUELLER JAN', 'Jan Müller', 'pass', null],
    ['MULLER JAN', 'Jan Müller', 'pass', null],
    ['JOAO CONCEICAO', 'João Pedro da Conceição', 'warn', 'name_partial'],
    ['JOAO PEDRO CONCEICAO LIMA', 'João Conceição', 'warn', 'name_partial'],
    ['ANA ALBUQUERQUE', 'Ana Albuquerqve', 'warn', 'name_spelling'],
    ['MARIANA ALBUQ', 'Mariana Albuquerque Lima', 'fail', 'name_differs'],
    ['ANA LIMA', 'Ana Lino', 'fail', 'name_differs'],
    ['ANA', 'Ana Lima', 'fail', 'name_differs'],
    ['ANA ANA', 'Ana', 'fail', 'name_differs'],
    ['', 'Ana Lima', 'fail', 'name_differs'],
    ['DA E', 'de', 'fail', 'name_differs'],
  ])('%j with %j: %s', (read, stated, outcome, reason) => {
    const found = compareNames(read, stated);
    expect([found.outcome, found.reasonCode]).toEqual([outcome, reason]);
  });

  it('with a warning if the name on the document may be cut off and is a beginning of the other', () => {
    expect(compareNames('MARIANA ALBUQ', 'Mariana Albuquerque Lima', true)).toMatchObject({
      outcome: 'warn',
      reasonCode: 'name_cut',
    });
  });

  it('alike in both directions, except for what is cut off', () => {
    const word = fc.constantFrom('ANA', 'MARIA', 'LIMA', 'ALBUQUERQUE', 'SOUZA', 'DE');
    const name = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(compareNames(one, other)).toEqual(compareNames(other, one));
      }),
    );
  });
});

describe('checks', () => {
  const outcome = fc.constantFrom('pass', 'fail', 'warn', 'not_run' as const);
  it('never pass if a required one was not run, is missing, warns or fails', () => {
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 6 }), fc.integer({ min: 1, max: 6 }), (outcomes, count) => {
        const checks = outcomes.map((one, index) => check(`check_${index}`, one));
        const required = Array.from({ length: count }, (_, index) => `check_${index}`);
        const isClean = outcomes.slice(0, count).filter((one) => one === 'pass').length === count;
        const isSpoilt = outcomes.some((one) => one === 'fail' || one === 'warn');
        expect(conclude(checks, required) === 'passed').toBe(isClean && !isSpoilt);
      }),
    );
  });
});
