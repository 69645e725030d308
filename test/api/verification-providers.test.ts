/** Tests of who runs a verification: the settings of the tenant, and a vendor that the operator has connected. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Tenant } from '../support/service.ts';
import { startVendor } from '../support/vendor.ts';
import { LINES, startVerificationWorld } from './verifications-world.ts';

const vendor = await startVendor();
const folder = await mkdtemp(join(tmpdir(), 'connectors-'));
const file = join(folder, 'connectors.json');
await writeFile(
  file,
  JSON.stringify([
    {
      name: 'acme',
      version: '2026-1',
      url: vendor.url,
      token: 'token-of-the-vendor',
      types: ['document_ocr', 'face_match', 'liveness'],
    },
  ]),
);
afterAll(async () => {
  await vendor.stop();
  await rm(folder, { recursive: true });
});
const world = await startVerificationWorld({ VERIFICATION_CONNECTOR: file });

/** Asks for a comparison of a passport and a selfie that were just uploaded. */
async function compareFaces(tenant: Tenant, key: Awaited<ReturnType<Tenant['key']>>) {
  const applicationId = await world.apply(key);
  await world.basis(tenant, applicationId, key);
  const passport = await world.document(tenant, applicationId, key);
  const selfie = await world.upload(applicationId, { type: 'selfie' }, key);
  return world.start(key, {
    applicationId,
    type: 'face_match',
    inputs: { documentIds: [passport], selfieDocumentId: selfie },
  });
}

/** Sets who runs the types of verification of a new tenant. */
async function routed(providers: object): Promise<{ tenant: Tenant; key: Awaited<ReturnType<Tenant['key']>> }> {
  const tenant = await world.service.tenant();
  const as = await tenant.user('owner', { secondFactor: true });
  const { headers } = await world.request('GET', '/v1/settings', { as });
  const { status, text } = await world.request('PATCH', '/v1/settings', {
    as,
    body: { providers },
    headers: { 'If-Match': headers.get('etag') ?? '' },
  });
  if (status !== 200) throw new Error(text);
  return { tenant, key: await tenant.key(['read', 'write']) };
}

describe('the settings of providers', () => {
  it('send a document to the vendor, whose answer is stored under its name', async () => {
    vendor.behave('answers');
    const { tenant, key } = await routed({ documentOcr: { primary: 'connector' } });
    const applicationId = await world.apply(key);
    const passport = await world.document(tenant, applicationId, key);
    const { body } = await world.start(key, {
      applicationId,
      type: 'document_ocr',
      inputs: { documentIds: [passport] },
    });
    const ended = await world.ended(key, body.id);
    expect(ended).toMatchObject({
      status: 'passed',
      result: { provider: 'acme', providerVersion: '2026-1', confidence: 0.97 },
    });
    expect(ended.result?.extracted).toMatchObject({ documentNumber: { value: 'AB123456' }, lastName: null });
    const [call] = vendor.calls();
    expect(JSON.stringify(call?.body)).not.toContain(applicationId);
    expect(call?.body).toMatchObject({
      documents: [{ mediaType: 'image/jpeg', content: expect.stringMatching(/^\/9j/) }],
    });
  });

  it('send the frames of a challenge and a selfie, too', async () => {
    vendor.behave('answers');
    const { tenant, key } = await routed({ liveness: { primary: 'connector' } });
    const applicationId = await world.apply(key);
    await world.basis(tenant, applicationId, key);
    const challenge = (await world.challenge(key, applicationId)).body;
    await world.frames(key, challenge);
    const { body } = await world.start(key, {
      applicationId,
      type: 'liveness',
      inputs: { challengeId: challenge.id },
    });
    expect(await world.ended(key, body.id)).toMatchObject({ status: 'passed', result: { provider: 'acme' } });
    const { challenge: sent } = vendor.calls()[0]!.body as { challenge: { frames: string[]; actions: string[] } };
    expect([sent.frames.length, new Set(sent.frames).size, sent.actions]).toEqual([6, 6, challenge.actions]);
  });

  it('ask the second provider if the first is not configured, which reads lines', async () => {
    const { tenant, key } = await routed({ documentOcr: { primary: 'embedded', fallback: 'connector' } });
    vendor.behave('answers');
    const applicationId = await world.apply(key);
    const passport = await world.document(tenant, applicationId, key);
    const { body } = await world.start(key, {
      applicationId,
      type: 'document_ocr',
      inputs: { documentIds: [passport], mrzLines: LINES },
    });
    expect((await world.ended(key, body.id)).result).toMatchObject({ provider: 'acme' });
  });

  it('are an error, and no attempt, if the vendor gives no valid answer', async () => {
    vendor.behave({ says: '{"id": "v", "state": "done", "result": {"status": "passed", "checks": []}}' });
    const { tenant, key } = await routed({ documentOcr: { primary: 'connector' } });
    const applicationId = await world.apply(key);
    const passport = await world.document(tenant, applicationId, key);
    const start = () => world.start(key, { applicationId, type: 'document_ocr', inputs: { documentIds: [passport] } });
    const { body } = await start();
    expect(await world.ended(key, body.id)).toMatchObject({
      status: 'error',
      result: null,
      error: { code: 'provider_invalid_answer', retryable: false },
    });
    const again = (await start()).body;
    expect(again.attempt).toBe(1);
    expect(await world.ended(key, again.id)).toMatchObject({ status: 'error' });
  });

  it('refuse a type that nobody runs, and say why', async () => {
    const { key } = await routed({});
    const applicationId = await world.apply(key);
    const registry = await world.start(key, { applicationId, type: 'registry', registrySource: 'receita_cpf' });
    expect([registry.status, registry.body.code]).toEqual([409, 'provider_not_configured']);
    expect(registry.body.detail).toMatch(/VERIFICATION_CONNECTOR/);
  });

  it('refuse faces that the service would compare by itself, while the operator has switched that off', async () => {
    const { tenant, key } = await routed({});
    const { status, body } = await compareFaces(tenant, key);
    expect([status, body.code]).toEqual([409, 'provider_not_configured']);
    expect(body.detail).toMatch(/reader of faces off \(VERIFICATION=off\)\. Attest the check\./);
  });

  it('refuse a type for which the tenant names nobody, although the vendor runs it', async () => {
    const { tenant, key } = await routed({ faceMatch: { primary: null } });
    const { status, body } = await compareFaces(tenant, key);
    expect([status, body.code, body.detail]).toEqual([
      409,
      'provider_not_configured',
      expect.stringMatching(/`providers`/),
    ]);
  });

  it('give no answer about a document that was deleted before it was read', async () => {
    vendor.behave('answers');
    const { tenant, key } = await routed({ documentOcr: { primary: 'connector' } });
    const applicationId = await world.apply(key);
    const passport = await world.document(tenant, applicationId, key);
    const { body } = await world.start(key, {
      applicationId,
      type: 'document_ocr',
      inputs: { documentIds: [passport] },
    });
    const deleted = await world.request('DELETE', `/v1/applications/${applicationId}/documents/${passport}`, {
      as: key,
    });
    expect(deleted.status).toBe(204);
    expect(await world.ended(key, body.id)).toMatchObject({ status: 'error', result: null });
    expect(vendor.calls()).toEqual([]);
  });
});
