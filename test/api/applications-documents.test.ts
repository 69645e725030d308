/** API tests of uploading, inspecting and downloading documents, with real files. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { unavailable } from '../../server/contract/problem.ts';
import { success } from '../support/api.ts';
import { shared, type Answer, type Credential } from '../support/service.ts';
import { jpeg, pdf, png, webp } from '../support/specimens.ts';
import { startWorld, type Document } from './applications-world.ts';

let id: string;

const world = await shared(startWorld());
beforeAll(async () => {
  id = (await world.create()).body.id;
});

const code = ({ status, body }: Answer<unknown>): [number, unknown] => [status, (body as { code?: unknown }).code];
const folder = (): string => join(world.running.services.config.dataDir, 'files');
const stored = async (): Promise<number> =>
  (await readdir(folder(), { recursive: true })).filter((path) => /[0-9a-f]{32}$/.test(path)).length;

async function download(document: Document, of = id, as: Credential = world.key): Promise<Response> {
  return fetch(`${world.url}/v1/applications/${of}/documents/${document.id}/content`, { headers: as });
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe('uploading a document', () => {
  it.each([
    ['image/jpeg', 'photo.jpg', jpeg()],
    ['image/png', 'photo.png', png()],
    ['image/webp', 'photo.webp', webp()],
    ['application/pdf', 'scan.pdf', pdf({ pages: 3 })],
  ])('stores %s and returns it byte for byte', async (mimeType, fileName, bytes) => {
    const { status, headers, body } = await world.upload(id, bytes, {
      fileName,
      contentType: mimeType,
      type: 'passport',
      side: 'front',
      country: 'BR',
      expiresOn: '2031-05-01',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      type: 'passport',
      side: 'front',
      country: 'BR',
      expiresOn: '2031-05-01',
      fileName,
      mimeType,
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      originalSha256: createHash('sha256').update(bytes).digest('hex'),
      pageCount: mimeType === 'application/pdf' ? 3 : null,
      status: 'uploaded',
      rejectionCode: null,
      fileErasedAt: null,
      signals: [],
      answers: null,
      createdAt: body.createdAt,
    });
    expect(headers.get('location')).toBe(`/v1/applications/${id}/documents/${body.id}/content`);
    const response = await download(body);
    expect(response.status).toBe(200);
    expect(
      Object.fromEntries(
        ['content-type', 'content-disposition', 'cache-control', 'x-content-type-options'].map((name) => [
          name,
          response.headers.get(name),
        ]),
      ),
    ).toEqual({
      'content-type': mimeType,
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect((await bytesOf(response)).equals(bytes)).toBe(true);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
  });

  it('declares the size of a document before its bytes, also in answers to HEAD', async () => {
    const bytes = jpeg({ text: 'size' });
    const { body } = await world.upload(id, bytes);
    const head = await fetch(`${world.url}/v1/applications/${id}/documents/${body.id}/content`, {
      method: 'HEAD',
      headers: world.key,
    });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  it('breaks off a download if the length of its file has changed', async () => {
    const { body } = await world.upload(id, jpeg({ text: 'cut short' }));
    const [row] = await world.database.sql<{ storage_key: string }>('SELECT storage_key FROM document WHERE id = $1', [
      body.id,
    ]);
    const [owner = '', name = ''] = row?.storage_key.split('/') ?? [];
    await truncate(join(folder(), owner, name.slice(0, 2), name), 100);
    await expect(download(body).then(bytesOf)).rejects.toThrow();
  });

  it('needs only a type', async () => {
    const { status, body } = await world.upload(id, jpeg({ text: 'bare' }), { type: 'selfie' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      type: 'selfie',
      side: 'single',
      country: null,
      expiresOn: null,
    });
  });

  it('shows documents in the application, newest first, and not in lists', async () => {
    const {
      body: { id: own },
    } = await world.create();
    const first = (await world.upload(own, jpeg({ text: 'first' }))).body;
    world.advance(1000);
    const second = (await world.upload(own, jpeg({ text: 'second' }))).body;
    expect((await world.get(own)).body.documents).toEqual([second, first]);
    const list = await success(world.api.GET('/v1/applications', { headers: world.key }));
    expect(list.body.items.find((item) => item.id === own)).not.toHaveProperty('documents');
    expect(list.body.items.find((item) => item.id === own)?.requirements.items).toContainEqual(
      expect.objectContaining({ key: 'id_document', status: 'provided' }),
    );
  });

  it('stores the same file once, also if it is sent twice at once', async () => {
    const bytes = png({ text: 'twice' });
    const before = await stored();
    const answers = await Promise.all([world.upload(id, bytes), world.upload(id, bytes, { type: 'selfie' })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(await stored()).toBe(before + 1);
  });

  it('notices a file that another application of the tenant has', async () => {
    const bytes = jpeg({ text: 'seen before' });
    const [first, second] = [(await world.create()).body.id, (await world.create()).body.id];
    expect((await world.upload(first, bytes)).body.signals).toEqual([]);
    expect((await world.upload(second, bytes)).body.signals).toEqual(['reused_in_other_application']);
    const foreignKey = await world.other.key(['read', 'write']);
    const foreign = (await world.create(undefined, foreignKey)).body.id;
    expect((await world.upload(foreign, bytes, {}, foreignKey)).body.signals).toEqual([]);
  });

  it('makes file names safe, and sends them in UTF-8', async () => {
    const { body } = await world.upload(id, jpeg({ text: 'name' }), { fileName: '../../certid\u00e3o\u202e.jpg' });
    expect(body.fileName).toBe('certidão.jpg');
    expect((await download(body)).headers.get('content-disposition')).toBe(
      `attachment; filename="certid_o.jpg"; filename*=UTF-8''certid%C3%A3o.jpg`,
    );
  });

  it('names a file after its format and not after its sender, also one that was stored before this rule', async () => {
    const { body } = await world.upload(id, jpeg({ text: 'executable name' }), { fileName: 'invoice.pdf.html' });
    expect(body.fileName).toBe('invoice.pdf.jpg');
    await world.database.sql("UPDATE document SET file_name = 'invoice.svg' WHERE id = $1", [body.id]);
    expect((await world.get(id)).body.documents?.find((document) => document.id === body.id)?.fileName).toBe(
      'invoice.jpg',
    );
    const response = await download(body);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="invoice.jpg"');
    expect([
      response.headers.get('content-security-policy'),
      response.headers.get('cross-origin-resource-policy'),
    ]).toEqual(["default-src 'none'; frame-ancestors 'none'; sandbox", 'same-origin']);
  });

  it('is recorded, as is every download', async () => {
    const { body } = await world.upload(id, jpeg({ text: 'audited' }));
    await download(body);
    await download(body);
    const events = (await world.acme.audit()).filter(({ resource_id }) => resource_id === body.id);
    expect(events.map(({ action }) => action)).toEqual([
      'document.uploaded',
      'document.downloaded',
      'document.downloaded',
    ]);
  });
});

describe('inspecting a file', () => {
  it('holds no connection to the database', async () => {
    const { inspector } = world.running.services;
    const [started, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const inspect = inspector.inspect.bind(inspector);
    inspector.inspect = async (...file) => {
      started.resolve();
      await held.promise;
      return inspect(...file);
    };
    const uploading = world.upload(id, jpeg({ text: 'slow to inspect' }));
    await started.promise;
    await expect
      .poll(() => world.database.database.connections())
      .toSatisfy(({ total, idle, waiting }) => total === idle && waiting === 0);
    held.resolve();
    expect((await uploading).status).toBe(201);
    inspector.inspect = inspect;
  });

  it('says nothing about a file before errors of the request, and nothing about a file that is already stored', async () => {
    const [known, broken] = [jpeg({ text: 'known' }), jpeg({ text: 'broken' }).subarray(0, 700)];
    expect(code(await world.upload('0197f2c4-8a10-7c3e-9f52-2b6d1c7e4a01', broken))).toEqual([404, 'not_found']);
    expect((await world.upload(id, known)).status).toBe(201);
    expect((await world.upload(id, known, { contentType: 'image/png' })).status).toBe(200);
  });

  it('is postponed if too many wait', async () => {
    const { inspector } = world.running.services;
    const inspect = inspector.inspect.bind(inspector);
    inspector.inspect = () => Promise.reject(unavailable('overloaded'));
    const answer = await world.upload(id, jpeg({ text: 'too many' }));
    inspector.inspect = inspect;
    expect([...code(answer), answer.headers.get('retry-after')]).toEqual([503, 'overloaded', '1']);
  });
});

/** Folder of specimens of real documents, if available; they are read in place and never copied. */
const SPECIMENS = join(import.meta.dirname, '../../../shared/data/documents');

if (existsSync(SPECIMENS))
  describe('real specimens', () => {
    it('are accepted or refused for a stated reason, and come back byte for byte but for a tail', async () => {
      const {
        body: { id: own },
      } = await world.create();
      for (const folderName of ['br-synth', 'pdf']) {
        for (const name of readdirSync(join(SPECIMENS, folderName))) {
          const bytes = readFileSync(join(SPECIMENS, folderName, name));
          const { status, body } = await world.upload(own, bytes, { fileName: name });
          expect([name, status]).toEqual([name, 201]);
          expect((await bytesOf(await download(body, own))).equals(bytes)).toBe(true);
        }
      }
      const refused = new Map<string, unknown>();
      for (const folderName of ['mrz', 'negative']) {
        const {
          body: { id: second },
        } = await world.create();
        for (const name of readdirSync(join(SPECIMENS, folderName))) {
          const { status, body } = await world.upload(second, readFileSync(join(SPECIMENS, folderName, name)), {
            fileName: name,
          });
          if (status !== 201) refused.set(name, body.code);
        }
      }
      expect(refused.get('pe-100_id-che.jpg')).toBe('image_too_small');
      // An image that is too small is also followed by random bytes.
      expect([...refused].filter(([, reason]) => reason !== 'image_too_small')).toEqual([]);
    });
  });
