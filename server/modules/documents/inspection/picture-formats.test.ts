/** Tests of the three formats of pictures in detail. */
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  frameHeader,
  jpeg,
  jpegSegment,
  lossless,
  multiPictureSegment,
  png,
  pngChunk,
  pngHeader,
  webp,
  webpCanvas,
  webpChunk,
  webpOf,
} from '../../../../test/support/specimens.ts';
import type { Problem } from '../../../contract/problem.ts';
import { inspect } from './inspect.ts';

const verdict = (bytes: Buffer): Promise<string> =>
  inspect(bytes, '').then(
    () => 'accepted',
    (error: Problem) => `${error.code} ${error.members?.detail ?? ''}`.trim(),
  );
const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const XMP =
  'http://ns.adobe.com/xap/1.0/\0<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
  '<rdf:RDF><dc:title>Ana &lt;b></dc:title></rdf:RDF></x:xmpmeta>';
const cannotStand = /^corrupt_file .*(kind|marker)/;

describe('a JPEG states one size', () => {
  it.each<[string, Buffer, RegExp]>([
    [
      'two frame headers, the small one last',
      jpeg({ width: 20_000, height: 10_000, afterFrame: frameHeader(640, 480) }),
      /two frame headers/,
    ],
    ['two frame headers, the small one first', jpeg({ afterFrame: frameHeader(20_000, 10_000) }), /two frame headers/],
    [
      'two frame headers of different kinds',
      jpeg({ afterFrame: frameHeader(20_000, 10_000, 0xc2) }),
      /two frame headers/,
    ],
    ['two equal frame headers', jpeg({ afterFrame: frameHeader(640, 480) }), /two frame headers/],
    ['a frame header after the pixels', jpeg({ afterScan: frameHeader(20_000, 10_000) }), /two frame headers/],
    [
      'another height after the pixels',
      jpeg({ afterScan: jpegSegment(0xdc, Buffer.of(0xff, 0xff)) }),
      /height twice|two frame headers/,
    ],
    [
      'no height before the pixels',
      jpeg({ height: 0, afterScan: jpegSegment(0xdc, Buffer.of(0xff, 0xff)) }),
      /states no size/,
    ],
    [
      'a frame header that is too long',
      jpeg({ afterFrame: Buffer.alloc(0), frameMarker: 0xc0, segments: jpegSegment(0xc0, Buffer.alloc(20, 1)) }),
      /damaged/,
    ],
    [
      'a picture behind it that is too large',
      Buffer.concat([jpeg({ segments: multiPictureSegment }), jpeg({ width: 20_000, height: 10_000 })]),
      /image_too_large/,
    ],
    ['more pixels than are allowed', jpeg({ width: 10_000, height: 5_008 }), /image_too_large/],
  ])('and is refused with %s', async (_, bytes, reason) => expect(await verdict(bytes)).toMatch(reason));

  it.each([0xc3, 0xc5, 0xc9, 0xcb, 0xcf])('in a frame type that readers support, not 0x%s', async (frameMarker) =>
    expect(await verdict(jpeg({ frameMarker }))).toMatch(cannotStand),
  );

  it.each([0x01, 0x02, 0xc8, 0xcc, 0xd0, 0xd8, 0xde, 0xdf, 0xf0])(
    'and is rejected with a marker that no reader needs: %i',
    async (code) => {
      expect(await verdict(jpeg({ segments: jpegSegment(code, Buffer.of(0, 0)) }))).toMatch(/^corrupt_file/);
    },
  );

  it.each<[string, Buffer]>([
    ['a table with more codes than there are', jpegSegment(0xc4, Buffer.concat([Buffer.of(0), Buffer.alloc(16, 255)]))],
    ['a table that does not fill its segment', jpegSegment(0xdb, Buffer.alloc(70))],
    ['an empty table', jpegSegment(0xdb, Buffer.alloc(0))],
    [
      'pixels of a component that there is not',
      Buffer.concat([jpegSegment(0xda, Buffer.of(1, 9, 0, 0, 63, 0)), Buffer.alloc(9)]),
    ],
    ['no pixels', jpegSegment(0xda, Buffer.of(1, 1, 0, 0, 63, 0))],
    [
      'more scans than a picture needs',
      Buffer.concat(
        Array.from({ length: 64 }, () =>
          Buffer.concat([jpegSegment(0xda, Buffer.of(1, 1, 0, 0, 63, 0)), Buffer.alloc(9)]),
        ),
      ),
    ],
  ])('and is refused with %s', async (_, afterScan) =>
    expect(await verdict(jpeg({ afterScan }))).toMatch(/^corrupt_file/),
  );
});

describe('a PNG', () => {
  const MiB = 1024 * 1024;
  const bomb = deflateSync(Buffer.alloc(16 * MiB));
  it.each<[string, Buffer, RegExp]>([
    ['two headers', png({ before: [pngHeader(20_000, 10_000)] }), /one IHDR/],
    ['a header after its pixels', png({ after: [pngHeader(640, 480)] }), /one IHDR/],
    [
      'pixels in two places',
      png({ after: [pngChunk('tEXt', text('a\0b')), pngChunk('IDAT', deflateSync(Buffer.alloc(9)))] }),
      /one piece/,
    ],
    ['more pixels than its header says', png({ pixels: [bomb] }), /does not fit/],
    ['fewer pixels than its header says', png({ pixels: [deflateSync(Buffer.alloc(1000))] }), /does not fit/],
    ['pixels that cannot be unpacked', png({ pixels: [randomBytes(5000)] }), /does not fit/],
    [
      'other data after its pixels, in the same chunk',
      png({ pixels: [Buffer.concat([deflateSync(Buffer.alloc(641 * 480)), text('hidden')])] }),
      /does not fit/,
    ],
    ['no pixels', png({ pixels: [] }), /no image data/],
    ['frames of an animation', png({ before: [pngChunk('acTL', Buffer.alloc(8))] }), /animation/],
    ['an unknown critical chunk', png({ before: [pngChunk('CgBI', Buffer.alloc(4))] }), /do not know/],
    ['a chunk without a name', png({ before: [pngChunk('\0\0\0\0', Buffer.alloc(4))] }), /damaged/],
    [
      'a text that unpacks to megabytes',
      png({ before: [pngChunk('zTXt', Buffer.concat([text('a\0\0'), bomb]))] }),
      /too large/,
    ],
    [
      'a profile that unpacks to megabytes',
      png({ before: [pngChunk('iCCP', Buffer.concat([text('a\0\0'), bomb]))] }),
      /too large/,
    ],
    [
      'many texts that unpack to megabytes together',
      png({
        before: Array.from({ length: 9 }, () =>
          pngChunk('iTXt', Buffer.concat([text('a\0\x01\0\0\0'), deflateSync(Buffer.alloc(MiB / 2))])),
        ),
      }),
      /too large/,
    ],
    ['a text that cannot be unpacked', png({ before: [pngChunk('zTXt', text('a\0\0nothing'))] }), /cannot be unpacked/],
    [
      'more chunks than any program writes',
      png({ before: Array.from({ length: 20_001 }, () => pngChunk('tEXt', text('a\0'))) }),
      /damaged/,
    ],
    [
      'two palettes',
      png({ before: [pngChunk('PLTE', Buffer.alloc(3)), pngChunk('PLTE', Buffer.alloc(3))] }),
      /palette/,
    ],
    ['an end chunk with data', Buffer.concat([png().subarray(0, -12), pngChunk('IEND', text('x'))]), /follows the end/],
    [
      'more pixels than are allowed, before they are unpacked',
      png({ width: 60_000, height: 60_000, pixels: [deflateSync(Buffer.alloc(99))] }),
      /image_too_large/,
    ],
  ])('is refused with %s', async (_, bytes, reason) => expect(await verdict(bytes)).toMatch(reason));

  it('may have its pixels in many chunks', async () => {
    const pixels = deflateSync(Buffer.alloc(641 * 480));
    expect(
      await verdict(png({ pixels: Array.from({ length: pixels.length }, (_, i) => pixels.subarray(i, i + 1)) })),
    ).toBe('accepted');
  });

  it('may be interlaced', async () => {
    const header = Buffer.from(pngHeader(640, 480).subarray(8, 21));
    header[12] = 1;
    const bytes = (size: number): Buffer =>
      Buffer.concat([
        png().subarray(0, 8),
        pngChunk('IHDR', header),
        pngChunk('IDAT', deflateSync(Buffer.alloc(size))),
        pngChunk('IEND', Buffer.alloc(0)),
      ]);
    // The pixels are 640 × 480 samples and one filter byte for each row of the seven passes.
    const rows = 60 + 60 + 60 + 120 + 120 + 240 + 240;
    expect(await verdict(bytes(640 * 480 + rows))).toBe('accepted');
    expect(await verdict(bytes(640 * 480 + 480))).toMatch(/does not fit/);
  });
});

describe('a WebP', () => {
  const image = webpChunk('VP8L', lossless());
  it.each<[string, Buffer, RegExp]>([
    [
      'a canvas that is smaller than its picture',
      webpOf(webpCanvas(640, 480), webpChunk('VP8L', lossless({ width: 16_000, height: 16_000 }))),
      /canvas/,
    ],
    ['a canvas that is larger than its picture', webpOf(webpCanvas(16_000, 16_000), image), /canvas/],
    ['two pictures', webpOf(webpCanvas(640, 480), image, image), /twice/],
    ['two canvases', webpOf(webpCanvas(640, 480), webpCanvas(640, 480), image), /twice/],
    ['a canvas after its picture', webpOf(image, webpCanvas(640, 480)), /order/],
    ['no picture', webpOf(webpCanvas(640, 480)), /no image data/],
    ['another chunk first', webpOf(webpChunk('JUNK', text('x')), image), /no image data/],
    ['another chunk after a simple picture', webpOf(image, webpChunk('JUNK', text('x'))), /follows the picture/],
    [
      'an animation',
      webpOf(webpCanvas(640, 480, 2), webpChunk('ANIM', Buffer.alloc(6)), webpChunk('ANMF', Buffer.alloc(24))),
      /animation/,
    ],
    ['frames of an animation alone', webpOf(webpCanvas(640, 480), webpChunk('ANMF', Buffer.alloc(24))), /animation/],
    ['metadata before its picture', webpOf(webpCanvas(640, 480), webpChunk('EXIF', text('x')), image), /order/],
    ['a picture without its signature', webpOf(webpChunk('VP8L', Buffer.alloc(20))), /damaged/],
    [
      'a picture that is not a key frame',
      webpOf(webpChunk('VP8 ', Buffer.from([1, 0, 0, 0x9d, 1, 0x2a, 128, 2, 224, 1]))),
      /damaged/,
    ],
    [
      "a length that is not the file's",
      Buffer.concat([webp().subarray(0, 4), Buffer.of(1, 0, 0, 0), webp().subarray(8)]),
      /length/,
    ],
  ])('is refused with %s', async (_, bytes, reason) => expect(await verdict(bytes)).toMatch(reason));

  it('may have metadata, a profile and transparency', async () => {
    expect(
      await verdict(
        webpOf(
          webpCanvas(640, 480),
          webpChunk('ICCP', text('x')),
          webpChunk('ALPH', Buffer.alloc(4)),
          image,
          webpChunk('XMP ', text(XMP)),
          webpChunk('EXIF', text('MM')),
        ),
      ),
    ).toBe('accepted');
  });
});
