/** Tests of inspecting PDFs: pages, envelope, active content. */
import { describe, expect, it } from 'vitest';
import { objectStream, pdf, type PdfOptions, stream } from '../../../../../test/support/specimens.ts';
import type { Problem } from '../../../../contract/problem.ts';
import { inspectPdf } from './inspect-pdf.ts';

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';

const verdict = (bytes: Buffer): Promise<number | string> =>
  inspectPdf(bytes).catch((error: Problem) => error.code ?? String(error));
const of = (options: PdfOptions): Promise<number | string> => verdict(pdf(options));

describe('the pages of a PDF', () => {
  it.each([1, 2, 30])('are counted: %i', async (pages) => expect(await of({ pages })).toBe(pages));
  it('are at most 30', async () => expect(await of({ pages: 31 })).toBe('too_many_pages'));
  it('are counted from the tree and not from its entry Count', async () => {
    expect(
      await verdict(Buffer.from(pdf({ pages: 31 }).toString('latin1').replace('/Count 31', '/Count 01'), 'latin1')),
    ).toBe('too_many_pages');
  });
  it('may be in an object stream', async () => {
    const bytes = pdf({
      packed: ['<< /Type /Pages /Kids [201 0 R 202 0 R] /Count 2 >>', '<< /Type /Page >>', '<< /Type /Page >>'],
    });
    expect(
      await verdict(Buffer.from(bytes.toString('latin1').replace('/Pages 2 0 R', '/Pages 200 0 R'), 'latin1')),
    ).toBe(2);
  });
  it('must exist', async () => {
    expect(await of({ pages: 0 })).toBe('corrupt_file');
    expect(await verdict(Buffer.from('%PDF-1.7\n%%EOF'))).toBe('corrupt_file');
  });
  it('must not form a cycle', async () => {
    expect(await verdict(Buffer.from(pdf().toString('latin1').replace('[3 0 R]', '[2 0 R]'), 'latin1'))).toBe(
      'corrupt_file',
    );
  });
});

describe('the envelope of a PDF', () => {
  it('begins with its header', async () => {
    for (const preamble of [
      '<html><script>alert(1)</script>',
      'PK\x03\x04',
      'MZ\x90',
      '#!/bin/sh\n',
      '\x1b%-12345X@PJL\r\n',
      'GIF89a',
      '\n',
      '%PDF-1.4\n%',
      '%',
    ]) {
      expect(await verdict(Buffer.concat([Buffer.from(preamble, 'latin1'), pdf()])), preamble).toBe('corrupt_file');
    }
  });
  it.each([
    '<script>alert(1)</script>',
    '<!doctype html>',
    'PK\x03\x04',
    '<?php phpinfo(); ?>',
    'Rar!\x1a\x07',
    '%PDF-1.4',
  ])('does not also start like another format: %j', async (stranger) => {
    const bytes = pdf();
    expect(
      await verdict(Buffer.concat([bytes.subarray(0, 9), Buffer.from(`%${stranger}\n`, 'latin1'), bytes.subarray(9)])),
    ).toBe('corrupt_file');
  });
  it.each([
    ['the program of a font', stream('/Type /FontFile', Buffer.from('%!PS-AdobeFont-1.0: Times\n'))],
    [
      'rich text in a note',
      '<< /Type /Annot /RC (<?xml version="1.0"?><body xmlns="http://www.w3.org/1999/xhtml"><p>Ana</p></body>) >>',
    ],
    ['a web page in a string', '<< /Title (<html><script>) >>'],
  ])('may contain near its beginning, in an object, %s', async (_, object) => {
    const bytes = pdf();
    expect(
      await verdict(
        Buffer.concat([
          bytes.subarray(0, 15),
          Buffer.from('90 0 obj\n'),
          Buffer.from(object),
          Buffer.from('\nendobj\n'),
          bytes.subarray(15),
        ]),
      ),
    ).toBe(1);
  });
  it.each([
    ['tar', 257, 'ustar'],
    ['ISO 9660', 32_769, 'CD001'],
  ])('is not also %s', async (_, offset, mark) => {
    const bytes = pdf();
    expect(
      await verdict(
        Buffer.concat([bytes.subarray(0, 9), Buffer.from(`%${'x'.repeat(offset - 10)}${mark}\n`), bytes.subarray(9)]),
      ),
    ).toBe('corrupt_file');
  });
  it('may end with white space', async () =>
    expect(await verdict(Buffer.concat([pdf(), Buffer.from('\r\n\0 ')]))).toBe(1));
  it('may have been saved several times, with as many pages as before', async () => {
    const saved = Buffer.concat([
      pdf(),
      Buffer.from(
        '3 0 obj\n' +
          '<< /Type /Page /Rotate 90 >>\n' +
          'endobj\n' +
          'xref\n' +
          '0 0\n' +
          'trailer\n' +
          '<< /Root 1 0 R /Prev 9 >>\n' +
          'startxref\n' +
          '0\n' +
          '%%EOF\n',
      ),
    ]);
    expect(await verdict(saved)).toBe(1);
  });
  it('must not hide pages or actions in a superseded revision', async () => {
    const again = (objects: string): Buffer =>
      Buffer.from(`${objects}\nxref\n0 0\ntrailer\n<< /Root 1 0 R /Prev 9 >>\nstartxref\n0\n%%EOF\n`);
    expect(
      await verdict(
        Buffer.concat([pdf({ pages: 31 }), again('2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj')]),
      ),
    ).toBe('too_many_pages');
    expect(
      await verdict(
        Buffer.concat(
          [
            pdf({ pages: 31 }),
            again('50 0 obj\n<< /Type /Catalog /Pages 51 0 R >>\nendobj\n51 0 obj\n<< /Kids [3 0 R] >>\nendobj')
              .toString('latin1')
              .replace('/Root 1', '/Root 50'),
          ].map((part) => Buffer.from(part as string, 'latin1')),
        ),
      ),
    ).toBe('too_many_pages');
    expect(
      await verdict(Buffer.concat([pdf({ objects: [SCRIPT] }), again('100 0 obj\n<< /Harmless true >>\nendobj')])),
    ).toBe('active_content');
    expect(
      await verdict(
        Buffer.concat([
          pdf({ catalog: '/OpenAction 100 0 R', objects: ['<< /S /URI /URI (https://example.com) >>'] }),
          again('100 0 obj\n<< /S /GoTo >>\nendobj'),
        ]),
      ),
    ).toBe('active_content');
  });
});

describe('active content', () => {
  it.each([
    ['a script that runs on opening', { catalog: `/OpenAction ${SCRIPT}` }],
    ['a script elsewhere', { objects: [SCRIPT] }],
    ['a named script', { catalog: '/Names << /JavaScript 100 0 R >>' }],
    ['a name written with escapes', { objects: ['<< /S /J#61v#61Script /#4A#53 (x) >>'] }],
    ['a program to launch', { objects: ['<< /S /Launch /F (cmd.exe) >>'] }],
    ['an embedded file', { catalog: '/Names << /EmbeddedFiles << /Names [] >> >>' }],
    ['an embedded file without a directory', { objects: [stream('/Type /EmbeddedFile', Buffer.from('MZ'))] }],
    ['an attachment on a page', { objects: ['<< /Type /Annot /Subtype /FileAttachment >>'] }],
    ['rich media', { objects: ['<< /Subtype /RichMedia >>'] }],
    ['a dynamic form', { catalog: '/AcroForm << /XFA 100 0 R >>' }],
    ['a script in an object stream', { packed: ['<< /Harmless true >>', SCRIPT] }],
    ['a script after a comment and odd white space', { objects: ['<<%x\r/S%y\n/JavaScript\0/JS\f(x)>>'] }],
    ['a script in a dictionary that is not closed', { objects: ['<< /A << /S /JavaScript'] }],
    ['a script after an unbalanced string elsewhere', { objects: ['(never closed', SCRIPT] }],
    [
      'a script as an object inside the data of a stream',
      { objects: [stream('', Buffer.from(`\n7 0 obj${SCRIPT}endobj\n`))] },
    ],
    ['a page that is opened on the network', { catalog: '/OpenAction << /S /URI /URI (https://example.com) >>' }],
    [
      'the same behind references',
      { catalog: '/OpenAction 100 0 R', objects: ['<< /S 101 0 R /URI (https://example.com) >>', '/URI'] },
    ],
    [
      'the same as a following action',
      {
        catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next [100 0 R] >>',
        objects: ['<< /S /Named /Next << /S /URI /URI (x) >> >>'],
      },
    ],
    [
      'the same when a page is shown',
      { objects: ['<< /Type /Annot /AA << /PO 101 0 R >> >>', '<< /S /URI /URI (https://example.com) >>'] },
    ],
    ['another file', { objects: ['<< /S /GoToR /F (other.pdf) >>'] }],
    ['data that is sent', { objects: ['<< /S /Submit#46orm /F (https://example.com) >>'] }],
    ['a sound', { objects: ['<< /S /Sound /Sound 101 0 R >>'] }],
    ['a film', { objects: ['<< /Subtype /Movie >>'] }],
    ['a model with a script of its own', { objects: [stream('/Type /3D /Subtype /U3D', Buffer.from('x'))] }],
    ['a script of a model', { objects: ['<< /OnInstantiate 101 0 R >>'] }],
    ['a file without a type', { objects: ['<< /F (a.exe) /EF << /F 101 0 R >> >>', stream('', Buffer.from('MZ'))] }],
    [
      'a file of an associated kind',
      { catalog: '/AF [100 0 R]', objects: ['<< /Type /Filespec /UF (a.exe) /EF 101 0 R >>', '<< /F 102 0 R >>'] },
    ],
    ['a program in PostScript', { objects: [stream('/Type /XObject /Subtype /PS', Buffer.from('showpage'))] }],
    ['a link that is a script', { objects: ['<< /S /URI /URI (javascript:alert\\(1\\)) >>'] }],
    ['a link that is a script, in escapes', { objects: ['<< /S /URI /URI (\\152ava\\\nscr\\151pt:alert) >>'] }],
    [
      'a link that is a script, in hexadecimal',
      { objects: [`<< /S /URI /URI <${Buffer.from(' JavaScript:alert').toString('hex')}> >>`] },
    ],
    [
      'a link that is a script, in UTF-16',
      { objects: [`<< /S /URI /URI <feff${Buffer.from('javascript:alert', 'utf16le').swap16().toString('hex')}> >>`] },
    ],
    [
      'a link that is a script, as an object of its own',
      { objects: ['<< /S /URI /URI 101 0 R >>', '(vbscript:msgbox)'] },
    ],
    ['a link to a file of the reader', { objects: ['<< /S /URI /URI (file:///etc/passwd) >>'] }],
    ['a link to a share', { objects: ['<< /S /URI /URI (\\\\\\\\server\\\\share) >>'] }],
    [
      'a name written in escapes alone',
      { objects: [`<< /S /${[...'JavaScript'].map((letter) => `#${letter.charCodeAt(0).toString(16)}`).join('')} >>`] },
    ],
    ['a name that some readers end at an escaped NUL', { objects: ['<< /S /JavaScript#00x >>'] }],
    ['escapes in an object stream', { packed: ['<< /S /#4aavaScript /J#53 (x) >>'] }],
    ['an object whose number stands in a comment', { objects: [`%\n7 0%x\nobj ${SCRIPT}`] }],
    ['a script as an object inside a string', { objects: [`( 7 0 obj ${SCRIPT} )`] }],
  ] satisfies [string, PdfOptions][])('is rejected: %s', async (_, options) =>
    expect(await of(options)).toBe('active_content'),
  );

  it.each([
    ['a destination on opening', { catalog: '/OpenAction [3 0 R /Fit]' }],
    ['a link', { objects: ['<< /S /URI /URI (https://example.com) >>'] }],
    ['words in a string', { objects: ['<< /Title (How to /JavaScript /JS \\( and /Launch) >>'] }],
    ['words in a hexadecimal string', { objects: ['<< /Title <2F4A53> >>'] }],
    ['words in the text of a page', { objects: [stream('', Buffer.from('BT (/JS) Tj /Launch ET'))] }],
    ['an order to print', { catalog: '/OpenAction << /S /Named /N /Print >>' }],
    ['a destination when a page is shown', { objects: ['<< /AA << /O << /S /GoTo /D [3 0 R /Fit] >> >> >>'] }],
    ['a font with such a name', { objects: ['<< /Font << /AA 101 0 R /EF 101 0 R >> >>', '<< /Type /Font >>'] }],
    ['a blend mode', { objects: ['<< /Type /ExtGState /BM /Screen >>'] }],
    ['a date in Portuguese', { objects: ['<< /Title (Data: 12/03/2024) >>'] }],
    ['longer names', { objects: ['<< /JSON 1 /Launcher 2 /JavaScripts 3 >>'] }],
  ] satisfies [string, PdfOptions][])('is not %s', async (_, options) => expect(await of(options)).toBe(1));

  it('is found in an object stream that hides its type behind a reference', async () => {
    expect(await of({ objects: [objectStream([SCRIPT], '/Type 101 0 R'), '/ObjStm'] })).toBe('active_content');
  });

  it('is found after a stated length that is too short', async () => {
    const lying = Buffer.from(
      objectStream([SCRIPT])
        .toString('latin1')
        .replace(/\/Length \d+/, '/Length 4'),
      'latin1',
    );
    expect(await of({ objects: [lying] })).toBe('active_content');
  });
});
