/** Creates companies in each state beside the browser. Used by the browser tests of companies. */
import type { components } from '../../../server/contract/generated/client-types.ts';
import { jpeg } from '../../support/specimens.ts';
import { companies } from '../../../server/providers/personas/index.ts';
import { newCnpj } from '../../operations/business-records.ts';
import { api } from './api.ts';
import { newName } from './applications.ts';
import type { Person } from './people.ts';
import { baseUrl } from './service.ts';

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

/** Approves a company of the basic level: one person waives and proposes, another confirms. */
export async function decided(by: Person, other: Person): Promise<Business> {
  const one = await submitted(by);
  const at = `/v1/businesses/${one.id}`;
  const note = 'The register and the articles agree.';
  for (const requirementKey of ['registry_active', 'account_protection_clear'])
    await api('POST', `${at}/waivers`, {
      token: other.token,
      body: {
        action: 'granted',
        requirementKey,
        reasonCode: 'not_obtainable',
        note,
      },
    });
  const { evidenceDigest } = await read(by, one);
  const { id } = await api<Schemas['Decision']>('POST', `${at}/decisions`, {
    token: by.token,
    body: {
      outcome: 'approve',
      reasonCodes: ['identity_confirmed'],
      note,
      evidenceDigest,
    },
  });
  await api('POST', `${at}/decisions/${id}/review`, {
    token: other.token,
    body: { verdict: 'confirm', note, evidenceDigest },
  });
  return one;
}

export const read = ({ token }: Person, { id }: Pick<Business, 'id'>): Promise<Business> =>
  api('GET', `/v1/businesses/${id}`, { token });

/** Adds a document, by default a picture of the articles. */
export async function addDocument(
  { token }: Person,
  { id }: Pick<Business, 'id'>,
  file = new Blob([new Uint8Array(jpeg({ text: newName() }))], { type: 'image/jpeg' }),
): Promise<Schemas['Document']> {
  const body = new FormData();
  body.append('type', 'articles');
  body.append('file', file, 'contrato.jpg');
  const response = await fetch(`${baseUrl}/v1/businesses/${id}/documents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body,
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Schemas['Document'];
}

const PEOPLE = [
  {
    key: 'ana',
    kind: 'person',
    name: 'Ana Prado',
    roles: ['director'],
  },
  {
    key: 'bia',
    kind: 'person',
    name: 'Bia Prado',
    roles: ['director'],
  },
] as const;

/** Records two directors who own a company in halves. */
export async function owned(by: Person, { id }: Pick<Business, 'id'>): Promise<void> {
  const edges = PEOPLE.map(({ key }) => ({
    owner: key,
    owned: 'root',
    capitalPercent: 50,
    source: 'declared',
  }));
  await api('PUT', `/v1/businesses/${id}/ownership`, {
    token: by.token,
    ifMatch: '"0"',
    body: { bearerShares: false, parties: PEOPLE, edges },
  });
}

/** Drafts articles by which both directors sign together, and one of them up to R$ 1,000. */
export async function drafted(by: Person, one: Pick<Business, 'id'>): Promise<Schemas['Power']> {
  await owned(by, one);
  const { id: documentId } = await addDocument(by, one);
  const body: Schemas['PowerCreate'] = {
    type: 'articles',
    documentId,
    validFrom: '2024-01-15',
    groups: [{ key: 'directors', members: PEOPLE.map(({ key }) => ({ partyKey: key })) }],
    rules: [
      {
        key: 'both',
        clause: 'Clause 7',
        actTypes: ['*'],
        formula: { all: [{ party: 'ana' }, { party: 'bia' }] },
        sourceText: 'Both directors sign together.',
      },
      {
        key: 'one',
        clause: 'Clause 8',
        actTypes: ['*'],
        maxAmount: { amount: 100_000, currency: 'BRL' },
        formula: { group: 'directors' },
      },
    ],
  };
  return api('POST', `/v1/businesses/${one.id}/powers`, { token: by.token, body });
}

/** Confirms the powers of a company, by somebody else than who drafted them. */
export async function confirmed(by: Person, one: Pick<Business, 'id'>): Promise<void> {
  const { documents = [] } = await read(by, one);
  const { items } = await api<Schemas['PowerList']>('GET', `/v1/businesses/${one.id}/powers`, { token: by.token });
  for (const { id, documentId, evidenceDigest } of items)
    await api('POST', `/v1/businesses/${one.id}/powers/${id}/confirm`, {
      token: by.token,
      body: {
        evidenceDigest,
        sourceDocumentSha256: documents.find((document) => document.id === documentId)?.originalSha256,
      },
    });
}

/** Returns a company of the sandbox whose registry answers. Each can be recorded once. */
export async function persona(by: Person, key: string): Promise<Business> {
  const { name, taxId } = companies.find((one) => one.key === key)!;
  const one = await recorded(by, `${name} de Fora`, { registration: { type: 'cnpj', number: taxId } });
  await api('POST', `/v1/businesses/${one.id}/registry`, { token: by.token });
  return one;
}
