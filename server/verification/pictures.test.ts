/** Tests of judging a document by what was read from its pictures. */
import { describe, expect, it } from 'vitest';
import { conclude } from './check.ts';
import type { StatedPerson } from './document.ts';
import { REQUIRED_CHECKS } from './document.ts';
import { judgePictures, type SeenPicture } from './pictures.ts';
import type { PictureContent, PrintedLine } from './reader/read-picture.ts';

const LINES = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'];
const OTHER = ['P<UTOBERG<<OLGA<<<<<<<<<<<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F3204153ZE184226B<<<<<16'];
const PERSON: StatedPerson = { fullName: 'Anna Maria Eriksson', dateOfBirth: '1974-08-12', cpf: null };
const PRINT = ['L898902C3', 'ERIKSSON', 'ANNA MARIA', '12 AUG 1974', '15 APR 2032'];

const line = (text: string, index: number): PrintedLine => ({
  text,
  confidence: 0.9,
  box: {
    x: 200,
    y: 50 + index * 30,
    along: 100,
    across: 10,
    angle: 0,
  },
});
/** Returns a picture with a zone whose characters are so many pixels apart. */
function picture(lines: readonly string[] | null, print: readonly string[] = [], pitch = 12): PictureContent {
  const boxes = (lines ?? []).map((text) => ({
    x: 400,
    y: 700,
    along: (pitch * text.length) / 2,
    across: 12,
    angle: 0,
  }));
  return {
    width: 1000,
    height: 800,
    quarters: 0,
    zone:
      lines === null
        ? null
        : {
            lines,
            lowestConfidence: 0.9,
            agreeing: 3,
            isSubstituted: false,
            isChosenByDigits: false,
            boxes,
          },
    isZoneReliable: lines !== null,
    printed: print.map(line),
  };
}
function judged(pictures: readonly SeenPicture[], typed: readonly string[] | null = null) {
  const { checks, fields } = judgePictures(pictures, { typed, person: PERSON, today: '2026-11-20' });
  const outcomes = Object.fromEntries(checks.map(({ code, outcome, reasonCode }) => [code, [outcome, reasonCode]]));
  const status = conclude(checks, ['image_quality', 'document_type_supported', ...REQUIRED_CHECKS]);
  return { status, outcomes, fields };
}

describe('the pictures of a document', () => {
  it('pass if zone, print and applicant agree', () => {
    const { status, outcomes } = judged([picture(LINES, PRINT)]);
    expect(outcomes).toMatchObject({
      image_quality: ['pass', null],
      document_type_supported: ['pass', null],
      tamper_signals: ['not_run', 'not_measured'],
      mrz_vs_visual: ['pass', null],
    });
    expect(status).toBe('passed');
  });

  it('may show print and zone on different sides', () => {
    expect(judged([picture(null, PRINT), picture(LINES)]).status).toBe('passed');
  });

  it('never pass by a zone that cannot be relied on, whatever else agrees', () => {
    const { status, outcomes, fields } = judged([{ ...picture(LINES, PRINT), isZoneReliable: false }]);
    expect(outcomes['mrz_check_digit_composite']).toEqual(['warn', 'characters_uncertain']);
    const ofZone = Object.values(fields).filter(({ source }) => source === 'mrz');
    expect(Math.max(...ofZone.map(({ confidence }) => confidence))).toBe(0.5);
    expect(status).toBe('inconclusive');
  });

  it('never pass by lines that were typed beside them, even if the print agrees', () => {
    const { status, outcomes } = judged([picture(null, PRINT)], LINES);
    expect(outcomes).toMatchObject({
      document_type_supported: ['not_run', 'no_machine_readable_zone'],
      mrz_check_digit_composite: ['warn', 'characters_uncertain'],
      mrz_vs_visual: ['pass', null],
    });
    expect(status).toBe('inconclusive');
  });

  it('fail nobody by a reading that cannot be relied on: another name is then a warning', () => {
    const { status, outcomes } = judged([{ ...picture(OTHER, PRINT), isZoneReliable: false }]);
    expect(outcomes['data_match_name']).toEqual(['warn', 'name_differs']);
    expect(status).toBe('inconclusive');
  });

  it('fail nobody by a printed number alone, which has no second reading', () => {
    const person = { ...PERSON, cpf: '11144477735' };
    const { checks } = judgePictures([picture(LINES, [...PRINT, '529.982.247-25'])], {
      typed: null,
      person,
      today: '2026-11-20',
    });
    expect(checks.find(({ code }) => code === 'data_match_tax_id')).toMatchObject({
      outcome: 'warn',
      reasonCode: 'tax_id_differs',
    });
  });

  it('are judged by what they show, not by the lines that were typed', () => {
    expect(judged([picture(OTHER, PRINT)], LINES).outcomes['data_match_name']).toEqual(['fail', 'name_differs']);
  });

  it.each<[string, readonly SeenPicture[], string, [string, string]]>([
    ['no print that agrees', [picture(LINES, ['UTOPIA'])], 'mrz_vs_visual', ['not_run', 'visual_zone_not_read']],
    [
      'print without the name',
      [
        picture(
          LINES,
          PRINT.filter((text) => !/ERIK/.test(text)),
        ),
      ],
      'mrz_vs_visual',
      ['warn', 'visual_zone_partly_read'],
    ],
    ['a zone too small', [picture(LINES, PRINT, 6)], 'image_quality', ['warn', 'picture_too_small']],
    ['a side that shows nothing', [picture(LINES, PRINT), picture(null)], 'image_quality', ['warn', 'nothing_legible']],
    [
      'a side that cannot be decoded',
      [picture(LINES, PRINT), 'unreadable'],
      'image_quality',
      ['warn', 'picture_unreadable'],
    ],
    ['a file of many pages', [picture(LINES, PRINT), 'too_many_pages'], 'image_quality', ['not_run', 'too_many_pages']],
    [
      'two documents',
      [picture(LINES, PRINT), picture(OTHER)],
      'document_type_supported',
      ['warn', 'several_documents'],
    ],
    ['no zone', [picture(null, PRINT)], 'document_type_supported', ['not_run', 'no_machine_readable_zone']],
  ])('are inconclusive with %s', (_, pictures, code, found) => {
    const { status, outcomes } = judged(pictures);
    expect(outcomes[code]).toEqual(found);
    expect(status).toBe('inconclusive');
  });
});
