/** Tests that names and addresses in mail become neither links nor headers, in little time. */
import { expect, it } from 'vitest';
import { growth, LINEAR } from '../../../test/support/processor-time.ts';
import { plainName } from './recipient.ts';

/**
 * Patterns that mail programs turn into links: a scheme, two slashes, an `@`, or a dot between letters with two more
 * after it.
 */
const LINKED = /:\/|\/\/|\\\\|@|www|\w:\S|[.\u3002\uff0e\uff61\u2024\u00b7][\p{L}\p{N}-]{2}/iu;

it.each([
  'evil.com',
  'Pay at evil.com/reset now',
  'https://evil.com',
  'HTTP:\\\\evil.com',
  'http:/evil',
  '//evil.com',
  '\\\\evil\\share',
  '/ / evil.com',
  'www.evil',
  'WWW.evil.example',
  'a@evil.com',
  'a @ evil . com',
  'mailto:a',
  'tel:5541999',
  'javascript:alert',
  'evil。com',
  'evil．com',
  'evil｡com',
  'evil․com',
  'evil·com',
  'ｅｖｉｌ．ｃｏｍ',
  'ⓔⓥⓘⓛ.ⓒⓞⓜ',
  'h‌ttps://evil.com',
  'evil\u200b.com',
  'evil.\u00adcom',
  'пример.рф',
  'evil.xn--p1ai',
  'evil..com',
  'evil.c.om',
  'x.co',
  '10.0.0.1',
  '[evil](http://evil.com)',
  '<a href="//evil.com">x</a>',
  'evil.com.',
  'evil.com)',
  'ftp：／／evil.com',
  'evil＠evil。com',
  'evil\n.com',
  'evil.com\r\nBcc: x@y.z',
  '例え.テスト',
  'evil.côm',
  'evil.\u0063\u0301om',
])('makes no link of %j', (name) => {
  expect(plainName(name)).not.toMatch(LINKED);
  expect(plainName(name)).not.toMatch(/[\r\n]/);
  expect(plainName(plainName(name))).toBe(plainName(name));
});

it.each([
  'Banco Itaú S.A.',
  'Banco Exemplo S/A',
  "José d'Ávila",
  'J. R. R. Souza',
  'J.R.R. Souza',
  'Banco & Filhos <script>',
  'Ana "Souza"',
  'Maria-José',
  'Fundo 2026',
  'Nguyễn Thị',
  '葛\u{e0100}城',
  'St. John',
  'Empresa: matriz',
])('leaves %j as it is', (name) => {
  expect(plainName(name)).toBe(name.normalize('NFKC'));
});

it.each([
  ['Booking.com', 'Booking com'],
  ['Ana  Souza ', 'Ana Souza'],
  ['Ligue 0800 123-4567', 'Ligue •••'],
  ['+55 (41) 99999-0000', '+•••'],
  ['Ana\u202eazuoS', 'Ana azuoS'],
  ['a@b', 'a at b'],
])('says %j as %j', (name, said) => {
  expect(plainName(name)).toBe(said);
});

it('is short', () => {
  expect([...plainName('x'.repeat(500))]).toHaveLength(80);
});

it.each(['.', '1 ', '/ ', '\u200b', ' @'])('takes time linear in the length of the input: %j', async (piece) => {
  expect(await growth((length) => plainName(piece.repeat(length)), 480)).toBeLessThan(LINEAR);
});
