/** Tests of the names of files and of how a download states them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth, LINEAR } from '../../../test/support/processor-time.ts';
import { contentDisposition, safeFileName } from './file-name.ts';

describe('a file name', () => {
  it.each([
    ['passport.jpg', 'passport.jpg'],
    ['../../etc/passwd', 'passwd.jpg'],
    ['C:\\Users\\Ana\\scan.pdf', 'scan.jpg'],
    ['a\u0000b\u001f\u007f.jpg', 'ab.jpg'],
    ['photo\u202Egpj.exe', 'photogpj.jpg'],
    ['cert\u00e3o.pdf', 'certão.jpg'],
    ['certa\u0303o.pdf', 'certão.jpg'],
    ['.htaccess', 'htaccess.jpg'],
    ['  a   b .pdf. ', 'a b.jpg'],
    ['..', 'document.jpg'],
    ['', 'document.jpg'],
    ['dir/', 'document.jpg'],
    [`${'x'.repeat(200)}.jpeg`, `${'x'.repeat(115)}.jpg`],
    ['\ud800.jpg', '\ufffd.jpg'],
    ['invoice.html', 'invoice.jpg'],
    ['invoice.HTML. ', 'invoice.jpg'],
    ['invoice.pdf.svg', 'invoice.pdf.jpg'],
    ['invoice.settingcontent-ms', 'invoice.jpg'],
    ['invoice.h\u200btml', 'invoice.jpg'],
    ['invoice.js:photo', 'invoice.jpg'],
    ['photo.jpg:evil.html', 'photo.jpg_evil.jpg'],
    ['<b>"photo"|*?.jpg', '_b__photo____.jpg'],
    ['photo.jpeg', 'photo.jpg'],
    ['photo', 'photo.jpg'],
    ['123.456.789-09', '123.456.789-09.jpg'],
    ['R.G. Maria Silva.png', 'R.G. Maria Silva.jpg'],
    ['NUL', '_NUL.jpg'],
    ['con.txt.html', '_con.txt.jpg'],
  ])('%j becomes %j', (clientName, expected) => expect(safeFileName(clientName, 'image/jpeg')).toBe(expected));

  it('is shortened in linear time', async () => {
    expect(await growth((length) => safeFileName(`${'x'.repeat(length)}.png`, 'image/png'), 16_000)).toBeLessThan(
      LINEAR,
    );
  });

  it('is always short, a single path part, without control characters and with the extension of its format', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (clientName) => {
        const name = safeFileName(clientName, 'image/png');
        expect(name.length).toBeGreaterThan(0);
        expect(name.length).toBeLessThanOrEqual(120);
        expect(name).not.toMatch(/[\p{Cc}/\\]/u);
        expect(name.isWellFormed()).toBe(true);
        expect(name).toMatch(/[^. ]\.png$/);
        expect(safeFileName(name, 'image/png')).toBe(name);
      }),
    );
  });
});

describe('the disposition of a download', () => {
  it('is an attachment', () => expect(contentDisposition('passport.jpg')).toBe('attachment; filename="passport.jpg"'));
  it('contains the full name in UTF-8 if ASCII cannot represent it', () => {
    expect(contentDisposition('certidão (2).pdf')).toBe(
      `attachment; filename="certid_o (2).pdf"; filename*=UTF-8''certid%C3%A3o%20%282%29.pdf`,
    );
  });
  it('cannot be escaped by characters of the file name', () => {
    expect(contentDisposition('a"; filename="b.exe')).toBe(
      `attachment; filename="a_; filename=_b.exe"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe`,
    );
  });
  it('is short and ASCII, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (clientName) => {
        const header = contentDisposition(safeFileName(clientName, 'image/png'));
        expect(header).toMatch(/^attachment; filename="[\x20-\x7e]*"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]*)?$/);
        expect(header.length).toBeLessThanOrEqual(512);
      }),
    );
  });
});
