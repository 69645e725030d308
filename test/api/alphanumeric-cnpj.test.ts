/** Tests that CNPJs with letters filter lists, also over several pages, however they are written. */
import { describe, expect, it } from 'vitest';
import { newCnpj } from '../operations/business-records.ts';
import { success } from '../support/api.ts';
import { each } from '../support/each.ts';
import { useService } from '../support/service.ts';

const service = await useService();
const lowerCase = (number: string): string => number.toLowerCase();
const punctuated = (number: string): string => number.replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5');

describe('a CNPJ with letters', () => {
  it('finds the applications of a company, page by page, in each way of writing it', async () => {
    const tenant = await service.tenant();
    const [writer, officer] = [await tenant.key(['write']), await tenant.user('compliance_officer')];
    const number = newCnpj();
    const ids: string[] = [];
    for (const value of each([number, punctuated(number), number, newCnpj()])) {
      const { body } = await success(
        service.api.POST('/v1/applications', {
          headers: writer,
          body: {
            purpose: 'merchant_onboarding',
            applicant: { fullName: 'Padaria Aurora Ltda', taxId: { type: 'cnpj', value } },
          },
        }),
        201,
      );
      ids.push(body.id);
      service.advance(1000);
    }
    const list = async (query: object) =>
      (await success(service.api.GET('/v1/applications', { params: { query }, headers: officer }))).body;
    for (const taxId of each([number, punctuated(number), lowerCase(number)])) {
      const first = await list({ taxId, limit: 2, sort: 'createdAt' });
      const rest = await list({
        taxId,
        limit: 2,
        sort: 'createdAt',
        cursor: first.cursor,
      });
      expect([first, rest].map(({ items }) => items.map(({ id }) => id))).toEqual([ids.slice(0, 2), [ids[2]]]);
    }
  });

  it('finds a business, and a cursor of one number is refused for another', async () => {
    const tenant = await service.tenant();
    const as = await tenant.key(['kyb']);
    const number = newCnpj();
    const record = async (value: string) =>
      (
        await success(
          service.api.POST('/v1/businesses', {
            headers: as,
            body: {
              legalName: 'Padaria Aurora Ltda',
              legalForm: 'ltda',
              registration: { type: 'cnpj', number: value },
            },
          }),
          201,
        )
      ).body.id;
    const [id] = [await record(number), await record(newCnpj())];
    const list = (query: object) => service.api.GET('/v1/businesses', { params: { query }, headers: as });
    for (const registrationNumber of each([number, punctuated(number), lowerCase(number)])) {
      const page = (await success(list({ registrationNumber, limit: 1 }))).body;
      expect([page.items.map(({ id }) => id), page.hasMore]).toEqual([[id], false]);
    }
    const { cursor } = (await success(list({ limit: 1 }))).body;
    const refused = await list({ registrationNumber: number, limit: 1, cursor });
    expect([refused.response.status, refused.error?.code]).toEqual([400, 'cursor_filter_mismatch']);
  });
});
