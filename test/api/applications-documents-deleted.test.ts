/** API tests of deleting a document: only from a draft, once, and recorded. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { liveUsage } from '../../server/modules/applications/index.ts';
import { fileDigests } from '../support/production.ts';
import { shared, type Credential } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { refusal, startWorld } from './applications-world.ts';

const world = await shared(startWorld());

const remove = (id: string, documentId: string, as: Credential = world.key) =>
  world.request('DELETE', `/v1/applications/${id}/documents/${documentId}`, { as });
const files = async (): Promise<number> => Object.keys(await fileDigests(world.running.services.config.dataDir)).length;
const usage = () =>
  world.database.database.transaction({ tenantId: world.acme.id }, (tx) =>
    liveUsage(tx, world.acme.id, world.running.services.clock()),
  );

/** Returns a complete application with a document of its own. */
async function withDocument(): Promise<{ readonly id: string; readonly documentId: string; readonly bytes: Buffer }> {
  const { id } = await world.complete();
  const bytes = jpeg({ text: id });
  return { id, documentId: (await world.upload(id, bytes, { type: 'passport' })).body.id, bytes };
}

describe('deleting a document', () => {
  it('removes it from a draft, with its file and its effect on requirements', async () => {
    const before = [await files(), await usage()];
    const { id } = await world.complete();
    const { body: document } = await world.upload(id, jpeg({ text: id }));
    expect((await usage()).storageBytes).toBeGreaterThan((before[1] as { storageBytes: number }).storageBytes);
    const answer = await remove(id, document.id);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await world.get(id)).body.documents).toEqual([]);
    expect([await files(), (await usage()).storageBytes]).toEqual([
      before[0],
      (before[1] as { storageBytes: number }).storageBytes,
    ]);
    expect(
      refusal(await world.request('GET', `/v1/applications/${id}/documents/${document.id}/content`, { as: world.key })),
    ).toEqual([404, 'not_found']);
  });

  it('happens once, also if two do it at once', async () => {
    const { id, documentId } = await withDocument();
    const answers = await Promise.all([remove(id, documentId), remove(id, documentId)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(refusal(await remove(id, documentId))).toEqual([404, 'not_found']);
  });

  it('reopens the requirement that the document met, and lets the same file be uploaded again', async () => {
    const {
      body: { id },
    } = await world.create({ purpose: 'other', level: 'standard', applicant: { fullName: 'Maria da Silva' } });
    const bytes = jpeg({ text: id });
    const status = async () =>
      (await world.get(id)).body.requirements.items.find(({ key }) => key === 'id_document')?.status;
    const { body: first } = await world.upload(id, bytes);
    expect(await status()).toBe('provided');
    await remove(id, first.id);
    expect(await status()).toBe('missing');
    const again = await world.upload(id, bytes);
    expect([again.status, again.body.id === first.id, again.body.signals]).toEqual([201, false, []]);
  });

  it('is audited, and the timeline names the document although it is gone', async () => {
    const { id, documentId } = await withDocument();
    await remove(id, documentId, await world.acme.user('analyst'));
    const other = await withDocument();
    await remove(other.id, other.documentId);
    const events = (await world.acme.audit()).filter(({ resource_id }) => resource_id === documentId);
    expect(events.map(({ action }) => action)).toEqual(['document.uploaded', 'document.deleted']);
    const {
      body: { items },
    } = await world.request<{ items: components['schemas']['ApplicationEvent'][] }>(
      'GET',
      `/v1/applications/${id}/timeline`,
      { as: world.key },
    );
    expect(items.map((item) => [item.type, item.documentId, item.documentType, item.actor.type])).toEqual([
      ['document.deleted', documentId, 'passport', 'user'],
      ['document.uploaded', documentId, 'passport', 'api_key'],
      ['application.created', null, null, 'api_key'],
    ]);
  });
});

describe('a document stays', () => {
  it('once its application was submitted, whatever happens to the application then', async () => {
    const { id, documentId } = await withDocument();
    await world.request('POST', `/v1/applications/${id}/submit`, { as: world.key });
    expect(refusal(await remove(id, documentId))).toEqual([409, 'document_is_evidence']);
    await world.request('POST', `/v1/applications/${id}/withdraw`, {
      as: world.key,
      body: { reasonCode: 'duplicate' },
    });
    expect(refusal(await remove(id, documentId))).toEqual([409, 'document_is_evidence']);
    expect((await world.get(id)).body.documents).toHaveLength(1);
  });

  it('if it is deleted and its application is submitted at once, or it was deleted before', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, documentId } = await withDocument();
      const [deleted, submitted] = await Promise.all([
        remove(id, documentId),
        world.request('POST', `/v1/applications/${id}/submit`, { as: world.key }),
      ]);
      expect(submitted.status).toBe(202);
      expect((await world.get(id)).body.documents).toHaveLength(deleted.status === 204 ? 0 : 1);
    }
  });

  it('while a consent names it', async () => {
    const { id, documentId } = await withDocument();
    const body = {
      action: 'granted',
      purpose: 'screening',
      legalBasis: 'consent',
      textVersion: '1',
      textSha256: '0'.repeat(64),
      locale: 'pt-BR',
      channel: 'branch',
      capturedAt: '2026-11-03T12:00:00Z',
      evidenceDocumentId: documentId,
    };
    expect((await world.request('POST', `/v1/applications/${id}/consents`, { as: world.key, body })).status).toBe(201);
    expect(refusal(await remove(id, documentId))).toEqual([409, 'document_is_evidence']);
  });

  it('if the caller is of another tenant, or names another application', async () => {
    const [{ id, documentId }, other] = [await withDocument(), await withDocument()];
    expect(refusal(await remove(id, documentId, await world.other.key(['write'])))).toEqual([404, 'not_found']);
    expect(refusal(await remove(other.id, documentId))).toEqual([404, 'not_found']);
    expect((await world.get(id)).body.documents).toHaveLength(1);
  });

  it('as a file alone if the storage fails, and is swept later', async () => {
    const { id, documentId } = await withDocument();
    const before = await files();
    const { files: storage } = world.running.services;
    const removal = storage.delete.bind(storage);
    storage.delete = () => Promise.reject(new Error('the disk is gone'));
    const answer = await remove(id, documentId);
    storage.delete = removal;
    expect([answer.status, await files()]).toEqual([204, before]);
    expect((await world.get(id)).body.documents).toEqual([]);
  });
});
