/** API tests of uploads that are refused: wrong form, wrong application, too many, too large together. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared, type Answer } from '../support/service.ts';
import { jpeg, pdf, png, stream, webp, zip } from '../support/specimens.ts';
import { form, startWorld } from './applications-world.ts';

const world = await shared(startWorld());
const {
  body: { id },
} = await world.create();

const code = ({ status, body }: Answer<unknown>): [number, unknown] => [status, (body as { code?: unknown }).code];
const stored = async (): Promise<number> =>
  (await readdir(join(world.running.services.config.dataDir, 'files'), { recursive: true })).filter((path) =>
    /[0-9a-f]{32}$/.test(path),
  ).length;

describe('refusing a document', () => {
  const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';
  const tail = Buffer.from('<html><script>alert(1)</script></html>');

  it.each<[string, [number, string], Buffer, object?]>([
    ['that is empty', [422, 'empty_file'], Buffer.alloc(0)],
    ['of another format', [415, 'unsupported_file_type'], Buffer.from('GIF89a'.padEnd(100))],
    ['that is a web page', [415, 'unsupported_file_type'], tail],
    [
      'that is not what it is declared to be',
      [415, 'content_type_mismatch'],
      jpeg(),
      { contentType: 'application/pdf' },
    ],
    ['that is cut off', [422, 'corrupt_file'], jpeg().subarray(0, 700)],
    ['that a ZIP follows', [422, 'corrupt_file'], Buffer.concat([jpeg(), zip()])],
    ['that a web page follows', [422, 'corrupt_file'], Buffer.concat([pdf(), tail])],
    ['with too few pixels', [422, 'image_too_small'], png({ width: 320, height: 240 })],
    ['with too many pixels', [422, 'image_too_large'], webp({ width: 16000, height: 4000 })],
    ['with too many pages', [422, 'too_many_pages'], pdf({ pages: 31 })],
    [
      'that is encrypted',
      [422, 'encrypted_pdf'],
      pdf({ trailer: '/Encrypt 100 0 R', objects: ['<< /Filter /Standard >>'] }),
    ],
    ['with a script', [422, 'active_content'], pdf({ catalog: `/OpenAction ${script}` })],
    ['with a script in an object stream', [422, 'active_content'], pdf({ packed: [script] })],
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
  ])('%s writes nothing', async (_, expected, bytes, fields) => {
    const {
      body: { id: own },
    } = await world.create();
    const [files, events] = [await stored(), await world.acme.audit()];
    expect(code(await world.upload(own, bytes, { fileName: 'x', ...fields }))).toEqual(expected);
    expect(await stored()).toBe(files);
    expect(await world.acme.audit()).toEqual(events);
    expect((await world.get(own)).body.documents).toEqual([]);
  });

  it('happens unless there is exactly one file, sent as a file, in readable parts', async () => {
    const path = `/v1/applications/${id}/documents`;
    const text = new FormData();
    text.set('type', 'passport');
    text.set('file', 'not a file');
    const missing = new FormData();
    missing.set('type', 'passport');
    const two = form(jpeg());
    two.append('file', new Blob([new Uint8Array(png())]), 'b.png');
    const cut = Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\nabc');
    const answers = await Promise.all([
      world.request('POST', path, { as: world.key, body: missing }),
      world.request('POST', path, { as: world.key, body: text }),
      world.request('POST', path, { as: world.key, body: two }),
      world.request('POST', path, {
        as: world.key,
        body: cut,
        headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      }),
      world.request('POST', path, { as: world.key, body: cut, headers: { 'Content-Type': 'multipart/form-data' } }),
      world.request('POST', path, { as: world.key, body: { type: 'passport' } }),
    ]);
    expect(answers.map(code)).toEqual([
      [400, 'file_part_missing'],
      [400, 'file_part_missing'],
      [400, 'too_many_parts'],
      [400, 'multipart_malformed'],
      [400, 'multipart_malformed'],
      [415, 'unsupported_media_type'],
    ]);
  });

  it('happens if it belongs to another application', async () => {
    const [{ body: one }, { body: other }] = [await world.create(), await world.create()];
    const { body: document } = await world.upload(one.id, jpeg({ text: 'mine' }));
    const download = (applicationId: string, documentId: string) =>
      world.request('GET', `/v1/applications/${applicationId}/documents/${documentId}/content`, { as: world.key });
    expect(code(await download(other.id, document.id))).toEqual([404, 'not_found']);
    expect(code(await download(one.id, '0197f2c8-5b1e-7d3a-a4c2-7e9b0d1f6a21'))).toEqual([404, 'not_found']);
  });

  it('happens beyond 40 documents, not counting a repeated one', async () => {
    const {
      body: { id: own },
    } = await world.create();
    for (let i = 0; i < 40; i++) expect((await world.upload(own, jpeg({ text: `limit ${i}` }))).status).toBe(201);
    expect(code(await world.upload(own, jpeg({ text: 'limit 40' })))).toEqual([409, 'document_limit']);
    expect((await world.upload(own, jpeg({ text: 'limit 0' }))).status).toBe(200);
    expect((await world.get(own)).body.documents).toHaveLength(40);
  });

  it('happens beyond 150 MiB', async () => {
    const {
      body: { id: own },
    } = await world.create();
    await world.upload(own, jpeg({ text: 'large' }));
    await world.database.sql('UPDATE document SET size_bytes = $1 WHERE application_id = $2', [
      150 * 1024 * 1024 - 1000,
      own,
    ]);
    expect(code(await world.upload(own, jpeg({ text: 'one more' })))).toEqual([409, 'document_limit']);
  });
});
