/** Tests of judging proofs of address by their printed lines. */
import { describe, expect, it } from 'vitest';
import { type Check, conclude } from './check.ts';
import type { SeenPicture } from './pictures.ts';
import { judgeProofOfAddress, REQUIRED_OF_ADDRESS, type StatedHolder } from './proof-of-address.ts';

const TODAY = '2026-11-20';
const HOLDER: StatedHolder = {
  fullName: 'João Pedro da Conceição',
  address: { line1: 'Rua Doutor Pedrosa', number: '151', postalCode: '80420120' },
};
const BILL = [
  'COMPANHIA DE ENERGIA',
  'RODOVIA DOS BANDEIRANTES 1000  CEP 81200-240',
  'CLIENTE: JOAO PEDRO CONCEICAO',
  'R DR PEDROSA, 151 AP 32',
  'CENTRO - CURITIBA PR  80.420-120',
  'VENCIMENTO 30/11/2026',
  'EMISSÃO: 02/11/2026',
];

/** Returns a page with these lines, from top to bottom. */
const page = (lines: readonly string[]): SeenPicture => ({
  width: 1000,
  height: 1400,
  quarters: 0,
  zone: null,
  isZoneReliable: false,
  printed: lines.map((text, index) => ({
    text,
    confidence: 0.9,
    box: {
      x: 300,
      y: 100 + 40 * index,
      along: 200,
      across: 10,
      angle: 0,
    },
  })),
});
const judged = (lines: readonly string[], holder: Partial<StatedHolder> = {}): Check[] =>
  judgeProofOfAddress([page(lines)], { ...HOLDER, ...holder }, TODAY);
const outcome = (checks: readonly Check[], code: string): unknown[] => {
  const found = checks.find((one) => one.code === code);
  return [found?.outcome, found?.reasonCode];
};
const replaced = (row: number, text: string): string[] => BILL.map((line, index) => (index === row ? text : line));

describe('a proof of address', () => {
  it('passes if it shows the name, the address and a recent date of issue', () => {
    const checks = judged(BILL);
    expect(conclude(checks, REQUIRED_OF_ADDRESS)).toBe('passed');
    expect(checks.find(({ code }) => code === 'document_age')).toMatchObject({ score: 18, threshold: 90 });
    expect(checks.find(({ code }) => code === 'address_match')).toMatchObject({
      expected: 'Rua Doutor Pedrosa, 151, 80420120',
      observed: 'R DR PEDROSA, 151 AP 32',
    });
  });

  it('may be spread over two pages', () => {
    const checks = judgeProofOfAddress([page(BILL.slice(0, 3)), page(BILL.slice(3))], HOLDER, TODAY);
    expect(conclude(checks, REQUIRED_OF_ADDRESS)).toBe('passed');
  });

  it.each([
    ['the number in the next line', replaced(3, 'RUA DOUTOR PEDROSA').toSpliced(4, 0, '151')],
    ['words without the spaces between them', replaced(3, 'RUADRPEDROSA 151')],
    ['a letter for a digit of the postal code', replaced(4, 'CURITIBA 8O42O-12O')],
    ['the letter O before the postal code', replaced(4, 'CENTRO 80420-120')],
    ['the house number before the postal code', replaced(3, 'R DR PEDROSA 151 80420-120').toSpliced(4, 1)],
  ])('shows an address with %s', (_, lines) => {
    expect(outcome(judged(lines), 'address_match')).toEqual(['pass', null]);
  });

  it.each([
    ['the number of another house', replaced(3, 'R DR PEDROSA, 1510'), 'address_partly_shown'],
    ['another postal code', replaced(4, 'CURITIBA 80420-130'), 'address_partly_shown'],
    ['a postal code inside a longer number', replaced(4, 'FATURA 980420120'), 'address_partly_shown'],
    ['another street with this postal code', replaced(3, 'R VOLUNTARIOS 151'), 'address_partly_shown'],
    ['another address', BILL.toSpliced(3, 2, 'R VOLUNTARIOS 88', 'CURITIBA 80000-000'), 'address_not_shown'],
  ])('that shows %s is left to a person', (_, lines, reason) => {
    expect(outcome(judged(lines), 'address_match')).toEqual(['warn', reason]);
  });

  it('shows a postal code that begins with 0 after the letter O', () => {
    const address = { ...HOLDER.address!, postalCode: '01310100' };
    expect(outcome(judged(replaced(4, 'SAO PAULO 01310-100'), { address }), 'address_match')).toEqual(['pass', null]);
  });

  it('needs no number if the applicant states that the house has none', () => {
    const address = { line1: 'Praça da Sé', number: 'S/N', postalCode: null };
    expect(outcome(judged(['PCA DA SE S/N'], { address }), 'address_match')).toEqual(['pass', null]);
    expect(outcome(judged(['PCA DA SE SN'], { address }), 'address_match')).toEqual(['pass', null]);
  });

  it('needs no number and no postal code where the applicant states none', () => {
    const address = { line1: 'Praça da Sé', number: null, postalCode: null };
    expect(outcome(judged(['PCA DA SE S/N'], { address }), 'address_match')).toEqual(['pass', null]);
  });

  it('is compared with nothing where the applicant states no address', () => {
    expect(outcome(judged(BILL, { address: null }), 'address_match')).toEqual(['not_run', 'not_stated']);
  });

  it.each([
    ['a longer name', 'JOAO PEDRO CONCEICAO FILHO', ['warn', 'name_partial']],
    ['the letters of the name alone', 'NOME:JOAOPEDRODACONCEICAO', ['pass', null]],
    ['another name', 'MARIA DE SOUZA', ['not_run', 'name_not_read']],
  ])('with %s', (_, line, found) => {
    expect(outcome(judged(replaced(2, line)), 'data_match_name')).toEqual(found);
  });

  it.each([
    ['on the 90th day', 'EMISSÃO: 22/08/2026', ['pass', null]],
    ['on the 91st day', 'EMISSÃO: 21/08/2026', ['warn', 'document_too_old']],
    ['with a year of two digits', 'DATA DE EMISSAO 02/11/26', ['pass', null]],
    ['tomorrow', 'EMITIDO EM 21/11/2026', ['warn', 'date_in_future']],
    ['without the label', 'LEITURA 02/11/2026', ['warn', 'date_of_issue_not_read']],
    ['without a date', 'SEM DATA', ['not_run', 'date_not_read']],
  ])('that was issued %s', (_, line, found) => {
    expect(outcome(judged(replaced(6, line)), 'document_age')).toEqual(found);
  });

  it('that shows no text is judged by nothing', () => {
    const checks = judged([]);
    expect(checks.map(({ outcome: one }) => one)).not.toContain('pass');
    expect(conclude(checks, REQUIRED_OF_ADDRESS)).toBe('inconclusive');
  });
});
