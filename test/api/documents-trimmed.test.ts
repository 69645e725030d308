/** API tests of photographs with bytes after their end, which are cut off and recorded. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { jpeg, pdf } from '../support/specimens.ts';
import { refusal, startWorld, type Document } from './applications-world.ts';

const world = await shared(startWorld());
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const tail = (text: string): Buffer => Buffer.from(`CANON OPTIONAL DATA\0${text}`);
const draft = async (): Promise<string> => (await world.create()).body.id;
const download = async (id: string, { id: documentId }: Document): Promise<Buffer> =>
  Buffer.from(
    await (
      await fetch(`${world.url}/v1/applications/${id}/documents/${documentId}/content`, { headers: world.key })
    ).arrayBuffer(),
  );

describe('a photograph with a tail', () => {
  it('is stored without it, and the document and the log record this', async () => {
    const [id, picture] = [await draft(), jpeg({ text: 'camera' })];
    const sent = Buffer.concat([picture, tail('one')]);
    const { status, body } = await world.upload(id, sent);
    expect([status, body]).toMatchObject([
      201,
      {
        sizeBytes: picture.length,
        sha256: sha256(picture),
        originalSha256: sha256(sent),
        signals: ['tail_removed'],
      },
    ]);
    expect((await download(id, body)).equals(picture)).toBe(true);
    const [event] = await world.database.sql<{ changes: { path: string; value: unknown }[] }>(
      `SELECT changes FROM audit_event WHERE action = 'document.uploaded' AND resource_id = $1`,
      [body.id],
    );
    expect(Object.fromEntries(event!.changes.map(({ path, value }) => [path, value]))).toMatchObject({
      '/sha256': sha256(picture),
      '/originalSha256': sha256(sent),
      '/removedBytes': sent.length - picture.length,
    });
  });

  it('is the same file if the same bytes are sent again, and another one if the bytes differ, whatever is stored', async () => {
    const [id, picture] = [await draft(), jpeg({ text: 'twice' })];
    const [one, other] = [Buffer.concat([picture, tail('one')]), Buffer.concat([picture, tail('two')])];
    const { body: first } = await world.upload(id, one);
    const again = await world.upload(id, one);
    expect([again.status, again.body.id]).toEqual([200, first.id]);
    const others = [await world.upload(id, other), await world.upload(id, picture)];
    expect(others.map(({ status, body }) => [status, body.sha256, body.signals])).toEqual([
      [201, sha256(picture), ['tail_removed']],
      [201, sha256(picture), []],
    ]);
    const elsewhere = await draft();
    expect((await world.upload(elsewhere, one)).body.signals).toEqual(['reused_in_other_application', 'tail_removed']);
  });

  it('counts by the stored bytes', async () => {
    const [id, picture] = [await draft(), jpeg({ text: 'size' })];
    expect((await world.upload(id, Buffer.concat([picture, Buffer.alloc(14 * 1024 * 1024, 1)]))).body.sizeBytes).toBe(
      picture.length,
    );
  });

  it('is refused if another program would open the tail', async () => {
    const id = await draft();
    for (const foreign of [pdf(), Buffer.from('\0\0\0\x18ftypmp42'), Buffer.from('<script>alert(1)</script>')]) {
      expect(refusal(await world.upload(id, Buffer.concat([jpeg({ text: 'foreign' }), foreign])))).toEqual([
        422,
        'corrupt_file',
      ]);
    }
  });
});

describe('a document without a tail', () => {
  it('is stored as it was sent', async () => {
    const bytes = pdf();
    const { body } = await world.upload(await draft(), bytes, { fileName: 'scan.pdf' });
    expect([body.sha256, body.originalSha256, body.signals]).toEqual([sha256(bytes), sha256(bytes), []]);
  });

  it.each(['binary/octet-stream', 'application/x-download'])(
    'may come from a storage that calls it %s',
    async (contentType) => {
      expect((await world.upload(await draft(), jpeg({ text: contentType }), { contentType })).status).toBe(201);
    },
  );
});
