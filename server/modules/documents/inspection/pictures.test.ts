/** Tests that a picture hides no other format. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  jpeg,
  jpegSegment,
  lossless,
  multiPictureSegment,
  pdf,
  png,
  pngChunk,
  samsungTrailer,
  webpCanvas,
  webpChunk,
  webpOf,
  zip,
} from '../../../../test/support/specimens.ts';
import type { Problem } from '../../../contract/problem.ts';
import { inspect } from './inspect.ts';

const verdict = (bytes: Buffer): Promise<string> =>
  inspect(bytes, '').then(
    () => 'accepted',
    (error: Problem) => `${error.code} ${error.members?.detail ?? ''}`.trim(),
  );
const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const exif = (thumbnail: Buffer): Buffer =>
  jpegSegment(0xe1, Buffer.concat([text('Exif\0\0MM\0*\0\0\0\x08'), thumbnail]));
const XMP =
  'http://ns.adobe.com/xap/1.0/\0<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
  '<rdf:RDF><dc:title>Ana &lt;b></dc:title></rdf:RDF></x:xmpmeta>';
const PLIST = '<?xml version="1.0"?><!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"><plist><dict/></plist>';

describe('a photograph of a phone', () => {
  it.each<[string, Buffer]>([
    [
      'with a thumbnail in its metadata, which is a separate JPEG',
      jpeg({ segments: exif(jpeg({ width: 64, height: 48 })) }),
    ],
    [
      'with XMP, a colour profile and printer settings of a desktop',
      jpeg({
        segments: Buffer.concat([
          jpegSegment(0xe1, text(XMP)),
          jpegSegment(0xe2, text('ICC_PROFILE\0\x01\x01')),
          jpegSegment(0xed, text(PLIST)),
        ]),
      }),
    ],
    ['that is progressive', jpeg({ frameMarker: 0xc2 })],
    ['with restart intervals', jpeg({ afterFrame: jpegSegment(0xdd, Buffer.of(0, 4)) })],
    [
      'with fill bytes before a marker',
      jpeg({ segments: Buffer.concat([Buffer.of(0xff, 0xff), jpegSegment(0xfe, text('x'))]) }),
    ],
    [
      'followed by a gain map and a depth map',
      Buffer.concat([
        jpeg({ segments: multiPictureSegment }),
        jpeg({ width: 320, height: 240 }),
        Buffer.alloc(3),
        jpeg({ width: 160, height: 120 }),
      ]),
    ],
    [
      'with a Samsung trailer',
      Buffer.concat([jpeg(), samsungTrailer({ Image_UTC_Data: '1700000000000', MCC_Data: '724' })]),
    ],
    [
      'with a second picture and a Samsung trailer',
      Buffer.concat([jpeg({ segments: multiPictureSegment }), jpeg({ text: 'map' }), samsungTrailer()]),
    ],
    ['that is padded', Buffer.concat([jpeg(), Buffer.alloc(4096), text('\r\n')])],
  ])('is accepted: %s', async (_, bytes) => expect(await verdict(bytes)).toBe('accepted'));

  it.each<[string, Buffer, RegExp]>([
    ['with a video', Buffer.concat([jpeg(), text('\0\0\0\x18ftypmp42')]), /video follows/],
    [
      'with a video in a Samsung trailer',
      Buffer.concat([jpeg(), samsungTrailer({ MotionPhoto_Data: '\0\0\0\x18ftypmp42'.padEnd(100_000) })]),
      /video follows/,
    ],
    [
      'with a web page in a Samsung trailer',
      Buffer.concat([jpeg(), samsungTrailer({ Note: '<script>alert(1)</script>' })]),
      /hides/,
    ],
  ])('is rejected with a helpful reason: %s', async (_, bytes, reason) => expect(await verdict(bytes)).toMatch(reason));

  const multi = jpeg({ segments: multiPictureSegment });
  it.each<[string, Buffer, Buffer]>([
    ['garbage', jpeg(), Buffer.concat([Buffer.alloc(8), Buffer.of(1, 2, 3, 4)])],
    ['a second picture that the file does not declare', jpeg(), jpeg()],
    ['more pictures than phones write', Buffer.concat([multi, ...Array.from({ length: 8 }, () => jpeg())]), jpeg()],
    [
      'data other than a picture after the declared pictures',
      Buffer.concat([multi, jpeg({ text: 'map' })]),
      text('AMPF\0\x01\0\0'),
    ],
    ['a record of camera software', jpeg(), text('CANON OPTIONAL DATA\0\0\x01\0\0')],
    ['a Samsung trailer with other data before it', jpeg(), Buffer.concat([text('x'), samsungTrailer()])],
    ['a Samsung trailer that is too long', jpeg(), samsungTrailer({ Depth_Data: 'x'.repeat(100_000) })],
  ])('is stored without data after its end: %s', async (_, picture, tail) => {
    expect(await inspect(Buffer.concat([picture, tail]), '')).toEqual({
      mimeType: 'image/jpeg',
      pageCount: null,
      kept: { size: picture.length, sha256: createHash('sha256').update(picture).digest('hex') },
    });
  });
});

describe('a picture contains no other format', () => {
  const strangers: [string, Buffer][] = [
    ['a PDF', pdf({ catalog: '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>' }).subarray(0, 60_000)],
    ['the beginning of a PDF', text('%PDF-1.4')],
    ['a PostScript program', text('%!PS-Adobe-3.0')],
    ['an archive', zip()],
    ['the end of an archive', text('PK\x05\x06')],
    ['a RAR archive', text('Rar!\x1a\x07\0')],
    ['a 7z archive', text('7z\xbc\xaf\x27\x1c')],
    ['an office document', text('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
    ['a program', text('\x7fELF')],
    ['rich text', text('{\\rtf1')],
    ['a web page', text('<html><body>')],
    ['a script', text('<SCRIPT>alert(1)</SCRIPT>')],
    ['an SVG', text('<svg onload=alert(1)>')],
    ['a document type', text('<!DOCTYPE html>')],
    ['an image that fails', text('<img src=x onerror=alert(1)>')],
    ['PHP', text('<?php system($_GET[0]); ?>')],
    ['an entity', text('<!ENTITY x SYSTEM "file:///etc/passwd">')],
    ['a script in UTF-16', Buffer.from('<script>alert(1)</script>', 'utf16le')],
  ];
  const picture = text('x');
  const hidings: [string, (stranger: Buffer) => Buffer][] = [
    ['a comment of a JPEG', (stranger) => jpeg({ segments: jpegSegment(0xfe, stranger) })],
    ['the notes of a camera', (stranger) => jpeg({ segments: exif(stranger) })],
    ['notes after the pixels of a JPEG', (stranger) => jpeg({ afterScan: jpegSegment(0xef, stranger) })],
    [
      'a second picture',
      (stranger) =>
        Buffer.concat([jpeg({ segments: multiPictureSegment }), jpeg({ segments: jpegSegment(0xfe, stranger) })]),
    ],
    [
      'a text of a PNG',
      (stranger) => png({ before: [pngChunk('tEXt', Buffer.concat([text('Comment\0'), stranger]))] }),
    ],
    ['a text after the pixels of a PNG', (stranger) => png({ after: [pngChunk('eXIf', stranger)] })],
    [
      'a compressed text of a PNG',
      (stranger) => png({ before: [pngChunk('zTXt', Buffer.concat([text('Comment\0\0'), deflateSync(stranger)]))] }),
    ],
    [
      'a compressed international text of a PNG',
      (stranger) =>
        png({ before: [pngChunk('iTXt', Buffer.concat([text('Comment\0\x01\0en\0Notiz\0'), deflateSync(stranger)]))] }),
    ],
    [
      'an international text of a PNG',
      (stranger) => png({ before: [pngChunk('iTXt', Buffer.concat([text('Comment\0\0\0en\0Notiz\0'), stranger]))] }),
    ],
    [
      'a colour profile of a PNG',
      (stranger) => png({ before: [pngChunk('iCCP', Buffer.concat([text('icc\0\0'), deflateSync(stranger)]))] }),
    ],
    ['a private chunk of a PNG', (stranger) => png({ before: [pngChunk('prIV', stranger)] })],
    [
      'the notes of a WebP',
      (stranger) => webpOf(webpCanvas(640, 480, 8), webpChunk('VP8L', lossless()), webpChunk('EXIF', stranger)),
    ],
    [
      'an unknown chunk of a WebP',
      (stranger) => webpOf(webpCanvas(640, 480), webpChunk('VP8L', lossless()), webpChunk('JUNK', stranger)),
    ],
  ];

  it.each([
    ...strangers,
    ...([
      '\x89PNG\r\n\x1a\n',
      'GIF89a',
      'II*\0',
      'ID3\x04',
      '\x1a\x45\xdf\xa3',
      '#!/bin/sh',
      'MZ',
      '\x1f\x8b\x08',
      'RIFF\0\0\0\0WAVE',
      'SQLite format 3\0',
    ].map((beginning) => [JSON.stringify(beginning), text(beginning)]) satisfies [string, Buffer][]),
  ])('not after its end: %s', async (_, stranger) => {
    for (const tail of [stranger, Buffer.concat([Buffer.alloc(9), stranger])])
      expect(await verdict(Buffer.concat([jpeg(), tail]))).toMatch(/^corrupt_file/);
  });
  it.each(strangers)('not after a tail that is cut off: %s', async (_, stranger) =>
    expect(await verdict(Buffer.concat([jpeg(), Buffer.from([1, 2, 3]), jpeg(), stranger]))).toMatch(/^corrupt_file/),
  );

  describe.each(hidings)('not in %s', (_, hide) => {
    it('which may contain harmless text', async () => expect(await verdict(hide(picture))).toBe('accepted'));
    it.each(strangers)('%s', async (__, stranger) => expect(await verdict(hide(stranger))).toMatch(/^corrupt_file/));
  });

  it('not even between its pixels', async () => {
    for (const stranger of ['%PDF-1.7', '<script>', '<html>', 'Rar!\x1a\x07']) {
      expect(
        await verdict(
          jpeg({
            afterScan: Buffer.concat([
              jpegSegment(0xda, Buffer.of(1, 1, 0, 0, 63, 0)),
              Buffer.alloc(9000),
              text(stranger),
            ]),
          }),
        ),
      ).toMatch(/hides another format/);
    }
  });

  it('not an archive whose end record locates its directory in another way', async () => {
    const comment = (data: Buffer): Buffer => jpeg({ segments: jpegSegment(0xfe, data) });
    const hidden = Buffer.concat([jpeg().subarray(0, -2), text('\xff\xfe\xff\xf0')]);
    const large = Buffer.concat([text('PK\x06\x07'), Buffer.alloc(16), text('PK\x05\x06'), Buffer.alloc(18, 255)]);
    expect(await verdict(comment(large))).toMatch(/archive/);
    const gap = zip(0);
    gap.writeUInt32LE(hidden.length, gap.length - 6);
    expect(await verdict(Buffer.concat([jpeg(), gap]))).toMatch(/^corrupt_file/);
    const tar = png({
      before: [pngChunk('tEXt', Buffer.concat([text('x\0'), Buffer.alloc(170, 'x'), text('ustar')]))],
    });
    const shift = 257 - tar.indexOf('ustar');
    expect(
      await verdict(
        png({
          before: [pngChunk('tEXt', Buffer.concat([text('x\0'), Buffer.alloc(170 + shift, 'x'), text('ustar')]))],
        }),
      ),
    ).toMatch(/archive/);
  });
});
