/** Tests of texts with placeholders. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillTemplate, templateFaults } from './template.ts';

const vocabulary = { values: ['case.number'], lists: { parties: ['party.name'] } };
const values = {
  values: { 'case.number': 'C-1' },
  lists: { parties: [{ 'party.name': 'Ana & Co' }, { 'party.name': '{{case.number}}' }] },
};
const fill = (template: string, escape = (value: string) => value): string =>
  fillTemplate(template, vocabulary, values, escape);

describe('a template', () => {
  it('takes values, repeats parts, and escapes what it fills in but not what was written around it', () => {
    const escape = (value: string): string => value.replaceAll('&', '&amp;');
    expect(fill('a & {{case.number}}:{{#parties}} {{ party.name }} of {{case.number}};{{/parties}}', escape)).toBe(
      'a & C-1: Ana &amp; Co of C-1; {{case.number}} of C-1;',
    );
  });

  it.each([
    ['{{case.nubmer}}', 'name only case.number here, not case.nubmer'],
    ['{{party.name}}', 'name only case.number here, not party.name'],
    ['{{#people}}{{/people}}', 'repeat only parties, not people'],
    ['{{#parties}}', 'end the part {{#parties}}'],
    ['{{/parties}}', 'begin the part that {{/parties}} ends'],
    ['{{#parties}}{{#parties}}{{/parties}}', 'end the part {{#parties}} before another one begins'],
    ['{{case.number', 'close every placeholder with }}'],
    ['case.number}}', 'close every placeholder with }}'],
    ['{{#constructor}}{{/constructor}}', 'repeat only parties, not constructor'],
    ['{{}}', 'name only case.number here, not '],
  ])('is refused when it is written as %s', (template, fault) => {
    expect(templateFaults(template, vocabulary)).toContain(fault);
  });

  it('without faults can always be filled in, and one with faults never is', () => {
    const piece = fc.constantFrom(
      '{{case.number}}',
      '{{#parties}}',
      '{{/parties}}',
      '{{party.name}}',
      '{{',
      '}}',
      ' x ',
      '{',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const template = pieces.join('');
        if (templateFaults(template, vocabulary).length === 0) expect(typeof fill(template)).toBe('string');
        else expect(() => fill(template)).toThrow('must not have faults');
      }),
    );
  });
});
