/** API tests of documents of cases and of businesses: what is stored and served, and what is refused. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { newBusiness } from '../operations/business-records.ts';
import { newCase } from '../operations/case-records.ts';
import { REFUSED_FILES, REFUSED_FORMS } from '../support/refused-uploads.ts';
import { type Answer, type Problem, useService } from '../support/service.ts';
import { jpeg, pdf, png, webp } from '../support/specimens.ts';
import { form, refusal, type UploadFields } from './applications-world.ts';

type Schemas = components['schemas'];
type Uploaded = Schemas['Document'] & Pick<Problem, 'code' | 'errors'>;

const service = await useService();

describe.each([
  ['case', '/v1/cases', newCase],
  ['business', '/v1/businesses', newBusiness],
] as const)('a document of a %s', async (_, collection, make) => {
  const tenant = await service.tenant();
  const [analyst, officer] = await Promise.all([tenant.user('analyst'), tenant.user('compliance_officer')]);
  const open = (): Promise<string> => make(service, tenant);
  const read = async (id: string): Promise<Pick<Schemas['Business'], 'documents' | 'evidenceDigest'>> =>
    (await service.request<Schemas['Business']>('GET', `${collection}/${id}`, { as: officer })).body;
  const upload = (id: string, file: Buffer, fields?: UploadFields): Promise<Answer<Uploaded>> =>
    service.request('POST', `${collection}/${id}/documents`, { as: analyst, body: form(file, fields) });
  const sizes = (bytes: number) =>
    service.database.sql('UPDATE document SET size_bytes = $2 WHERE tenant_id = $1', [tenant.id, bytes]);

  it.each([
    ['image/jpeg', jpeg()],
    ['image/png', png()],
    ['image/webp', webp()],
    ['application/pdf', pdf()],
  ])('is served in the format %s, in which it was sent', async (contentType, file) => {
    const id = await open();
    const { status, body } = await upload(id, file);
    expect([status, body.mimeType]).toEqual([201, contentType]);
    const { headers } = await service.request('GET', `${collection}/${id}/documents/${body.id}/content`, {
      as: analyst,
    });
    expect(headers.get('content-type')).toBe(contentType);
  });

  it('is stored once, however often it is sent', async () => {
    const id = await open();
    const first = await upload(id, jpeg());
    const again = await upload(id, jpeg());
    expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id]);
    expect((await read(id)).documents).toHaveLength(1);
  });

  it.each(REFUSED_FILES)('%s is refused and leaves everything as it was', async (_, expected, file, fields) => {
    const id = await open();
    const { documents, evidenceDigest } = await read(id);
    expect(refusal(await upload(id, file, { fileName: 'x', ...fields })).slice(0, 2)).toEqual(expected);
    expect(await read(id)).toMatchObject({ documents, evidenceDigest });
  });

  it('is refused unless there is exactly one file, sent as a file, in readable parts', async () => {
    const path = `${collection}/${await open()}/documents`;
    const answers = await Promise.all(
      REFUSED_FORMS.map(([request]) => service.request<Problem>('POST', path, { as: analyst, ...request() })),
    );
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(REFUSED_FORMS.map(([, code]) => code));
  });

  it('is refused beyond 150 MiB of documents, and beyond the storage of the tenant', async () => {
    const id = await open();
    await upload(id, jpeg());
    await sizes(150 * 1024 * 1024 - 1000);
    expect(refusal(await upload(id, png()))).toEqual([409, 'document_limit']);
    await service.database.sql(`UPDATE tenant SET quotas = '{"storageGb": 1}' WHERE id = $1`, [tenant.id]);
    await sizes(1024 ** 3);
    expect(refusal(await upload(await open(), png()))).toEqual([409, 'quota_exceeded']);
  });
});

it('a withdrawn business takes no document but one that it has', async () => {
  const { acme } = service;
  const [id, as] = [await newBusiness(service, acme), await acme.key(['kyb'])];
  const upload = (file: Buffer) =>
    service.request<Uploaded>('POST', `/v1/businesses/${id}/documents`, { as, body: form(file) });
  const first = await upload(jpeg());
  await service.request('POST', `/v1/businesses/${id}/withdraw`, { as, body: { reasonCode: 'duplicate' } });
  expect(refusal(await upload(png()))).toEqual([409, 'business_closed']);
  const again = await upload(jpeg());
  expect([again.status, again.body.id]).toEqual([200, first.body.id]);
});
