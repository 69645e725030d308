/** Tests of uploading and downloading files. */
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openAsBlob,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { ConnectionError, fileFromPath, toFile, type Uploadable } from '../src/index.ts';
import { answers, fails, TestServer, type Seen } from './support/server.ts';

const server = await new TestServer().start();
const bytes = new Uint8Array([0x25, 0x50, 0x44, 0x46, 0, 255, 13, 10]);
const path = join(mkdtempSync(join(tmpdir(), 'sdk-')), 'passport.pdf');
writeFileSync(path, bytes);

async function parts(seen: Seen | undefined): Promise<FormData> {
  return new Response(seen?.body as BodyInit, {
    headers: { 'content-type': seen?.headers['content-type'] ?? '' },
  }).formData();
}

describe('uploads', () => {
  const sources: [string, () => Uploadable | Promise<Uploadable>, string][] = [
    ['a File', () => new File([bytes], 'passport.pdf'), 'passport.pdf'],
    ['a Blob', () => new Blob([bytes]), 'upload'],
    ['a file-backed Blob', () => openAsBlob(path), 'upload'],
    ['a file by its path', () => fileFromPath(path), 'passport.pdf'],
    ['a file by its path under another name', () => fileFromPath(path, { name: 'front.pdf' }), 'front.pdf'],
    ['a Buffer', () => Buffer.from(bytes), 'upload'],
    ['a part of a larger buffer', () => new Uint8Array([9, ...bytes, 9]).subarray(1, 9), 'upload'],
    ['an ArrayBuffer', () => bytes.buffer, 'upload'],
    ['a web stream', () => new Blob([bytes]).stream(), 'upload'],
    ['a Node stream', () => createReadStream(path), 'passport.pdf'],
    [
      'a Blob that knows its file, as those of Bun do',
      () => Object.assign(new Blob([bytes]), { name: path }),
      'passport.pdf',
    ],
    ['a stream whose path is no text', () => Object.assign(new Blob([bytes]).stream(), { path: 7 }), 'upload'],
    ['bytes with a name', () => ({ name: 'passport.pdf', data: bytes, type: 'application/pdf' }), 'passport.pdf'],
    ['a stream with a name', () => ({ name: 'passport.pdf', data: createReadStream(path) }), 'passport.pdf'],
  ];
  for (const [name, source, fileName] of sources) {
    it(`sends ${name} as a multipart file beside the other members`, async () => {
      server.replies(answers({ id: 'd' }, 201));
      await server
        .client()
        .applications.documents.upload('a', { file: await source(), type: 'passport', side: 'single' });
      const form = await parts(server.seen[0]);
      const file = form.get('file') as File;
      expect([file.name, form.get('type'), form.get('side')]).toEqual([fileName, 'passport', 'single']);
      expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
    });
  }

  it('repeats the same bytes and key on a retry, even from a stream', async () => {
    server.replies(fails(503, 'overloaded', { 'retry-after': '0' }), answers({ id: 'd' }, 201));
    await server.client().applications.documents.upload('a', { file: createReadStream(path), type: 'passport' });
    const files = await Promise.all(
      server.seen.map(async (seen) => ((await parts(seen)).get('file') as File).arrayBuffer()),
    );
    expect(files.map((file) => new Uint8Array(file))).toEqual([bytes, bytes]);
    expect(server.seen[0]?.headers['idempotency-key']).toBe(server.seen[1]?.headers['idempotency-key']);
  });

  it('sends several files, each in its part, and none for omitted ones', async () => {
    server.replies(answers({ outcome: 'activated' }, 202));
    await server.client({ accessToken: 'token' }).admin.watchLists.upload('ofac-sdn', {
      format: 'ofac-csv',
      file: { name: 'sdn.csv', data: bytes },
      alt: { name: 'alt.csv', data: bytes },
    });
    const form = await parts(server.seen[0]);
    expect([...form].map(([name, part]) => [name, part instanceof File ? part.name : part])).toEqual([
      ['format', 'ofac-csv'],
      ['file', 'sdn.csv'],
      ['alt', 'alt.csv'],
    ]);
  });

  it('preserves a name that needs quoting', async () => {
    server.replies(answers({ id: 'd' }, 201));
    await server
      .client()
      .applications.documents.upload('a', { file: { name: 'côté "1".pdf', data: bytes }, type: 'passport' });
    expect(((await parts(server.seen[0])).get('file') as File).name).toBe('côté "1".pdf');
  });

  it('refuses invalid files before anything is sent', async () => {
    server.replies(answers({}));
    await expect(
      server.client().applications.documents.upload('a', { file: { path } as unknown as Uploadable, type: 'passport' }),
    ).rejects.toThrow('A file must be');
    expect(server.seen).toHaveLength(0);
  });

  it('sends no file of the disk for a caller who can only choose a value: a path alone is no file', async () => {
    for (const value of [path, { path }, { name: 'passport.pdf', path }])
      await expect(toFile(value as unknown as Uploadable)).rejects.toThrow('A file must be');
  });

  it('uses the media type of the source by default', async () => {
    expect((await toFile(new Blob([bytes], { type: 'image/png' }))).type).toBe('image/png');
    expect((await toFile(bytes)).type).toBe('application/octet-stream');
    expect((await toFile({ name: 'a', data: new Blob([bytes], { type: 'image/png' }), type: 'image/jpeg' })).type).toBe(
      'image/jpeg',
    );
  });
});

describe('downloads', () => {
  const sends = (headers: Record<string, string> = {}): void =>
    server.replies((response) => response.writeHead(200, { 'content-type': 'application/pdf', ...headers }).end(bytes));

  it('returns the bytes, the type and the name', async () => {
    sends({ 'content-disposition': `attachment; filename="id.pdf"; filename*=UTF-8''identit%C3%A9.pdf` });
    const file = await server.client().applications.documents.download('a', 'd');
    expect([file.contentType, file.filename]).toEqual(['application/pdf', 'identité.pdf']);
    expect(await file.bytes()).toEqual(bytes);
  });

  it('reads every form of the name', async () => {
    const name = async (header: string): Promise<string | null> => {
      sends({ 'content-disposition': header });
      return (await server.client().applications.documents.download('a', 'd')).filename;
    };
    expect(await name('attachment; filename="a \\"b\\".pdf"')).toBe('a "b".pdf');
    expect(await name('attachment; filename=plain.pdf')).toBe('plain.pdf');
    expect(await name(`attachment; filename="plain.pdf"; filename*=UTF-8''100%.pdf`)).toBe('plain.pdf');
    expect(await name('attachment')).toBeNull();
  });

  it('returns a Blob of the right type', async () => {
    sends();
    const blob = await (await server.client().applications.documents.download('a', 'd')).blob();
    expect([blob.type, blob.size]).toEqual(['application/pdf', bytes.length]);
  });

  it('resolves at the headers and streams the rest, which the attempt timeout does not cut off', async () => {
    server.replies((response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).write(bytes);
      setTimeout(() => response.end(bytes), 300);
    });
    const file = await server.client().applications.documents.download('a', 'd', { timeout: 150 });
    let size = 0;
    for await (const chunk of file.stream) size += chunk.length;
    expect(size).toBe(2 * bytes.length);
  });

  it('gives a file up when nothing of it arrives for so long, and frees the connection', async () => {
    for (const read of ['bytes', 'blob', 'saveTo'] as const) {
      const gone = new Promise((resolve) =>
        server.replies((response) => {
          response.on('close', resolve);
          response.writeHead(200, { 'content-type': 'application/pdf' }).write(bytes);
        }),
      );
      const file = await server.client({ idleTimeout: 100 }).applications.documents.download('a', 'd');
      const started = performance.now();
      await expect(file[read](join(tmpdir(), 'never.pdf'))).rejects.toMatchObject({
        name: 'TimeoutError',
        outcome: 'unknown',
        message: 'Nothing of the file arrived for 100 ms',
      });
      expect(performance.now() - started).toBeLessThan(10_000);
      await gone;
    }
  });

  it('abandons no file that arrives slowly, nor one that is read slowly', async () => {
    server.replies((response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      const drops = setInterval(() => {
        response.write(bytes);
      }, 60);
      setTimeout(() => {
        clearInterval(drops);
        response.end(bytes);
      }, 700);
    });
    const file = await server.client().applications.documents.download('a', 'd', { idleTimeout: 400 });
    let size = 0;
    for await (const chunk of file.stream) {
      if (size === 0) await new Promise((resolve) => setTimeout(resolve, 500));
      size += chunk.length;
    }
    expect(size).toBeGreaterThan(5 * bytes.length);
  });

  it('ends a running download if the caller aborts', async () => {
    server.replies((response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).write(bytes);
    });
    const controller = new AbortController();
    const file = await server.client().applications.documents.download('a', 'd', { signal: controller.signal });
    const reading = file.bytes();
    controller.abort('user left');
    await expect(reading).rejects.toMatchObject({ name: 'AbortError', cause: 'user left' });
  });

  it('reports a file that breaks off as a connection error', async () => {
    server.replies((response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '99' }).write(bytes);
      setTimeout(() => response.socket?.destroy(), 50);
    });
    const file = await server.client().applications.documents.download('a', 'd');
    await expect(file.bytes()).rejects.toBeInstanceOf(ConnectionError);
  });

  it('throws the typed error of a refused download', async () => {
    server.replies(fails(404, 'not_found'));
    await expect(server.client().applications.documents.download('a', 'd')).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });

  it('writes a file to the disk as it arrives, under its name only once it is whole', async () => {
    const target = join(mkdtempSync(join(tmpdir(), 'sdk-')), 'copy.pdf');
    let rest = (): void => undefined;
    server.replies((response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).write(bytes);
      rest = () => response.end(bytes);
    });
    const file = await server.client().applications.documents.download('a', 'd');
    const saving = file.saveTo(target);
    await vi.waitUntil(() => existsSync(`${target}.part`));
    expect(existsSync(target)).toBe(false);
    rest();
    expect(await saving).toBe(2 * bytes.length);
    expect(new Uint8Array(readFileSync(target))).toEqual(new Uint8Array([...bytes, ...bytes]));
    expect(readdirSync(dirname(target))).toEqual(['copy.pdf']);
  });

  it('leaves nothing of a file that breaks off, and preserves the former file', async () => {
    const target = join(mkdtempSync(join(tmpdir(), 'sdk-')), 'copy.pdf');
    writeFileSync(target, 'before');
    server.replies((response) => {
      response.writeHead(200, { 'content-length': '99' }).write(bytes);
      setTimeout(() => response.socket?.destroy(), 20);
    });
    const file = await server.client().applications.documents.download('a', 'd');
    await expect(file.saveTo(target)).rejects.toBeInstanceOf(ConnectionError);
    expect([readdirSync(dirname(target)), readFileSync(target, 'utf8')]).toEqual([['copy.pdf'], 'before']);
  });

  it('reports a refusal of the disk in the words of the system, and frees the connection', async () => {
    const gone = new Promise((resolve) =>
      server.replies((response) => {
        response.on('close', resolve);
        response.writeHead(200, { 'content-type': 'application/pdf' }).write(bytes);
      }),
    );
    const file = await server.client().applications.documents.download('a', 'd');
    await expect(file.saveTo(join(tmpdir(), 'no-such-folder', 'copy.pdf'))).rejects.toMatchObject({ code: 'ENOENT' });
    await gone;
  });

  it('leaves nothing if the file system does not accept the name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
    const target = join(folder, 'taken');
    mkdirSync(target);
    sends();
    const file = await server.client().applications.documents.download('a', 'd');
    await expect(file.saveTo(target)).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder)).toEqual(['taken']);
  });
});
