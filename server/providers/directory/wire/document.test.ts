/** Tests of turning documents of the directory into values. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document, DocumentValue } from '../directory.ts';
import { buildXml, readDocument } from './document.ts';
import { decodeXml, parseXml } from './parse.ts';

const read = (xml: string): Document => readDocument(parseXml(decodeXml(Buffer.from(xml))));

describe('the content of a document', () => {
  it('keeps every leaf as it was sent', () => {
    expect(
      read(
        '<R><Amount>0812.40</Amount><Id>00048211</Id><Flag>TRUE</Flag><Text>  a\n b \u0085\u2028</Text><None/><Empty></Empty></R>',
      ),
    ).toEqual({
      Amount: '0812.40',
      Id: '00048211',
      Flag: 'TRUE',
      Text: '  a\n b \u0085\u2028',
      None: '',
      Empty: '',
    });
  });

  it('reads plurals as lists, whatever the number of entries', () => {
    expect(
      read(
        '<R><Refunds/><Accounts><Account><Id>1</Id></Account></Accounts><Notes><Note>a</Note><Note>b</Note></Notes><Parties><Party>c</Party></Parties></R>',
      ),
    ).toEqual({
      Refunds: [],
      Accounts: [{ Id: '1' }],
      Notes: ['a', 'b'],
      Parties: ['c'],
    });
  });

  it('passes on unknown elements and values', () => {
    expect(
      read(
        '<R><Status>PARTLY_FROZEN</Status><TransactionDepth>2</TransactionDepth><Later><Than><This>1</This></Than></Later></R>',
      ),
    ).toEqual({ Status: 'PARTLY_FROZEN', TransactionDepth: '2', Later: { Than: { This: '1' } } });
  });

  it('keeps both elements if one occurs twice', () => {
    expect(read('<R><A>1</A><B/><A>2</A><A><C>3</C></A></R>')).toEqual({ A: ['1', '2', { C: '3' }], B: '' });
  });

  it('leaves out elements of other namespaces', () => {
    expect(read('<R xmlns:x="urn:x"><Status>OPEN</Status><x:Status>CLOSED</x:Status><A><x:B>1</x:B></A></R>')).toEqual({
      Status: 'OPEN',
      A: {},
    });
  });

  it('reads names that are special in JavaScript as ordinary names', () => {
    const document = read('<R><__proto__><polluted>1</polluted></__proto__><constructor>2</constructor></R>');
    expect(Object.keys(document)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(document)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it('reads back as it was built, whatever the texts', () => {
    const plane = (min: number, max: number): fc.Arbitrary<string> =>
      fc.integer({ min, max }).map((code) => String.fromCodePoint(code));
    const special = fc.constantFrom(
      '\t',
      '\n',
      '\r',
      '\u0085',
      '\u2028',
      '&',
      '<',
      '>',
      '"',
      "'",
      ']]>',
      '<!--',
      '&amp;',
      '&#0;',
    );
    const text = fc.string({
      unit: fc.oneof(
        special,
        plane(0x20, 0x7e),
        plane(0x7f, 0xd7ff),
        plane(0xe000, 0xfffd),
        plane(0x1_0000, 0x10_ffff),
      ),
      maxLength: 20,
    });
    const name = fc.constantFrom('Id', 'Status', 'Amount', 'Detail');
    const leaf: fc.Arbitrary<DocumentValue> = text;
    const inner: fc.Arbitrary<Document> = fc.dictionary(name, leaf, { minKeys: 1, noNullPrototype: true });
    const lists = fc.record({ Refunds: fc.array(inner, { maxLength: 3 }), Contact: inner, Note: text });
    fc.assert(
      fc.property(lists, (document) => {
        expect(read(buildXml('R', document))).toEqual(document);
      }),
      { numRuns: 50 },
    );
  });
});
