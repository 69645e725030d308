/** API tests of documents of a case: what is stored and served, and what is refused. */
import { describe, expect, it } from 'vitest';
import type { components } from '../../server/contract/generated/client-types.ts';
import { REFUSED_FILES, REFUSED_FORMS } from '../support/refused-uploads.ts';
import type { Answer, Problem } from '../support/service.ts';
import { jpeg, pdf, png, webp } from '../support/specimens.ts';
import { form, type UploadFields } from './applications-world.ts';
import { refusalOf, startCasesWorld } from './cases-world.ts';

type Uploaded = components['schemas']['Document'] & Pick<Problem, 'code' | 'errors'>;

const { service, tenant, analyst, open, read } = await startCasesWorld();
const upload = (id: string, file: Buffer, fields?: UploadFields): Promise<Answer<Uploaded>> =>
  service.request('POST', `/v1/cases/${id}/documents`, { as: analyst.as, body: form(file, fields) });
const sizes = (bytes: number) =>
  service.database.sql('UPDATE document SET size_bytes = $2 WHERE tenant_id = $1', [tenant.id, bytes]);

describe('a document of a case', () => {
  it.each([
    ['image/jpeg', jpeg()],
    ['image/png', png()],
    ['image/webp', webp()],
    ['application/pdf', pdf()],
  ])('is served in the format %s, in which it was sent', async (contentType, file) => {
    const id = await open();
    const { status, body } = await upload(id, file);
    expect([status, body.mimeType]).toEqual([201, contentType]);
    const { headers } = await service.request('GET', `/v1/cases/${id}/documents/${body.id}/content`, {
      as: analyst.as,
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

  it.each(REFUSED_FILES)('%s is refused and leaves the case as it was', async (_, expected, file, fields) => {
    const id = await open();
    const { documents, evidenceDigest } = await read(id);
    expect(refusalOf(await upload(id, file, { fileName: 'x', ...fields })).slice(0, 2)).toEqual(expected);
    expect(await read(id)).toMatchObject({ documents, evidenceDigest });
  });

  it('is refused unless there is exactly one file, sent as a file, in readable parts', async () => {
    const path = `/v1/cases/${await open()}/documents`;
    const answers = await Promise.all(
      REFUSED_FORMS.map(([request]) => service.request<Problem>('POST', path, { as: analyst.as, ...request() })),
    );
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(REFUSED_FORMS.map(([, code]) => code));
  });

  it('is refused beyond the 150 MiB of a case, and beyond the storage of the tenant', async () => {
    const id = await open();
    await upload(id, jpeg());
    await sizes(150 * 1024 * 1024 - 1000);
    expect(refusalOf(await upload(id, png()))).toEqual([409, 'document_limit']);
    await service.database.sql(`UPDATE tenant SET quotas = '{"storageGb": 1}' WHERE id = $1`, [tenant.id]);
    await sizes(1024 ** 3);
    expect(refusalOf(await upload(await open(), png()))).toEqual([409, 'quota_exceeded']);
  });
});
