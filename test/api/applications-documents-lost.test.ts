/** API tests of files that the storage has lost and of what a crash leaves behind. */
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { sweepFiles } from '../../server/modules/documents/file-store.ts';
import { whileDocumentsWait } from '../support/locks.ts';
import { shared, type Credential } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { startWorld, type Document } from './applications-world.ts';

let id: string;

const world = await shared(startWorld());
beforeAll(async () => {
  id = (await world.create()).body.id;
});

const folder = (): string => join(world.running.services.config.dataDir, 'files');

async function download(document: Document, of = id, as: Credential = world.key): Promise<Response> {
  return fetch(`${world.url}/v1/applications/${of}/documents/${document.id}/content`, { headers: as });
}

describe('a file that cannot be delivered', () => {
  it('asks for a later retry if the storage has lost it, and is not recorded as a download', async () => {
    const { body } = await world.upload(id, jpeg({ text: 'lost' }));
    const [row] = await world.database.sql<{ storage_key: string }>('SELECT storage_key FROM document WHERE id = $1', [
      body.id,
    ]);
    await world.running.services.files.delete(row!.storage_key);
    const response = await download(body);
    expect(response.headers.get('retry-after')).toBe('1');
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { code: 'dependency_unavailable', retryable: true },
    ]);
    expect(
      (await world.acme.audit()).filter(
        ({ action, resource_id }) => action === 'document.downloaded' && resource_id === body.id,
      ),
    ).toEqual([]);
  });

  it('does no harm if its client has gone before it is opened', async () => {
    const { body } = await world.upload(id, jpeg({ text: 'impatient' }));
    const impatient = new AbortController();
    await whileDocumentsWait(world.database, async (isWaitedFor) => {
      const left = expect(
        fetch(`${world.url}/v1/applications/${id}/documents/${body.id}/content`, {
          headers: world.key,
          signal: impatient.signal,
        }),
      ).rejects.toThrow();
      await isWaitedFor();
      impatient.abort();
      await left;
      // Gives the service time to notice the closed connection.
      await setTimeout(100);
    });
    expect((await download(body)).status).toBe(200);
  });
});

describe('what a crash leaves behind', () => {
  it('is swept: files without a document are deleted, files with one stay', async () => {
    const { files, database } = world.running.services;
    const { body: retained } = await world.upload(id, jpeg({ text: 'kept' }));
    const orphan = await files.put(world.acme.id, Buffer.from('rolled back'));
    const anHourAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const path of await readdir(folder(), { recursive: true })) {
      if ((await stat(join(folder(), path))).isFile()) await utimes(join(folder(), path), anHourAgo, anHourAgo);
    }
    expect(await sweepFiles(database, files, new Date())).toBe(1);
    await expect(files.open(orphan)).rejects.toThrow('no stored file');
    expect((await download(retained)).status).toBe(200);
  });
});
