import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../http/problem.ts';
import { objectStream, pdf, stream, type PdfOptions } from '../../../../../test/support/specimens.ts';
import { inspectPdf } from './inspect-pdf.ts';

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';

const verdict = (bytes: Buffer): Promise<number | string> => inspectPdf(bytes).catch((error: Problem) => error.code ?? String(error));
const of = (options: PdfOptions): Promise<number | string> => verdict(pdf(options));

describe('the pages of a PDF', () => {
  it.each([1, 2, 30])('are counted: %i', async (pages) => expect(await of({ pages })).toBe(pages));
  it('are at most 30', async () => expect(await of({ pages: 31 })).toBe('too_many_pages'));
  it('are counted from the tree and not from what it claims', async () => {
    expect(await verdict(Buffer.from(pdf({ pages: 31 }).toString('latin1').replace('/Count 31', '/Count 01'), 'latin1'))).toBe('too_many_pages');
  });
  it('may be packed into an object stream', async () => {
    const bytes = pdf({ packed: ['<< /Type /Pages /Kids [201 0 R 202 0 R] /Count 2 >>', '<< /Type /Page >>', '<< /Type /Page >>'] });
    expect(await verdict(Buffer.from(bytes.toString('latin1').replace('/Pages 2 0 R', '/Pages 200 0 R'), 'latin1'))).toBe(2);
  });
  it('must be there', async () => {
    expect(await of({ pages: 0 })).toBe('corrupt_file');
    expect(await verdict(Buffer.from('%PDF-1.7\n%%EOF'))).toBe('corrupt_file');
  });
  it('must not run in circles', async () => {
    expect(await verdict(Buffer.from(pdf().toString('latin1').replace('[3 0 R]', '[2 0 R]'), 'latin1'))).toBe('corrupt_file');
  });
});

describe('the envelope of a PDF', () => {
  it('may have a preamble that is no other format', async () => {
    expect(await verdict(Buffer.concat([Buffer.from('\x1b%-12345X@PJL\r\n'), pdf()]))).toBe(1);
    for (const preamble of ['<html><script>alert(1)</script>', 'PK\x03\x04', 'MZ\x90', '#!/bin/sh\n']) {
      expect(await verdict(Buffer.concat([Buffer.from(preamble, 'latin1'), pdf()]))).toBe('corrupt_file');
    }
  });
  it('may end with white space', async () => expect(await verdict(Buffer.concat([pdf(), Buffer.from('\r\n\0 ')]))).toBe(1));
  it('may have been saved several times', async () => {
    const saved = Buffer.concat([pdf(), Buffer.from('3 0 obj\n<< /Type /Page /Rotate 90 >>\nendobj\nxref\n0 0\ntrailer\n<< /Root 1 0 R /Prev 9 >>\nstartxref\n0\n%%EOF\n')]);
    expect(await verdict(saved)).toBe(1);
  });
});

describe('an encrypted PDF', () => {
  it('is refused', async () => expect(await of({ trailer: '/Encrypt 100 0 R', objects: ['<< /Filter /Standard /V 2 >>'] })).toBe('encrypted_pdf'));
  it('is not one that only mentions it', async () => expect(await of({ objects: ['(/Encrypt)', '<< /EncryptMetadata false >>'] })).toBe(1));
  it('is told from the dictionary of a cross-reference stream', async () => {
    expect(await of({ objects: [stream('/Type /XRef /Root 1 0 R /Encrypt 100 0 R', Buffer.from('x'))] })).toBe('encrypted_pdf');
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
    ['a script as an object inside the data of a stream', { objects: [stream('', Buffer.from(`\n7 0 obj${SCRIPT}endobj\n`))] }],
    ['a script as an object inside a string', { objects: [`( 7 0 obj ${SCRIPT} )`] }],
  ] satisfies [string, PdfOptions][])('is refused: %s', async (_, options) => expect(await of(options)).toBe('active_content'));

  it.each([
    ['a destination on opening', { catalog: '/OpenAction [3 0 R /Fit]' }],
    ['a link', { objects: ['<< /S /URI /URI (https://example.com) >>'] }],
    ['words in a string', { objects: ['<< /Title (How to /JavaScript /JS \\( and /Launch) >>'] }],
    ['words in a hexadecimal string', { objects: ['<< /Title <2F4A53> >>'] }],
    ['words in the text of a page', { objects: [stream('', Buffer.from('BT (/JS) Tj /Launch ET'))] }],
    ['longer names', { objects: ['<< /JSON 1 /Launcher 2 /JavaScripts 3 >>'] }],
  ] satisfies [string, PdfOptions][])('is not %s', async (_, options) => expect(await of(options)).toBe(1));

  it('is found in an object stream that hides its type behind a reference', async () => {
    expect(await of({ objects: [objectStream([SCRIPT], '/Type 101 0 R'), '/ObjStm'] })).toBe('active_content');
  });

  it('is found behind a stated length that is too short', async () => {
    const lying = Buffer.from(objectStream([SCRIPT]).toString('latin1').replace(/\/Length \d+/, '/Length 4'), 'latin1');
    expect(await of({ objects: [lying] })).toBe('active_content');
  });
});

describe('an object stream', () => {
  it('must be readable', async () => {
    expect(await of({ objects: [stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', Buffer.from('not deflated'))] })).toBe('corrupt_file');
    expect(await of({ objects: [stream('/Type /ObjStm /N 1 /First 4 /Filter /LZWDecode', Buffer.from('x'))] })).toBe('corrupt_file');
    expect(await of({ objects: [stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /DecodeParms << /Predictor 12 >>', deflateSync(Buffer.from('1 0 x')))] })).toBe('corrupt_file');
  });
  it('may be stored plainly', async () => {
    expect(await of({ objects: [stream('/Type /ObjStm /N 1 /First 4', Buffer.from(`9 0 ${SCRIPT}`))] })).toBe('active_content');
  });
  it('must not unpack to more than can be read', async () => {
    const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024, 0x20));
    expect(await of({ objects: [stream('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', bomb)] })).toBe('corrupt_file');
  });
});

describe('a PDF made to waste time', () => {
  const MiB = 1024 * 1024;
  it.each([
    ['overlapping strings', ' 1 0 obj('.repeat(MiB / 9)],
    ['overlapping dictionaries', ' 1 0 obj<</A'.repeat(MiB / 12)],
    ['overlapping comments', '1 0 obj%'.repeat(MiB / 8)],
    ['deep nesting', ` 1 0 obj ${'['.repeat(MiB)}`],
    ['numbers', ` 1 0 obj[${'1 '.repeat(MiB / 2)}]`],
    ['strings behind what may become a reference', ' 1 0 obj 0 0('.repeat(MiB / 12)],
    ['comments behind what may become a reference', '1 0 obj 0%'.repeat(MiB / 10)],
  ])('is read in bounded time: %s', async (_, body) => {
    const begun = performance.now();
    await verdict(Buffer.concat([Buffer.from(`%PDF-1.7\n${body}`), pdf().subarray(9)]));
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('is refused for more values than thirty pages can need', async () => {
    expect(await of({ objects: [`[${'0 '.repeat(100_000)}]`] })).toBe(1);
    expect(await of({ objects: [`[${'0 '.repeat(600_000)}]`] })).toBe('corrupt_file');
    expect(await of({ objects: [`<<${Array.from({ length: 600_000 }, (_, i) => `/K${i} 1`).join(' ')}>>`] })).toBe('corrupt_file');
  });
});
