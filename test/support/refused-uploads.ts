/**
 * Uploads that every operation refuses which takes a document: files by what is in them, and forms by their parts. Used
 * by the tests of each such operation.
 */
import { jpeg, pdf, png, stream, webp, zip } from './specimens.ts';

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';
const TAIL = Buffer.from('<html><script>alert(1)</script></html>');

/** What is wrong, the status and code of the refusal, the file, and fields that are sent with it. */
export const REFUSED_FILES: [string, readonly [number, string], Buffer, object?][] = [
  ['that is empty', [422, 'empty_file'], Buffer.alloc(0)],
  ['of another format', [415, 'unsupported_file_type'], Buffer.from('GIF89a'.padEnd(100))],
  ['that is a web page', [415, 'unsupported_file_type'], TAIL],
  ['that is not what it is declared to be', [415, 'content_type_mismatch'], jpeg(), { contentType: 'application/pdf' }],
  ['that is cut off', [422, 'corrupt_file'], jpeg().subarray(0, 700)],
  ['that a ZIP follows', [422, 'corrupt_file'], Buffer.concat([jpeg(), zip()])],
  ['that a web page follows', [422, 'corrupt_file'], Buffer.concat([pdf(), TAIL])],
  ['with too few pixels', [422, 'image_too_small'], png({ width: 320, height: 240 })],
  ['with too many pixels', [422, 'image_too_large'], webp({ width: 16000, height: 4000 })],
  ['with too many pages', [422, 'too_many_pages'], pdf({ pages: 31 })],
  [
    'that is encrypted',
    [422, 'encrypted_pdf'],
    pdf({ trailer: '/Encrypt 100 0 R', objects: ['<< /Filter /Standard >>'] }),
  ],
  ['with a script', [422, 'active_content'], pdf({ catalog: `/OpenAction ${SCRIPT}` })],
  ['with a script in an object stream', [422, 'active_content'], pdf({ packed: [SCRIPT] })],
  [
    'with an embedded file',
    [422, 'active_content'],
    pdf({ objects: [stream('/Type /Embedded#46ile', Buffer.from('MZ'))] }),
  ],
  ['larger than 15 MiB', [413, 'file_too_large'], Buffer.concat([jpeg(), Buffer.alloc(15 * 1024 * 1024)])],
  ['with an unknown type', [422, 'validation_failed'], jpeg(), { type: 'diary' }],
  ['with a date that does not exist', [422, 'validation_failed'], jpeg(), { expiresOn: '2030-02-30' }],
  ['with a date before our time', [422, 'validation_failed'], jpeg({ text: 'old' }), { expiresOn: '0000-01-01' }],
  ['with an unknown field', [422, 'validation_failed'], jpeg(), { colour: 'blue' }],
];

interface Form {
  readonly body: FormData | Buffer | object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A form of the fields, in which a text is no file. */
function form(...parts: readonly (readonly [string, string | Buffer])[]): FormData {
  const data = new FormData();
  for (const [name, part] of parts)
    if (typeof part === 'string') data.append(name, part);
    else data.append(name, new Blob([new Uint8Array(part)]), 'passport.jpg');
  return data;
}

const CUT = Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc');

/** Forms without exactly one file in readable parts, each with the status and code of the refusal. */
export const REFUSED_FORMS: readonly (readonly [() => Form, readonly [number, string]])[] = [
  [() => ({ body: form(['type', 'passport']) }), [400, 'file_part_missing']],
  [() => ({ body: form(['type', 'passport'], ['file', 'not a file']) }), [400, 'file_part_missing']],
  [() => ({ body: form(['type', 'passport'], ['file', jpeg()], ['file', png()]) }), [400, 'too_many_parts']],
  [() => ({ body: CUT, headers: { 'Content-Type': 'multipart/form-data; boundary=x' } }), [400, 'multipart_malformed']],
  [() => ({ body: CUT, headers: { 'Content-Type': 'multipart/form-data' } }), [400, 'multipart_malformed']],
  [() => ({ body: { type: 'passport' } }), [415, 'unsupported_media_type']],
];
