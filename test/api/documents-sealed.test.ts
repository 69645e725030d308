/** API tests that files are encrypted in the storage and open only with the key of their own application. */
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { isSealed } from '../../server/base/sealed-file.ts';
import type { FileKey } from '../../server/providers/files/index.ts';
import { shared } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { startWorld } from './applications-world.ts';

// Keys and files are damaged below the service. The contract does not describe the resulting failures.
const world = await shared(startWorld({ sabotaged: true }));
const { files } = world.running.services;

/** Returns an application with a picture that contains the text, and the storage key of its file. */
async function withPicture(text: string): Promise<{
  readonly id: string;
  readonly documentId: string;
  readonly bytes: Buffer;
  readonly storageKey: FileKey;
}> {
  const {
    body: { id },
  } = await world.create();
  const bytes = jpeg({ text });
  const {
    body: { id: documentId },
  } = await world.upload(id, bytes);
  const [row] = await world.database.sql<{ storageKey: FileKey }>(
    'SELECT storage_key AS "storageKey" FROM document WHERE id = $1',
    [documentId],
  );
  return {
    id,
    documentId,
    bytes,
    storageKey: row!.storageKey,
  };
}

const storedBytes = async (key: FileKey): Promise<Buffer> => buffer(await files.open(key));
const download = async ({ id, documentId }: { readonly id: string; readonly documentId: string }): Promise<Buffer> => {
  const answer = await fetch(`${world.url}/v1/applications/${id}/documents/${documentId}/content`, {
    headers: world.key,
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};
/** Stores the file unsealed, as before files were sealed. */
async function unsealed(text: string) {
  const picture = await withPicture(text);
  await files.replace(picture.storageKey, picture.bytes);
  await world.database.sql('UPDATE document SET sealed_at = NULL WHERE id = $1', [picture.documentId]);
  return picture;
}

describe('the file of a document', () => {
  it('is sealed in the storage, and downloads as it was uploaded', async () => {
    const picture = await withPicture('PIXELS-OF-MARIA');
    const file = await storedBytes(picture.storageKey);
    expect([isSealed(file), file.includes('PIXELS-OF-MARIA')]).toEqual([true, false]);
    expect((await download(picture)).equals(picture.bytes)).toBe(true);
  });

  it('opens only with the key of its own application: the rows of keys cannot be exchanged', async () => {
    const [one, other] = [await withPicture('one'), await withPicture('other')];
    await world.database.sql(
      'UPDATE subject_key SET wrapped = (SELECT wrapped FROM subject_key WHERE subject_id = $2) WHERE subject_id = $1',
      [one.id, other.id],
    );
    const { status } = await world.request('GET', `/v1/applications/${one.id}/documents/${one.documentId}/content`, {
      as: world.key,
    });
    expect(status).toBe(500);
    expect((await download(other)).equals(other.bytes)).toBe(true);
  });

  it('is not delivered if it was changed on the disk', async () => {
    const picture = await withPicture('as it was');
    const file = await storedBytes(picture.storageKey);
    file[file.length - 20]! ^= 1;
    await files.replace(picture.storageKey, file);
    const answer = fetch(`${world.url}/v1/applications/${picture.id}/documents/${picture.documentId}/content`, {
      headers: world.key,
    }).then(async (response) => [response.status, (await response.arrayBuffer()).byteLength]);
    await expect(
      answer.then(
        ([status]) => {
          if (status === 200) throw new Error('passed on');
          return status;
        },
        () => 'broken off',
      ),
    ).resolves.toSatisfy((outcome) => outcome === 500 || outcome === 'broken off');
  });
});

describe('a file from before files were sealed', () => {
  it('downloads as before, is sealed in place by the job, once, and downloads as before', async () => {
    const picture = await unsealed('an old picture');
    expect((await download(picture)).equals(picture.bytes)).toBe(true);
    expect(await world.running.runJob('files.seal')).toBe(1);
    const file = await storedBytes(picture.storageKey);
    expect([isSealed(file), file.includes('an old picture')]).toEqual([true, false]);
    expect((await download(picture)).equals(picture.bytes)).toBe(true);
    expect(await world.running.runJob('files.seal')).toBe(0);
  });

  it('is sealed in an application that has no key yet', async () => {
    const picture = await unsealed('the first of its application');
    await world.database.sql('DELETE FROM subject_key WHERE subject_id = $1', [picture.id]);
    expect((await download(picture)).equals(picture.bytes)).toBe(true);
    await world.running.runJob('files.seal');
    expect((await download(picture)).equals(picture.bytes)).toBe(true);
  });

  it('is sealed once if a crash happened between writing its file and its row', async () => {
    const picture = await withPicture('half done');
    await world.database.sql('UPDATE document SET sealed_at = NULL WHERE id = $1', [picture.documentId]);
    const before = await storedBytes(picture.storageKey);
    expect((await download(picture)).equals(picture.bytes)).toBe(true);
    await world.running.runJob('files.seal');
    expect((await storedBytes(picture.storageKey)).equals(before)).toBe(true);
    expect((await download(picture)).equals(picture.bytes)).toBe(true);
  });

  it('does not prevent the sealing of others if it is lost', async () => {
    const [lost, other] = [await unsealed('lost'), await unsealed('still there')];
    await files.delete(lost.storageKey);
    expect(await world.running.runJob('files.seal')).toBe(1);
    expect(isSealed(await storedBytes(other.storageKey))).toBe(true);
  });
});
