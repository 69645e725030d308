/** Calls of the operations on the owners of a business, and graphs recorded before a call about them. */
import type { components } from '../../server/contract/generated/client-types.ts';
import { success } from '../support/api.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';
import { newBusiness } from './business-records.ts';
import type { Calls } from './call.ts';

type Graph = components['schemas']['OwnershipReplace'];

/** Two owners, one of them through a holding, and two directors. */
export const graph: Graph = {
  parties: [
    {
      key: 'ana',
      kind: 'person',
      name: 'Ana Souza',
      taxId: '52998224725',
      roles: ['director'],
    },
    {
      key: 'bruno',
      kind: 'person',
      name: 'Bruno Lima',
      roles: ['director'],
    },
    { key: 'holding', kind: 'company', name: 'Aurora Participações Ltda' },
  ],
  edges: [
    {
      owner: 'ana',
      owned: 'holding',
      capitalPercent: 60,
      source: 'declared',
    },
    {
      owner: 'holding',
      owned: 'root',
      capitalPercent: 50,
      source: 'registry',
    },
    {
      owner: 'bruno',
      owned: 'root',
      capitalPercent: 30,
      source: 'registry',
    },
  ],
};

/** Records the next version of the owners of a business, by default the first. */
export async function newOwnership(
  service: TestService,
  tenant: Tenant,
  businessId: string,
  { as, version = 0 }: { readonly as?: Credential | undefined; readonly version?: number } = {},
): Promise<void> {
  await success(
    service.api.PUT('/v1/businesses/{businessId}/ownership', {
      params: { path: { businessId } },
      headers: { ...(as ?? (await tenant.key(['kyb']))), 'If-Match': `"${version}"` },
      body: graph,
    }),
  );
}

/** Records a business with owners and returns its id. */
export async function newOwnedBusiness(service: TestService, tenant: Tenant, as?: Credential): Promise<string> {
  const businessId = await newBusiness(service, tenant, as);
  await newOwnership(service, tenant, businessId, { as });
  return businessId;
}

const whole = {
  country: 'BR',
  dateOfBirth: null,
  terminal: false,
  terminalReason: null,
  validFrom: null,
  validTo: null,
  nomineeFor: null,
  bearerShares: false,
} as const;
const holding = {
  votingPercent: null,
  controlRight: null,
  validFrom: null,
  validTo: null,
  evidenceDocumentId: null,
};

export const ownershipCalls: Calls<
  'getOwnership' | 'replaceOwnership' | 'listOwnershipVersions' | 'getBeneficialOwners' | 'createPartyApplications'
> = {
  createPartyApplications: {
    arrange: async (service, tenant) => ({ params: { businessId: await newOwnedBusiness(service, tenant) } }),
    body: () => ({ parties: [{ partyKey: 'ana', fullName: 'Ana Souza' }], level: 'basic' }),
    otherBody: () => ({ parties: [{ partyKey: 'bruno', fullName: 'Bruno Lima' }], level: 'enhanced' }),
  },
  getOwnership: {
    arrange: async (service, tenant) => ({ params: { businessId: await newOwnedBusiness(service, tenant) } }),
  },
  replaceOwnership: {
    arrange: async (service, tenant) => ({
      params: { businessId: await newBusiness(service, tenant) },
      headers: { 'If-Match': '"0"' },
    }),
    body: () => ({
      parties: [
        {
          ...whole,
          key: 'ana',
          kind: 'person',
          name: 'Ana Souza',
          taxId: '52998224725',
          dateOfBirth: '1980-02-01',
          roles: ['director'],
          validFrom: '2024-01-01',
          validTo: '2030-12-31',
          nomineeFor: 'bruno',
        },
        {
          ...whole,
          key: 'bruno',
          kind: 'person',
          name: 'Bruno Lima',
          taxId: '***982247**',
          roles: [],
        },
        {
          ...whole,
          key: 'fund',
          kind: 'fund',
          name: 'Fundo Aurora',
          taxId: '11222333000181',
          roles: [],
          terminal: true,
          terminalReason: 'supervised by the securities commission',
          bearerShares: true,
        },
      ],
      edges: [
        {
          ...holding,
          owner: 'ana',
          owned: 'root',
          capitalPercent: 60.5,
          votingPercent: 51,
          source: 'document',
        },
        {
          ...holding,
          owner: 'fund',
          owned: 'root',
          capitalPercent: null,
          controlRight: 'veto',
          validFrom: '2024-01-01',
          validTo: '2030-12-31',
          source: 'registry',
        },
      ],
      bearerShares: true,
    }),
    otherBody: () => ({
      parties: [
        {
          ...whole,
          key: 'carla',
          kind: 'person',
          name: 'Carla Reis',
          taxId: null,
          roles: [],
          country: 'PT',
        },
      ],
      edges: [
        {
          ...holding,
          owner: 'carla',
          owned: 'root',
          capitalPercent: 100,
          source: 'declared',
        },
      ],
      bearerShares: false,
    }),
  },
  listOwnershipVersions: {
    arrange: async (service, tenant) => ({ params: { businessId: await newOwnedBusiness(service, tenant) } }),
  },
  getBeneficialOwners: {
    arrange: async (service, tenant) => ({ params: { businessId: await newOwnedBusiness(service, tenant) } }),
  },
};
