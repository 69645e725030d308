/** Calls of the operations on powers and signing evaluations, and the records that they need. */
import type { components } from '../../server/contract/generated/client-types.ts';
import { multipart, success } from '../support/api.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';
import { jpeg } from '../support/specimens.ts';
import { type Calls, unique } from './call.ts';
import { newOwnedBusiness } from './ownership.ts';

type Schemas = components['schemas'];
type Instrument = Schemas['PowerCreate'];

/** Articles by which two directors sign together, and one alone up to R$ 100,000. */
export const articles: Instrument = {
  type: 'articles',
  validFrom: '2024-01-15',
  registeredOn: '2024-01-15',
  groups: [{ key: 'directors', members: [{ partyKey: 'ana' }, { partyKey: 'bruno' }] }],
  rules: [
    {
      key: 'two',
      actTypes: ['*'],
      formula: { atLeast: 2, of: [{ group: 'directors' }, { group: 'directors' }] },
      canDelegate: true,
      clause: 'Cláusula 7ª',
    },
    {
      key: 'one',
      actTypes: ['*'],
      maxAmount: { amount: 10_000_000, currency: 'BRL' },
      formula: { group: 'directors' },
      clause: 'Cláusula 7ª, §2º',
    },
  ],
};

/** Uploads a document of a business that no other one is equal to. */
export async function newBusinessDocument(
  service: TestService,
  tenant: Tenant,
  businessId: string,
): Promise<{ readonly id: string; readonly sha256: string }> {
  const { body } = await success(
    service.api.POST('/v1/businesses/{businessId}/documents', {
      params: { path: { businessId } },
      headers: await tenant.key(['kyb']),
      body: { type: 'articles', side: 'single', file: new Blob([new Uint8Array(jpeg({ text: unique() }))]) },
      bodySerializer: multipart,
    }),
    201,
  );
  return { id: body.id, sha256: body.originalSha256 };
}

/** Drafts a power as an analyst who proposes. */
export async function newPower(
  service: TestService,
  tenant: Tenant,
  businessId: string,
  { as, ...body }: Partial<Instrument> & { readonly as?: Credential } = {},
): Promise<Schemas['Power']> {
  const { body: made } = await success(
    service.api.POST('/v1/businesses/{businessId}/powers', {
      params: { path: { businessId } },
      headers: as ?? (await tenant.user('analyst', { purpose: 'proposes' })),
      body: { ...articles, ...body },
    }),
    201,
  );
  return made;
}

/** Drafts a power with a document, and returns what its confirmation states. */
export async function newConfirmable(
  service: TestService,
  tenant: Tenant,
  businessId: string,
  body: Partial<Instrument> = {},
): Promise<{ readonly powerId: string; readonly confirmation: Schemas['PowerConfirm'] }> {
  const document = await newBusinessDocument(service, tenant, businessId);
  const { id, evidenceDigest = '' } = await newPower(service, tenant, businessId, { ...body, documentId: document.id });
  return { powerId: id, confirmation: { evidenceDigest, sourceDocumentSha256: document.sha256 } };
}

/** Records a power that a second person has confirmed, and returns its id. */
export async function newActivePower(
  service: TestService,
  tenant: Tenant,
  businessId: string,
  body: Partial<Instrument> = {},
): Promise<string> {
  const { powerId, confirmation } = await newConfirmable(service, tenant, businessId, body);
  await success(
    service.api.POST('/v1/businesses/{businessId}/powers/{powerId}/confirm', {
      params: { path: { businessId, powerId } },
      headers: await tenant.user('compliance_officer'),
      body: confirmation,
    }),
  );
  return powerId;
}

export async function newEvaluation(
  service: TestService,
  tenant: Tenant,
  businessId: string,
  { as, ...body }: Partial<Schemas['SigningEvaluationCreate']> & { readonly as?: Credential } = {},
): Promise<Schemas['SigningEvaluation']> {
  const { body: made } = await success(
    service.api.POST('/v1/businesses/{businessId}/signing-evaluations', {
      params: { path: { businessId } },
      headers: as ?? (await tenant.key(['kyb'])),
      body: { act: { type: 'borrow' }, ...body },
    }),
    201,
  );
  return made;
}

const rule = { key: 'all', actTypes: ['*'], formula: { group: 'directors' } } as const;
const completeRule = {
  ...rule,
  excludeActTypes: ['sell_real_estate'],
  maxAmount: { amount: 500, currency: 'BRL' },
  formula: { all: [{ party: 'ana' }, { any: [{ group: 'directors' }, { role: 'director' }] }] },
  conditions: [{ kind: 'prior_resolution', body: 'The meeting of the members' }],
  canDelegate: true,
  territory: 'PR/Curitiba',
  clause: 'Cláusula 7ª',
  sourceText: 'Os diretores assinam\nem conjunto.',
  anchor: { page: 3, firstWord: 1, lastWord: 9 },
} as const;

const members = { termFrom: '2024-01-15', termUntil: '2027-01-14' };
const instrument = () =>
  ({
    type: 'power_of_attorney',
    registryOffice: 'Junta Comercial do Paraná',
    registeredOn: '2024-01-15',
    registryNumber: '20240012345',
    validFrom: '2024-01-15',
    validUntil: '2027-01-14',
    groups: [{ key: 'directors', members: [{ partyKey: 'bruno', ...members }] }],
    rules: [completeRule],
    grantedBy: ['ana'],
    grantedOn: '2024-01-10',
  }) as unknown as Instrument;
const otherInstrument = (): Instrument => ({
  type: 'bylaws',
  registryOffice: null,
  registeredOn: null,
  registryNumber: null,
  validFrom: '2025-02-16',
  validUntil: null,
  groups: [],
  rules: [],
  grantedBy: [],
  grantedOn: null,
});

const LINKS = {
  '/documentId': 'documents are made before',
  '/grantorInstrumentId': 'powers are made before',
  '/supersedes': 'powers are made before',
};

export const powerCalls: Calls<
  | 'listPowers'
  | 'createPower'
  | 'getPower'
  | 'updatePower'
  | 'confirmPower'
  | 'revokePower'
  | 'listSigningEvaluations'
  | 'createSigningEvaluation'
  | 'getSigningEvaluation'
  | 'getSignatories'
> = {
  getSignatories: {},
  listPowers: {},
  createPower: {
    arrange: async (service, tenant) => {
      const businessId = await newOwnedBusiness(service, tenant);
      const [document, before] = [
        await newBusinessDocument(service, tenant, businessId),
        await newPower(service, tenant, businessId),
      ];
      return {
        params: { businessId },
        body: { documentId: document.id, grantorInstrumentId: before.id, supersedes: before.id },
      };
    },
    body: instrument,
    otherBody: otherInstrument,
    except: LINKS,
  },
  getPower: {},
  updatePower: {
    arrange: async (service, tenant) => {
      const businessId = await newOwnedBusiness(service, tenant);
      const [document, before, { id: powerId }] = [
        await newBusinessDocument(service, tenant, businessId),
        await newPower(service, tenant, businessId),
        await newPower(service, tenant, businessId),
      ];
      return {
        params: { businessId, powerId },
        body: { documentId: document.id, grantorInstrumentId: before.id, supersedes: before.id },
      };
    },
    body: instrument,
    otherBody: otherInstrument,
    except: LINKS,
  },
  confirmPower: {
    arrange: async (service, tenant) => {
      const businessId = await newOwnedBusiness(service, tenant);
      const { powerId, confirmation } = await newConfirmable(service, tenant, businessId);
      return { params: { businessId, powerId }, body: confirmation };
    },
    body: () => ({ note: 'Clause 7 agrees.' }),
    otherBody: () => ({ note: 'Clauses 7 and 8\nagree.' }),
    except: { '/evidenceDigest': 'the draft is made before', '/sourceDocumentSha256': 'the document is made before' },
  },
  revokePower: {
    arrange: async (service, tenant) => {
      const businessId = await newOwnedBusiness(service, tenant);
      const document = await newBusinessDocument(service, tenant, businessId);
      return {
        params: { businessId, powerId: (await newPower(service, tenant, businessId)).id },
        body: { documentId: document.id },
      };
    },
    body: () => ({ revokedAt: '2026-10-20T15:00:00.000Z', reasonCode: 'revoked_by_company' }),
    otherBody: () => ({ revokedAt: '2026-10-21T16:00:00.000Z', reasonCode: 'resigned' }),
    except: { '/documentId': 'documents are made before' },
  },
  listSigningEvaluations: {},
  createSigningEvaluation: {
    arrange: async (service, tenant) => ({ params: { businessId: await newOwnedBusiness(service, tenant) } }),
    body: () => ({
      act: {
        type: 'borrow',
        amount: { amount: 25_000_000, currency: 'BRL' },
        at: '2026-10-20T15:00:00.000Z',
        counterparty: 'bruno',
        conditionsMet: [{ kind: 'witness', documentId: '0197f301-2b1e-7d3a-a4c2-7e9b0d1f6a21' }],
        place: { state: 'PR', city: 'Curitiba' },
      },
      signers: [{ partyKey: 'ana', signedAt: '2026-10-20T14:00:00.000Z' }],
    }),
    otherBody: () => ({
      act: {
        type: 'move_funds',
        amount: { amount: 300, currency: 'USD' },
        at: '2026-10-21T16:00:00.000Z',
        counterparty: '11222333000181',
        conditionsMet: [],
        place: { state: 'SC', city: 'Joinville' },
      },
      signers: [{ taxId: '52998224725', signedAt: null }],
    }),
  },
  getSigningEvaluation: {},
};
