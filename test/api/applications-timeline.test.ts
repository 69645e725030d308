/** API tests of the timeline of an application: what it shows and to whom. */
import { describe, expect, it } from 'vitest';
import { refusal, refused, success } from '../support/api.ts';
import { shared, type Credential } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { newCpf } from '../support/cpf.ts';
import { person, startWorld } from './applications-world.ts';

const world = await shared(startWorld());
const timeline = (applicationId: string, as: Credential = world.key, query: { limit?: number; cursor?: string } = {}) =>
  world.api.GET('/v1/applications/{applicationId}/timeline', {
    params: { path: { applicationId }, query },
    headers: as,
  });

/**
 * Creates an application with a change, a document and an end, beside another one that must not be mixed up with it.
 */
async function story(): Promise<{ readonly id: string; readonly documentId: string }> {
  const applicant = { ...person, taxId: { type: 'cpf', value: newCpf() } };
  const [{ id }] = [await world.complete({ applicant }), await world.complete()];
  await world.request('PATCH', `/v1/applications/${id}`, {
    as: world.key,
    body: { channel: 'mobile', applicant: { email: 'maria@example.com' } },
  });
  const {
    body: { id: documentId },
  } = await world.upload(id, jpeg({ text: id }));
  const analyst = await world.acme.user('analyst');
  await world.request('POST', `/v1/applications/${id}/submit`, { as: analyst });
  await world.request('POST', `/v1/applications/${id}/withdraw`, {
    as: analyst,
    body: { reasonCode: 'duplicate', note: 'Secret note' },
  });
  return { id, documentId };
}

describe('the timeline of an application', () => {
  it('shows who did what, newest first, with status, document and changed members, and no value', async () => {
    const { id, documentId } = await story();
    const {
      body: { items, hasMore, cursor },
    } = await success(timeline(id));
    expect([hasMore, cursor]).toEqual([false, null]);
    expect(items.map(({ type, status, actor }) => [type, status, actor.type, actor.display])).toEqual([
      ['application.withdrawn', 'withdrawn', 'user', 'Ana Souza'],
      ['application.submitted', 'in_review', 'user', 'Ana Souza'],
      ['risk.assessed', null, 'system', 'Risk assessment'],
      ['document.uploaded', null, 'api_key', 'Back end'],
      ['application.updated', null, 'api_key', 'Back end'],
      ['application.created', 'draft', 'api_key', 'Back end'],
    ]);
    expect(items[3]).toMatchObject({ documentId, documentType: 'passport', members: [] });
    expect(items[4]?.members).toEqual(['/channel', '/applicant/email']);
    expect(JSON.stringify(items)).not.toMatch(/maria@example|Secret note/);
  });

  it('is read by every role that reads the application, and reading it leaves no event', async () => {
    const { id } = await story();
    const events = (await world.acme.audit()).length;
    for (const role of ['owner', 'admin', 'compliance_officer', 'analyst', 'developer', 'auditor', 'viewer'] as const) {
      expect((await success(timeline(id, await world.acme.user(role)))).body.items).toHaveLength(6);
    }
    expect(await world.acme.audit()).toHaveLength(events);
  });

  it('omits refusals and downloads, which are for the audit log', async () => {
    const { id, documentId } = await story();
    await world.request('GET', `/v1/applications/${id}/documents/${documentId}/content`, { as: world.key });
    expect((await world.request('POST', `/v1/applications/${id}/submit`, { as: world.key })).status).toBe(409);
    expect((await success(timeline(id))).body.items).toHaveLength(6);
  });

  it('continues from page to page, with a cursor of its own', async () => {
    const [{ id }, other] = [await story(), await story()];
    const first = (await success(timeline(id, world.key, { limit: 2 }))).body;
    const second = (await success(timeline(id, world.key, { limit: 4, cursor: first.cursor! }))).body;
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
    expect([...first.items, ...second.items].map((one) => one.id)).toEqual(
      (await success(timeline(id))).body.items.map((one) => one.id),
    );
    expect(refused(await refusal(timeline(other.id, world.key, { cursor: first.cursor! })))[0]).toBe(400);
  });

  it('is not found if the application is not', async () => {
    const { id } = await story();
    expect((await refusal(timeline(id, await world.other.key(['read'])))).status).toBe(404);
  });
});
