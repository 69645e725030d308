/**
 * Right and wrong texts for each explained pattern and format. Used by every-operation-formats.test.ts; a new pattern
 * needs samples here.
 */
import type { Schema } from '../../scripts/contract/contract.ts';

/** Texts that a schema allows, and texts that it rules out. */
type Samples = Readonly<Record<'right' | 'wrong', readonly string[]>>;

const NAME_OF_A_PERSON =
  'letters and marks of any script, spaces, apostrophes, points and hyphens, beginning with a letter; ' +
  'no digits and no other signs';

/** Samples for each text that explains a pattern (`x-must-be`). */
export const WORDS: Readonly<Record<string, Samples>> = {
  '1 to 40 letters, digits, underscores, points and hyphens': { right: ['a.B-c_1'], wrong: ['a b', 'é', 'a/b'] },
  '1 to 40 small letters, digits and hyphens': { right: ['ofac-sdn'], wrong: ['OFAC', 'a_b'] },
  '1 to 64 letters, digits, points, colons, hyphens or low lines': {
    right: ['2026-11-25:a_b.c'],
    wrong: ['a b', 'a/b'],
  },
  '1 to 40 letters, digits, underscores and hyphens': { right: ['a-B_1'], wrong: ['a b', 'é', 'a.b'] },
  '2 to 40 lower-case letters, digits and underscores': { right: ['high_risk_1'], wrong: ['High', 'a-b', 'é1'] },
  'a number from 0.0000 to 100.0000 with four decimals': {
    right: ['0.0000', '100.0000'],
    wrong: ['1', '100.0001', '1.00000'],
  },
  'the name of a type of acts, such as move_funds or custom:lease, or *': {
    right: ['move_funds', 'custom:lease', '*'],
    wrong: ['Move', 'custom:', 'other:lease', '**'],
  },
  'two capital letters': { right: ['PR'], wrong: ['pr', 'P1'] },
  'the path of a fact, such as applicant.age': {
    right: ['applicant.age', 'metadata.a-b_C'],
    wrong: ['Applicant', 'a..b', 'a.b c'],
  },
  '64 hexadecimal digits in lower case': { right: ['0a'.repeat(32)], wrong: ['0A'.repeat(32), 'g'.repeat(64)] },
  'the id of a user, `me` or `none`': {
    right: ['me', 'none', '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21'],
    wrong: ['nobody', '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a2g'],
  },
  'a colour such as #0a5c36, in lower case': { right: ['#0a5c36'], wrong: ['#0A5C36', '0a5c361', '#0a5c3g'] },
  'a device token as a sign-in gave it, beginning with dt_': {
    right: [`dt_${'a'.repeat(40)}`],
    wrong: [`td_${'a'.repeat(40)}`],
  },
  'a domain in lower case, such as example.com': {
    right: ['example.com', 'xn--bcher-kva.example'],
    wrong: ['Example.com', 'example', '-a.com', 'a-.com', 'a..com', '.com'],
  },
  'a duration of ISO 8601 in days, hours, minutes and seconds, such as P1DT12H': {
    right: ['P1DT12H', 'PT30S'],
    wrong: ['P', 'PT', 'P1M', '1D', 'P1H'],
  },
  'a language tag of BCP 47, such as pt-BR': {
    right: ['pt-BR', 'zh-Hant-TW', 'es-419', 'de-CH-1901', 'en-US-u-ca-buddhist'],
    wrong: ['pt_BR', 'portuguese', 'pt-', 'pt-BR-BR-BR', 'p-BR', 'pt--BR'],
  },
  'a network in CIDR notation, such as 203.0.113.0/24': {
    right: ['203.0.113.0/24', '2001:db8::/32'],
    wrong: ['203.0.113.0', '203.0.113.0/33', '203.0.113.1/24', '999.0.0.0/8', ':::/8'],
  },
  'a phone number in E.164: a plus sign and 7 to 15 digits, such as +5511912345678': {
    right: ['+5511912345678'],
    wrong: ['5511912345678', '+0511912345678', '+55 11 91234', '+123456'],
  },
  'an IP address': {
    right: ['203.0.113.7', '2001:db8::7'],
    wrong: ['999.1.1.1', '1.2.3', ':::', 'abcd', '1.2.3.4:80'],
  },
  'a number from 1 to 16': { right: ['1', '16'], wrong: ['0', '17', '01', 'x'] },
  'capital letters, digits and the sign <': {
    right: [`P<UTO${'<'.repeat(39)}`],
    wrong: [`P>UTO${'<'.repeat(39)}`, `p<uto${'<'.repeat(39)}`],
  },
  'a letter followed by letters, digits or low lines': { right: ['amount_2'], wrong: ['2a', '_a', 'a-b', 'é'] },
  'a letter followed by letters, digits, points, hyphens or low lines': {
    right: ['_onboarding.v-2'],
    wrong: ['2a', 'a b', 'a/b'],
  },
  'a letter or digit followed by letters, digits, points, colons, slashes, hyphens or low lines': {
    right: ['2026/case:4711_a.b-c'],
    wrong: ['-a', 'a b', 'é'],
  },
  'capital letters and underscores': { right: ['FUNDS_RECOVERY'], wrong: ['funds', 'A1'] },
  'capital letters, digits and underscores': { right: ['A_1'], wrong: ['a_1', 'A-1'] },
  'digits and the letters a to f': { right: ['0a'.repeat(32)], wrong: ['0g'.repeat(32), '0A'.repeat(32)] },
  'eight capital letters and digits': { right: ['AB12CD34'], wrong: ['ab12cd34', 'AB12-D34'] },
  'letters and digits': { right: ['A1'], wrong: ['A-1', 'é1'] },
  'letters and digits, with single hyphens or spaces between them': {
    right: ['80010-000', '80010000', '80010 000'],
    wrong: ['-80010', '80010-', '80--10', '---', ' 80', '80 -10', '٣٣'],
  },
  [NAME_OF_A_PERSON]: {
    right: ['Ana d’Ávila', '’t Hooft'],
    wrong: ['--', '- Ana', 'Ana 2', 'Ana €', 'Ana ٣', '😀😀', 'Ana\u200dSouza', 'Ana_B', '’’'],
  },
  'letters, digits, points, slashes and hyphens': {
    right: ['529.982.247-25'],
    wrong: ['529 982 247 25', '٣٣٣٣٣٣٣٣٣٣٣'],
  },
  'letters, digits, points, slashes and hyphens, or a masked CPF such as ***982247**': {
    right: ['529.982.247-25', '***982247**'],
    wrong: ['529 982', '***98224**', '***982247***', '٣٣٣'],
  },
  'letters, digits, points, slashes, hyphens and spaces': { right: ['529.982.247-25'], wrong: ['529_982', '٣٣٣'] },
  'letters, digits, points, underscores, slashes and hyphens': { right: ['DSR-2026/1'], wrong: ['-a', 'a b', 'é'] },
  'letters, digits, underscores and hyphens': { right: ['a_B-1'], wrong: ['a b', 'a+b'] },
  'lower-case letters and digits, with single hyphens between them': {
    right: ['acme-bank-2'],
    wrong: ['Acme', 'a--b', '-a', 'a-'],
  },
  'lower-case letters and underscores': { right: ['account_opening'], wrong: ['Account', 'a-b', 'a1'] },
  'lower-case letters, digits and hyphens': { right: ['pix-out-1'], wrong: ['Pix', 'a_b'] },
  'lower-case letters, digits and underscores': { right: ['pix_out_1'], wrong: ['Pix', 'a-b'] },
  'lower-case letters, digits, underscores and hyphens': { right: ['pix_out-1'], wrong: ['Pix', 'a.b'] },
  'sha256: and 64 hexadecimal digits, as it was read': {
    right: [`sha256:${'0a'.repeat(32)}`],
    wrong: [`sha256:${'0A'.repeat(32)}`, `sha512:${'0a'.repeat(32)}`],
  },
  'six digits': { right: ['123456'], wrong: ['12345a', '٣٣٣٣٣٣'] },
  'ten letters and digits, with or without a hyphen in the middle': {
    right: ['ABCDE-12345', 'ABCDE12345'],
    wrong: ['ABCD-E12345', 'ABCDE_12345'],
  },
  'text without the character NUL': { right: ['any text \u202e'], wrong: ['a\0b'] },
  'the code of a country in ISO 3166-1 alpha-2, such as BR': {
    right: ['BR', 'AX', 'SS', 'BQ'],
    wrong: ['ZZ', 'XX', 'UK', 'EU', 'XK', 'SU', 'br', 'AA'],
  },
  'the code of a country in ISO 3166-1 alpha-2, such as BR, or one that ISO 3166-3 has withdrawn, such as SU': {
    right: ['BR', 'SU', 'YU', 'DD', 'CS', 'TP', 'ZR'],
    wrong: ['ZZ', 'XX', 'UK', 'EU', 'XK', 'su'],
  },
  'the code of a currency in ISO 4217 that a country uses, such as BRL': {
    right: ['BRL', 'USD', 'XCG', 'ZWG', 'XOF'],
    wrong: ['ZZZ', 'AAA', 'brl', 'DEM', 'HRK', 'XXX', 'XTS', 'XAU', 'BTC'],
  },
  'the letter E or D and 31 letters and digits': {
    right: ['E40511220202611021014k3Jq81LmZ0a', 'D90400888202611031500a1B2c3D4e5F'],
    wrong: ['E40511220', 'X40511220202611021014k3Jq81LmZ0a', 'E40511220202611021014k3Jq81LmZ0-'],
  },
  'the name of an event, or its beginning and `.*`': {
    right: ['application.created', 'application.*'],
    wrong: ['Application', 'a*', 'a.**'],
  },
  'the prefix of a key, such as kyc_live_9hT2xQ4b': {
    right: ['kyc_live_9hT2xQ4b'],
    wrong: ['kyc_prod_9hT2xQ4b', 'kyc_live_9hT2xQ4'],
  },
  'visible ASCII characters without spaces': { right: ['key-1'], wrong: ['a b', 'é'] },
};

/** Samples of formats. */
const FORMATS: Readonly<Record<string, Samples>> = {
  'date': {
    right: ['1900-01-01', '2024-02-29'],
    wrong: [
      '0000-01-01',
      '0099-12-31',
      '1899-12-31',
      '2023-02-29',
      '2026-1-01',
      '2026-01-01T00:00:00Z',
      '+10000-01-01',
      '٢٠٢٦-٠١-٠١',
    ],
  },
  'date-time': {
    right: ['2026-01-31T09:05:00.120Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2016-12-31T23:59:60Z'],
    wrong: [
      '0000-12-31T23:59:59Z',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59-00:01',
      '9999-12-31T23:59:60Z',
      '2026-01-01T00:00:00',
      '2026-01-01T00:00:00+03',
      '2026-01-01',
      '10000-01-01T00:00:00Z',
    ],
  },
  'email': {
    right: [
      'ana@example.com',
      'ana+1@bücher.example',
      'ana@xn--bcher-kva.example',
      'joão@example.com'.replace('ã', 'a'),
      `${'a'.repeat(64)}@example.com`,
      'ana@пример.испытание',
    ],
    wrong: [
      `${'a'.repeat(65)}@example.com`,
      '"ana b"@example.com',
      'ana@[203.0.113.7]',
      'ana@203.0.113.7',
      'ana@example',
      'ana@-a.com',
      'ana..b@example.com',
      'ana@exa mple.com',
      'ana@a_b.com',
      'joão@example.com',
      'ana@exam\u200bple.com',
      `ana@${'ü'.repeat(63)}.com`,
    ],
  },
};

/** Returns samples of a schema that has a format or an explained pattern. */
export const samplesOf = ({ format, 'x-must-be': words }: Schema): Samples | undefined =>
  words === undefined ? FORMATS[format ?? ''] : (WORDS[words] ?? { right: [], wrong: [] });
