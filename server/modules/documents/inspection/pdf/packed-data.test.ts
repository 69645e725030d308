/** Tests of packed data in PDFs, including files that are made to waste time. */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { growth, LINEAR } from '../../../../../test/support/processor-time.ts';
import { pdf, type PdfOptions, stream } from '../../../../../test/support/specimens.ts';
import type { Problem } from '../../../../contract/problem.ts';
import { inspectPdf } from './inspect-pdf.ts';

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';

const verdict = (bytes: Buffer): Promise<number | string> =>
  inspectPdf(bytes).catch((error: Problem) => error.code ?? String(error));
const of = (options: PdfOptions): Promise<number | string> => verdict(pdf(options));

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
      (count: number) => {
        const actions = Array.from({ length: count / 30 }, (_, i) => i + 300);
        const following = Array.from({ length: count }, (_, i) => `${300 + (i % actions.length)} 0 R`);
        return (
          `${actions.map((id) => `${id} 0 obj<</OpenAction ${id} 0 R/Next 299 0 R/Kids 299 0 R>>`).join('\n')} ` +
          `299 0 obj[${following.join(' ')}]`
        );
      },
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
