import { success } from '../support/api.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';
import { type Calls, unique } from './call.ts';

/** Returns an alphanumeric CNPJ that no other test uses. */
export function newCnpj(): string {
  const root = `${unique().slice(0, 8)}0001`.toUpperCase();
  const digit = (characters: string): string => {
    let sum = 0;
    for (let i = 0; i < characters.length; i++)
      sum += (characters.charCodeAt(i) - 48) * (2 + ((characters.length - 1 - i) % 8));
    return String(sum % 11 < 2 ? 0 : 11 - (sum % 11));
  };
  const first = digit(root);
  return `${root}${first}${digit(root + first)}`;
}

/** Records a business of a tenant and returns its id. */
export async function newBusiness(service: TestService, tenant: Tenant, as?: Credential): Promise<string> {
  const { body } = await success(
    service.api.POST('/v1/businesses', {
      headers: as ?? (await tenant.key(['kyb'])),
      body: { legalName: 'Padaria Aurora Ltda', registration: { type: 'cnpj', number: newCnpj() }, legalForm: 'ltda' },
    }),
    201,
  );
  return body.id;
}

export const businessCalls: Calls<'createBusiness' | 'listBusinesses' | 'getBusiness' | 'updateBusiness'> = {
  createBusiness: {
    arrange: () => Promise.resolve({ body: { externalId: unique() } }),
    body: () => ({
      legalName: 'Padaria Aurora Ltda',
      tradeName: 'Padaria Aurora',
      registration: { type: 'cnpj', number: newCnpj(), country: 'BR' },
      legalForm: 'ltda',
    }),
    otherBody: () => ({
      legalName: 'Aurora Bakery GmbH',
      tradeName: 'Aurora',
      registration: { type: 'other', number: unique().toUpperCase(), country: 'DE' },
      legalForm: 'foreign',
    }),
  },
  listBusinesses: {},
  getBusiness: {},
  updateBusiness: {
    arrange: () => Promise.resolve({ body: { externalId: unique() } }),
    body: () => ({ legalName: 'Aurora Pães Ltda', tradeName: 'Aurora Pães', legalForm: 'slu' }),
    otherBody: () => ({ legalName: 'Aurora Participações S.A.', tradeName: 'Aurora Par', legalForm: 'sa_closed' }),
  },
};
