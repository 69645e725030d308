/** Tests of reading XML, including what must be rejected. */
import { describe, expect, it } from 'vitest';
import { readDocument } from './document.ts';
import { decodeXml, parseXml } from './parse.ts';

const read = (xml: string | Uint8Array): unknown =>
  readDocument(parseXml(decodeXml(typeof xml === 'string' ? Buffer.from(xml) : xml)));
const unreadable = (xml: string | Uint8Array): void => {
  expect(() => read(xml)).toThrow(expect.objectContaining({ name: 'DirectoryError', kind: 'Unreadable' }));
};

/** Entities of which each consists of ten of the one before. */
const BOMB = Array.from({ length: 9 }, (_, level) => {
  const before = level === 0 ? '&a;' : `&b${level - 1};`;
  return `<!ENTITY b${level} "${before.repeat(10)}">`;
});

describe('reading XML', () => {
  it('accepts a document with a byte order mark, a declaration, comments and sections', () => {
    expect(
      read(
        '\uFEFF<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n' +
          '<!-- a --><R><A>1<!-- b -->2</A><B><![CDATA[<&>]]></B></R><!-- c -->\n',
      ),
    ).toEqual({ A: '12', B: '<&>' });
  });

  it('resolves the five entities and character references, in texts and in attributes', () => {
    expect(read('<R a="&quot;&#10;"><A>&amp;&lt;&gt;&quot;&apos;&#233;&#xE9;&#x1F600;</A></R>')).toEqual({
      A: '&<>"\'éé\u{1F600}',
    });
  });

  it.each([
    ['a document type', '<!DOCTYPE R><R/>'],
    ['a document type in other letters', '<!doctype R><R/>'],
    ['an external entity', '<!DOCTYPE R [<!ENTITY x SYSTEM "file:///etc/passwd">]><R>&x;</R>'],
    ['an external document type', '<!DOCTYPE R SYSTEM "http://127.0.0.1/evil.dtd"><R/>'],
    ['an entity bomb', `<!DOCTYPE R [<!ENTITY a "aaaaaaaaaa">${BOMB.join('')}]><R>&b8;</R>`],
    ['a parameter entity', '<!DOCTYPE R [<!ENTITY % p SYSTEM "http://127.0.0.1/">%p;]><R/>'],
    ['an entity that nobody declared', '<R>&nbsp;</R>'],
    ['an entity that nobody declared in an attribute', '<R a="&x;"/>'],
    ['an ampersand', '<R>a & b</R>'],
    ['a reference to the null character', '<R>&#0;</R>'],
    ['a reference to a surrogate', '<R>&#xD800;</R>'],
    ['a reference beyond Unicode', '<R>&#x110000;</R>'],
    ['a processing instruction', '<?xml-stylesheet href="x"?><R/>'],
    ['a processing instruction inside', '<R><A>1<?x 2?></A></R>'],
    ['a second declaration', '<?xml version="1.0"?><?xml version="1.0"?><R/>'],
    ['a declaration after a blank', ' <?xml version="1.0"?><R/>'],
    ['two roots', '<R/><R/>'],
    ['text behind the root', '<R/>x'],
    ['a section behind the root', '<R/><![CDATA[x]]>'],
    ['nothing', ''],
    ['only a comment', '<!-- a -->'],
    ['a tag that is never closed', '<R><A></R>'],
    ['a tag that was never opened', '<R></A></R>'],
    ['crossing tags', '<R><A><B></A></B></R>'],
    ['one attribute twice', '<R a="1" a="2"/>'],
    ['an attribute without quotes', '<R a=1/>'],
    ['a less-than sign in an attribute', '<R a="<"/>'],
    ['a comment with two hyphens', '<R><!-- a -- b --></R>'],
    ['a comment that never ends', '<R><!-- a</R>'],
    ['the end of no section', '<R>]]></R>'],
    ['a prefix that nobody bound', '<R><x:A>1</x:A></R>'],
    ['JSON', '{"Status":"ANALYSED"}'],
    ['HTML', '<!DOCTYPE html><html><body>proxy error</body></html>'],
  ])('refuses %s', (_, xml) => {
    unreadable(xml);
  });

  it.each([
    ['UTF-16 with its mark', Buffer.from('\uFEFF<R/>', 'utf16le')],
    ['UTF-16 without its mark', Buffer.from('<R/>', 'utf16le')],
    ['UTF-16, big-endian', Buffer.from('\uFEFF<R/>', 'utf16le').swap16()],
    ['Latin-1', Buffer.from('<R>é</R>', 'latin1')],
    ['a declaration of Latin-1', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><R/>')],
    ['a declaration of UTF-16', Buffer.from('<?xml version="1.0" encoding="UTF-16"?><R/>')],
    ['a declaration of UTF-7', Buffer.from("<?xml version='1.0' encoding='UTF-7'?><R>+ADw-</R>")],
    ['overlong UTF-8', Buffer.from([0x3c, 0x52, 0x3e, 0xc0, 0xbc, 0x3c, 0x2f, 0x52, 0x3e])],
    ['half of a character', Buffer.from([0x3c, 0x52, 0x3e, 0xc3, 0x3c, 0x2f, 0x52, 0x3e])],
    ['a null', Buffer.from('<R>\0</R>')],
    ['a null in front', Buffer.from('\0<R/>')],
    ['a control character', Buffer.from('<R>\u0008</R>')],
    ['a non-character', Buffer.from('<R>\uFFFE</R>')],
  ])('refuses %s', (_, bytes) => {
    unreadable(bytes);
  });

  it('accepts documents at the limits of depth, number and width', () => {
    expect(read(`<R>${'<A/>'.repeat(49_998)}</R>`)).toHaveProperty('A.length', 49_998);
    expect(read('<A>'.repeat(32) + '</A>'.repeat(32))).toBeTypeOf('object');
    expect(read(`<R ${Array.from({ length: 16 }, (_, index) => `a${index}="1"`).join(' ')}/>`)).toEqual({});
  });

  it('rejects documents beyond the limits of depth, number, width or size quickly', () => {
    const started = performance.now();
    unreadable('<A>'.repeat(33) + '</A>'.repeat(33));
    unreadable('<A>'.repeat(1_000_000));
    unreadable(`<R>${'<A/>'.repeat(50_000)}</R>`);
    unreadable(`<R>${'<!---->'.repeat(50_000)}</R>`);
    unreadable(`<R>${'<![CDATA[]]>'.repeat(50_000)}</R>`);
    unreadable(`<R ${Array.from({ length: 17 }, (_, index) => `a${index}="1"`).join(' ')}/>`);
    unreadable(`<R${' '.repeat(8_000_000)}/>`);
    unreadable(`<R a="${'x'.repeat(8_000_000)}"/>`);
    unreadable(`<R${' a="1"'.repeat(1_000_000)}/>`);
    unreadable(`<${'R'.repeat(8_000_000)}/>`);
    unreadable('<'.repeat(8_000_000));
    unreadable('&'.repeat(8_000_000));
    unreadable('<!--'.repeat(2_000_000));
    unreadable(Buffer.alloc(8 * 1024 * 1024 + 1, 0x20));
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('rejects a document that is truncated at any position', () => {
    const whole = Buffer.from(
      '<?xml version="1.0" encoding="UTF-8"?>\n<R a="é"><A>1 &amp; é</A><!-- c --><B><![CDATA[x]]></B></R>',
    );
    for (let length = 0; length < whole.length; length++) unreadable(whole.subarray(0, length));
    expect(read(whole)).toEqual({ A: '1 & é', B: 'x' });
  });
});
