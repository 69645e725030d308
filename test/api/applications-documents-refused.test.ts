/** API tests of uploads that are refused: wrong form, wrong application, too many, too large together. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared, type Answer } from '../support/service.ts';
import { REFUSED_FILES, REFUSED_FORMS } from '../support/refused-uploads.ts';
import { jpeg } from '../support/specimens.ts';
import { startWorld } from './applications-world.ts';

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
  it.each(REFUSED_FILES)('%s writes nothing', async (_, expected, bytes, fields) => {
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
    const answers = await Promise.all(
      REFUSED_FORMS.map(([request]) => world.request('POST', path, { as: world.key, ...request() })),
    );
    expect(answers.map(code)).toEqual(REFUSED_FORMS.map(([, expected]) => expected));
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
