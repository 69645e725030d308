/** Tests of recognising and refusing files by their content. */
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  encryptedPdf,
  jpeg,
  lossless,
  multiPictureSegment,
  pdf,
  png,
  pngChunk,
  samsungTrailer,
  stream,
  webp,
  webpCanvas,
  webpChunk,
  webpOf,
  zip,
} from '../../../../test/support/specimens.ts';
import { Problem } from '../../../contract/problem.ts';
import { inspect } from './inspect.ts';

const refusal = (bytes: Buffer, declared = ''): Promise<string> =>
  inspect(bytes, declared).then(
    () => 'accepted',
    (error: Problem) => error.code,
  );
const join = (...parts: (Buffer | string)[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const specimens = [
  ['image/jpeg', jpeg()],
  ['image/png', png()],
  ['image/webp', webp()],
  ['application/pdf', pdf()],
] as const;

describe('recognising a document', () => {
  it.each(specimens)('recognises %s by its content', async (mimeType, bytes) => {
    expect(await inspect(bytes, mimeType)).toEqual({
      mimeType,
      pageCount: mimeType === 'application/pdf' ? 1 : null,
      kept: null,
    });
  });

  it.each([
    '',
    'application/octet-stream',
    'binary/octet-stream',
    'application/x-download',
    'text/plain',
    'image/jpg',
    'IMAGE/JPEG; q=1',
  ])('accepts a JPEG that is declared as %j', async (declared) => {
    expect((await inspect(jpeg(), declared)).mimeType).toBe('image/jpeg');
  });

  it('rejects a file whose content differs from its declared type', async () => {
    expect(await refusal(jpeg(), 'image/png')).toBe('content_type_mismatch');
    expect(await refusal(pdf(), 'text/html')).toBe('content_type_mismatch');
  });

  it.each([
    'GIF89a',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'MZ',
    'PK\x03\x04',
    'plain text',
    'II*\0',
    '\xff\xd8',
  ])('does not support %j', async (start) => {
    expect(await refusal(Buffer.from(start.padEnd(64, ' '), 'latin1'))).toBe('unsupported_file_type');
  });

  it('rejects an empty file', async () => expect(await refusal(Buffer.alloc(0))).toBe('empty_file'));

  it.each(specimens)('rejects a %s that is truncated at any point', async (_, bytes) => {
    expect(bytes.length).toBeGreaterThan(24);
    for (let length = 16; length < bytes.length - 8; length += Math.ceil(bytes.length / 97)) {
      expect(await refusal(bytes.subarray(0, length))).toMatch(/^(corrupt_file|unsupported_file_type)$/);
    }
  });

  it.each(specimens)('rejects a %s that is followed by another format', async (_, bytes) => {
    for (const tail of [zip(), Buffer.from('<html><script>alert(1)</script></html>'), png()]) {
      expect(await refusal(join(bytes, tail))).toBe('corrupt_file');
    }
  });
});

describe('an image', () => {
  const makers = [
    ['JPEG', jpeg],
    ['PNG', png],
    ['WebP', webp],
  ] as const;

  it.each(makers)('has at least 600 by 400 pixels as %s, in portrait or landscape format', async (_, make) => {
    expect(await refusal(make({ width: 600, height: 400 }))).toBe('accepted');
    expect(await refusal(make({ width: 400, height: 600 }))).toBe('accepted');
    expect(await refusal(make({ width: 599, height: 400 }))).toBe('image_too_small');
    expect(await refusal(make({ width: 800, height: 399 }))).toBe('image_too_small');
  });

  it('has at most 50 megapixels', async () => {
    expect(await refusal(png({ width: 10_000, height: 5_000 }))).toBe('accepted');
    expect(await refusal(webp({ width: 10_000, height: 5_001 }))).toBe('image_too_large');
  });

  it('may contain several pictures if it declares them, as photographs of phones do', async () => {
    expect(
      await refusal(join(jpeg({ segments: multiPictureSegment }), jpeg({ text: 'gain map' }), Buffer.alloc(7))),
    ).toBe('accepted');
    expect(await refusal(join(jpeg({ segments: multiPictureSegment }), zip()))).toBe('corrupt_file');
  });

  it('is rejected if a checksum is wrong', async () => {
    const bytes = png();
    bytes[60] = (bytes[60] as number) ^ 1;
    expect(await refusal(bytes)).toBe('corrupt_file');
  });

  it('is rejected if it contains a hidden archive', async () => {
    const bytes = png();
    const end = bytes.subarray(-12);
    const body = bytes.subarray(0, -12);
    expect(await refusal(join(body, pngChunk('tEXt', Buffer.from('Comment\0PK')), end))).toBe('accepted');
    expect(await refusal(join(body, pngChunk('tEXt', join('x\0', zip(body.length + 10, 16))), end))).toBe(
      'corrupt_file',
    );
  });
});

/** Parameters of the property tests: a fixed seed, or many random cases in a soak test. */
const RUNS = process.env['SOAK'] === 'true' ? { numRuns: 100_000 } : { numRuns: 1500, seed: 27 };

describe('hostile bytes', () => {
  const all = [
    ...specimens.map(([, bytes]) => bytes),
    pdf({ pages: 2, packed: ['<< /A [1 2 (x)] >>'] }),
    webp({ width: 700 }),
    Buffer.concat([jpeg({ segments: multiPictureSegment }), jpeg({ text: 'map' }), samsungTrailer()]),
    webpOf(webpCanvas(640, 480), webpChunk('VP8L', lossless()), webpChunk('EXIF', Buffer.from('MM'))),
    png({ before: [pngChunk('zTXt', join('a\0\0', deflateSync(Buffer.from('note'))))] }),
    pdf({ objects: [stream('/Filter [/A85 /Fl]', Buffer.from('GhQ~>')), '<< /S /URI /URI (https:\\057) >>'] }),
    encryptedPdf('page rc4-40'),
    encryptedPdf('page aes-128'),
    encryptedPdf('page aes-256'),
    Buffer.concat([jpeg(), Buffer.from('CANON OPTIONAL DATA')]),
  ];
  /** Expects that the bytes are accepted, or rejected with a problem. */
  async function judged(bytes: Buffer): Promise<void> {
    const verdict = await inspect(bytes, '').then(
      () => 'accepted',
      (error: unknown) => (error instanceof Problem ? 'refused' : error),
    );
    expect(verdict).toBeOneOf(['accepted', 'refused']);
  }

  it('are accepted or rejected without a crash: a valid file with any bytes changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...all),
        fc.array(
          fc.tuple(
            fc.double({
              min: 0,
              max: 1,
              maxExcluded: true,
              noNaN: true,
            }),
            fc.nat(255),
          ),
          { minLength: 1, maxLength: 6 },
        ),
        (bytes, changes) => {
          const changed = Buffer.from(bytes);
          for (const [position, value] of changes) changed[Math.floor(position * position * changed.length)] = value;
          return judged(changed);
        },
      ),
      RUNS,
    );
  });

  it('are accepted or rejected without a crash: garbage after the beginning of a valid file', async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
        fc
          .constantFrom(
            '1 0 obj',
            '<<',
            '>>',
            '[',
            ']',
            '(',
            ')',
            '/Type',
            '/ObjStm',
            '/N 9',
            '/First 3',
            'stream\n',
            'endobj',
            'trailer',
            '/Root 1 0 R',
            '%%EOF',
            '\xff\xda',
            '\xff\xc0',
          )
          .map((text) => Buffer.from(` ${text} `, 'latin1')),
      ),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), fc.nat(60), pieces, (bytes, size, rest) =>
        judged(Buffer.concat([bytes.subarray(0, size), ...rest])),
      ),
      RUNS,
    );
  });
});
