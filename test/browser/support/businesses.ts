/** Creates companies in each state beside the browser. Used by the browser tests of companies. */
import type { components } from '../../../server/contract/generated/client-types.ts';
import { newCnpj } from '../../operations/business-records.ts';
import { api } from './api.ts';
import { newName } from './applications.ts';
import type { Person } from './people.ts';

type Schemas = components['schemas'];
export type Business = Schemas['Business'];

export const pathOf = ({ id }: Pick<Business, 'id'>): string => `/businesses/${id}`;

/** Records a company, by default a limited company of the basic level. */
export function recorded(
  { token }: Person,
  legalName: string = newName('Padaria'),
  members: Partial<Schemas['BusinessCreate']> = {},
): Promise<Business> {
  return api('POST', '/v1/businesses', {
    token,
    body: {
      legalName,
      legalForm: 'ltda',
      level: 'basic',
      registration: { type: 'cnpj', number: newCnpj() },
      ...members,
    },
  });
}

export async function submitted(by: Person): Promise<Business> {
  const { id } = await recorded(by);
  return api('POST', `/v1/businesses/${id}/submit`, { token: by.token });
}

export const read = ({ token }: Person, { id }: Pick<Business, 'id'>): Promise<Business> =>
  api('GET', `/v1/businesses/${id}`, { token });
