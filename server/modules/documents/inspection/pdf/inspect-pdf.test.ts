import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { growth, LINEAR } from '../../../../../test/support/processor-time.ts';
import {
  encryptedPdf,
  encryptedPdfs,
  objectStream,
  pdf,
  type PdfOptions,
  stream,
} from '../../../../../test/support/specimens.ts';
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

describe('an encrypted PDF', () => {
  it.each(encryptedPdfs.filter((name) => name.startsWith('page')))(
    'is accepted if it opens without a password: %s',
    async (name) => expect(await verdict(encryptedPdf(name))).toBe(1),
  );
  it.each(encryptedPdfs.filter((name) => name.startsWith('locked')))(
    'is rejected if it opens only with a password: %s',
    async (name) => expect(await verdict(encryptedPdf(name))).toBe('encrypted_pdf'),
  );
  it.each(encryptedPdfs.filter((name) => /^(?:local|script)/.test(name)))(
    'is inspected like any other PDF: %s',
    async (name) => expect(await verdict(encryptedPdf(name))).toBe('active_content'),
  );
  it('is rejected if it unpacks to more than it can need', async () => {
    const id = Buffer.from('0123456789abcdef');
    const [key, flags] = [
      (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest(),
      Buffer.from('fcffffff', 'hex'),
    ];
    // Revision 2 with a key of forty bits. The check of the password is the padding, encrypted with the key.
    const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
    const [owner, fileKey] = [Buffer.alloc(32, 7), key(padding, Buffer.alloc(32, 7), flags, id).subarray(0, 5)];
    const page = rc4(
      key(fileKey, Buffer.of(100, 0, 0, 0, 0)).subarray(0, 10),
      deflateSync(Buffer.alloc(65 * 1024 * 1024)),
    );
    const trailer =
      `/ID [<${id.toString('hex')}> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ` +
      `<${owner.toString('hex')}> /U <${rc4(fileKey, padding).toString('hex')}> >>`;
    expect(await of({ trailer, objects: [stream('/Filter /FlateDecode', page)] })).toBe('corrupt_file');
    expect(await of({ trailer, objects: [stream('/Filter /FlateDecode', page.subarray(0, 100))] })).toBe(1);
    // A key of forty bits is too short for these ciphers.
    for (const cipher of ['AESV2', 'AESV3'])
      expect(
        await of({ trailer: trailer.replace('/V 1', `/V 4 /CF << /A << /CFM /${cipher} >> >> /StmF /A /StrF /A`) }),
      ).toBe('encrypted_pdf');
  });
  it('is rejected if it states its encryption in two ways', async () => {
    const twice = Buffer.concat([
      encryptedPdf('page rc4-128'),
      Buffer.from('trailer\n<< /Root 1 0 R /Encrypt << /Filter /Standard /V 2 /R 3 >> >>\nstartxref\n0\n%%EOF\n'),
    ]);
    expect(await verdict(twice)).toBe('encrypted_pdf');
  });
  it('is rejected if it needs a certificate', async () =>
    expect(await of({ trailer: '/Encrypt << /Filter /Adobe.PubSec /V 4 >>' })).toBe('encrypted_pdf'));
  it('is rejected if it lacks the entries that a key is derived from', async () =>
    expect(await of({ trailer: '/Encrypt 100 0 R', objects: ['<< /Filter /Standard /V 2 >>'] })).toBe('encrypted_pdf'));
  it('is not a PDF that only mentions encryption', async () =>
    expect(await of({ objects: ['(/Encrypt)', '<< /EncryptMetadata false >>'] })).toBe(1));
  it('is recognised by the dictionary of a cross-reference stream', async () => {
    expect(await of({ objects: [stream('/Type /XRef /Root 1 0 R /Encrypt 100 0 R', Buffer.from('x'))] })).toBe(
      'encrypted_pdf',
    );
  });
});

/** RC4 as published, implemented independently of the inspection. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = [...Array(256).keys()];
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) % 256;
    state.splice(i, 1, state.splice(j, 1, state[i]!)[0]!);
  }
  let [i, j] = [0, 0];
  return data.map((byte) => {
    i = (i + 1) % 256;
    j = (j + state[i]!) % 256;
    state.splice(i, 1, state.splice(j, 1, state[i]!)[0]!);
    return byte ^ state[(state[i]! + state[j]!) % 256]!;
  }) as Buffer;
}

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

describe('an object stream', () => {
  const bytes = deflateSync(Buffer.from(`9 0 ${SCRIPT}`));
  it.each([
    ['cannot be unpacked', '/Filter /FlateDecode', Buffer.from('not deflated')],
    ['is packed in another way', '/Filter /LZWDecode', bytes],
    ['is packed twice', '/Filter [/FlateDecode /FlateDecode]', deflateSync(bytes)],
    ['is written as text', '/Filter [/ASCIIHexDecode /FlateDecode]', Buffer.from(`${bytes.toString('hex')}>`)],
    ['has a predictor', '/Filter /FlateDecode /DecodeParms << /Predictor 12 >>', bytes],
    ['has a predictor in a list', '/Filter [/FlateDecode] /DecodeParms [<< /Predictor 2 >>]', bytes],
    ['has a predictor behind a reference', '/Filter /FlateDecode /DecodeParms 101 0 R', bytes],
    ['has a predictor under its short name', '/Filter /FlateDecode /DP << /Predictor 12 >>', bytes],
    ['has its filter under its short name', '/F /Fl', bytes],
    ['has its filter behind a reference', '/Filter 101 0 R', bytes],
    ['states twice how many objects it has', '/Filter /FlateDecode /N 0', bytes],
  ])('is rejected if it %s', async (_, members, data) => {
    expect(await of({ objects: [stream(`/Type /ObjStm /N 1 /First 4 ${members}`, data), '/FlateDecode'] })).toBe(
      'corrupt_file',
    );
  });
  it('may be uncompressed, and is read nevertheless', async () => {
    const plain = (object: string): Buffer => stream('/Type /ObjStm /N 1 /First 4', Buffer.from(`9 0 ${object}`));
    expect(await of({ objects: [plain('<< /A 1 >>')] })).toBe(1);
    expect(await of({ objects: [plain(SCRIPT)] })).toBe('active_content');
    expect(
      await of({
        objects: [plain(`(endstream endobj) ${SCRIPT}`).toString('latin1').replace('/First 4', '/First 23')],
      }),
    ).toBe('active_content');
  });
  it.each(['\r', ' \n', '\r\r\n'])(
    'is rejected if it is uncompressed and readers differ in where it starts: %j',
    async (end) => {
      const bytes = stream('/Type /ObjStm /N 1 /First 4', Buffer.from('9 0 << /A 1 >>'))
        .toString('latin1')
        .replace('stream\n', `stream${end}`);
      expect(await of({ objects: [bytes] })).toBe('corrupt_file');
    },
  );
  it.each(['/N 100 0 R /First 4', '/N 1 /First 100 0 R', '/N 2 /First 4', '/N 1.5 /First 4', '/N 1 /First -4'])(
    'is rejected unless it states its content directly and correctly: %s',
    async (members) => {
      expect(await of({ objects: ['1', stream(`/Type /ObjStm ${members} /Filter /FlateDecode`, bytes)] })).toBe(
        'corrupt_file',
      );
    },
  );
  it('may name its filter by the short name, and state that it has no predictor', async () => {
    for (const members of [
      '/Filter /Fl',
      '/Filter [/FlateDecode] /DecodeParms [null]',
      '/Filter /FlateDecode /DecodeParms << /Predictor 1 >>',
    ]) {
      expect(
        await of({
          objects: [stream(`/Type /ObjStm /N 1 /First 4 ${members}`, deflateSync(Buffer.from('9 0 << /A 1 >>')))],
        }),
      ).toBe(1);
    }
  });
  it('must not exceed the budget of unpacked bytes, alone or with others, to the byte', async () => {
    const objects = (size: number): Buffer =>
      stream('/Type /ObjStm /N 0 /First 0 /Filter /FlateDecode', deflateSync(Buffer.alloc(size, 0x20)));
    expect(await of({ objects: [objects(64 * 1024 * 1024)] })).toBe('corrupt_file');
    expect(await of({ objects: [objects(32 * 1024 * 1024)] })).toBe(1);
    expect(await of({ objects: [objects(32 * 1024 * 1024), objects(1)] })).toBe(1);
    expect(await of({ objects: [objects(32 * 1024 * 1024), objects(2)] })).toBe('corrupt_file');
  });
});

describe('what a page needs', () => {
  const MiB = 1024 * 1024;
  const zeros = (size: number): Buffer => deflateSync(Buffer.alloc(size));
  const page = zeros(65 * MiB);
  const base85 = (data: Buffer): Buffer => {
    const words = Array.from({ length: Math.ceil(data.length / 4) }, (_, i) =>
      Buffer.concat([data.subarray(4 * i, 4 * i + 4), Buffer.alloc(4)]).readUInt32BE(0),
    );
    const digits = (word: number): string =>
      String.fromCharCode(...[4, 3, 2, 1, 0].map((power) => 33 + (Math.floor(word / 85 ** power) % 85)));
    return Buffer.from(`${words.map((word) => (word === 0 ? 'z' : digits(word))).join('')}~>`);
  };
  it.each<[string, string | Buffer]>([
    ['a page that unpacks to hundreds of megabytes', stream('/Filter /FlateDecode', page)],
    ['the same under the short name', stream('/Filter [/Fl]', page)],
    ['the same behind a reference', stream('/Filter 101 0 R', page)],
    ['the same with a filter that says otherwise', stream('/Filter /FlateDecode /Filter /DCTDecode', page)],
    ['the same as text', stream('/Filter [/ASCII85Decode /FlateDecode]', base85(page))],
    [
      'the same in hexadecimal',
      stream('/Filter [/ASCIIHexDecode /FlateDecode]', Buffer.from(`${page.toString('hex')}>`)),
    ],
    ['data that is packed twice', stream('/Filter [/FlateDecode /FlateDecode]', deflateSync(zeros(MiB)))],
    ['data that is packed twice in two ways', stream('/Filter [/RunLengthDecode /Fl]', zeros(9))],
    ['data that is written as text twice', stream('/Filter [/A85 /A85 /Fl]', zeros(9))],
    ['data that is packed in an outdated way', stream('/Filter /LZWDecode', Buffer.of(0x80, 0x0b, 0x60))],
    [
      'a picture that unpacks to more than its pixels',
      stream('/Subtype /Image /Width 10 /Height 10 /Filter /FlateDecode', zeros(MiB)),
    ],
    [
      'a picture of a hundred thousand by a hundred thousand',
      stream('/Subtype /Image /Width 100000 /Height 100000 /Filter /DCTDecode', Buffer.from('x')),
    ],
    ['data outside of the file', stream('/F (other.bin)', Buffer.from('x'))],
  ])('is not %s', async (_, object) => expect(await of({ objects: [object, '/FlateDecode'] })).toBe('corrupt_file'));

  it('is not a large amount spread over many streams', async () => {
    expect(await of({ objects: Array<Buffer>(18).fill(stream('/Filter /FlateDecode', zeros(60 * MiB))) })).toBe(
      'corrupt_file',
    );
  });

  it('may be a scanned page, text as ReportLab writes it, and a stream that is a little damaged', async () => {
    expect(
      await of({
        objects: [
          stream('/Subtype /Image /Width 2480 /Height 3508 /Filter /FlateDecode', zeros(2480 * 3508 * 3)),
          stream('/Filter [/ASCII85Decode /FlateDecode]', base85(deflateSync(Buffer.from('BT (text) Tj ET')))),
          stream('/Filter /FlateDecode', deflateSync(Buffer.from('BT ET')).subarray(0, 8)),
          stream('/Filter [/FlateDecode /DCTDecode]', deflateSync(Buffer.from('x'))),
          stream('/Filter /JBIG2Decode', Buffer.from('x')),
        ],
      }),
    ).toBe(1);
  });
});

describe('a PDF made to waste time', () => {
  const MiB = 1024 * 1024;
  it.each([
    ['overlapping strings', ' 1 0 obj('],
    ['overlapping dictionaries', ' 1 0 obj<</A'],
    ['overlapping comments', '1 0 obj%'],
    ['deep nesting', '[', ' 1 0 obj '],
    ['numbers', '1 ', ' 1 0 obj['],
    ['strings after a possible reference', ' 1 0 obj 0 0('],
    ['comments after a possible reference', '1 0 obj 0%'],
  ])('is read in linear time: %s', async (_, piece, beginning = '') => {
    expect(
      await growth(
        (bytes) =>
          verdict(
            Buffer.concat([
              Buffer.from(`%PDF-1.7\n${beginning}${piece.repeat(bytes / piece.length)}`),
              pdf().subarray(9),
            ]),
          ),
        MiB,
      ),
    ).toBeLessThan(LINEAR);
  });

  it.each([
    [
      'very many revisions of one object',
      15_000,
      (count: number) =>
        '1 0 obj<</Root 1 0 R /Pages 1 0 R/Kids[1 0 R]/OpenAction 1 0 R/AA 1 0 R/Next[1 0 R 1 0 R]>>\n'.repeat(count),
    ],
    [
      'a tree with more branches than a call accepts arguments',
      90_000,
      (count: number) => `2 0 obj<</Kids[${'3 0 R '.repeat(count)}]>>endobj`,
    ],
    [
      'many actions with the same long list of following actions',
      60_000,
      (count: number) =>
        `${Array.from({ length: count / 30 }, (_, i) => `${i + 300} 0 obj<</OpenAction ${i + 300} 0 R/Next 299 0 R/Kids 299 0 R>>`).join('\n')} 299 0 obj[${Array.from({ length: count }, (_, i) => `${300 + (i % (count / 30))} 0 R`).join(' ')}]`,
    ],
  ] as const)('does not multiply the work: %s', async (_, size, body) => {
    expect(
      await growth((count) => verdict(Buffer.concat([pdf(), Buffer.from(`${body(count)}\n%%EOF`)])), size),
    ).toBeLessThan(LINEAR);
  });

  it('is rejected if it has more values than thirty pages can need', async () => {
    expect(await of({ objects: [`[${'0 '.repeat(100_000)}]`] })).toBe(1);
    expect(await of({ objects: [`[${'0 '.repeat(600_000)}]`] })).toBe('corrupt_file');
    expect(await of({ objects: [`<<${Array.from({ length: 600_000 }, (_, i) => `/K${i} 1`).join(' ')}>>`] })).toBe(
      'corrupt_file',
    );
  });
});
