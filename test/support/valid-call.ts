import { randomBytes } from 'node:crypto';
import type { components } from '../../server/contract/generated/types.ts';
import type { Operation, OperationId } from '../../server/contract/operation.ts';
import { createUser } from '../../server/groups/auth/index.ts';
import { credentialOf, encode, exampleCall, type ExampleCall } from './example-call.ts';
import { exampleBodies, isPublic, operation as operationOf } from './operations.ts';
import { PASSWORD, type Answer, type Call, type Tenant, type TestService } from './service.ts';

type Schemas = components['schemas'];

/** A request that succeeds: an example of the contract, about records that exist, from somebody who may. */
export async function validCall(service: TestService, tenant: Tenant, operation: Operation, example = exampleBodies(operation)[0]): Promise<Required<ExampleCall>> {
  const known = await knownToTheCaller[operation.operationId]?.(service, tenant);
  const body = example && { ...example, value: { ...example.value, ...known } };
  const { call, ...request } = exampleCall(operation, await paramsOf(service, tenant, operation), body);
  return { ...request, call: { ...call, ...!isPublic(operation) && { as: await credentialOf(tenant, operation) } } };
}

export async function send<T>(service: TestService, { method, path, call }: ExampleCall, more: Call = {}): Promise<Answer<T>> {
  return service.request<T>(method, path, { ...call, ...more, headers: { ...call.headers, ...more.headers } });
}

/** What no example can hold: secrets, and what must be new. */
const knownToTheCaller: Partial<Record<OperationId, (service: TestService, tenant: Tenant) => Promise<Record<string, string>>>> = {
  createApplication: () => Promise.resolve({ externalId: randomBytes(8).toString('hex') }),
  createToken: async (_, tenant) => {
    const secret = (await tenant.key(['read', 'write']))['X-API-Key'] ?? '';
    return { client_id: secret.slice(0, 'kyc_live_00000000'.length), client_secret: secret };
  },
  login: async ({ database }, tenant) => {
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    await database.database.platform({ tenantId: tenant.id }, (tx) => createUser(tx, tenant.id, { email, name: 'Ana Souza', password: PASSWORD, role: 'owner' }));
    return { email, password: PASSWORD };
  },
  refreshToken: async (service, tenant) => {
    const pair = await send<Schemas['TokenPair']>(service, await validCall(service, tenant, operationOf('login')));
    return { refreshToken: pair.body.refreshToken };
  },
};

/** A new record for each path parameter of the operation. */
export async function paramsOf(service: TestService, tenant: Tenant, { path }: Pick<Operation, 'path'>): Promise<Record<string, string>> {
  const params: Record<string, string> = {};
  if (path.includes('{prefix}')) params['prefix'] = await newKey(service, tenant);
  if (path.includes('{applicationId}')) params['applicationId'] = await newApplication(service, tenant);
  if (path.includes('{documentId}')) params['documentId'] = await newDocument(service, tenant, params['applicationId'] ?? '');
  return params;
}

async function newKey(service: TestService, tenant: Tenant): Promise<string> {
  const { body } = await service.request<Schemas['ApiKeyIssued']>('POST', '/v1/settings/api-keys', {
    as: await tenant.key(['admin']), body: { name: 'Back end', environment: 'live', scopes: ['read', 'write'] },
  });
  return body.apiKey.prefix;
}

/** The example of the contract for another person, complete enough to be submitted as it is. */
export async function newApplication(service: TestService, tenant: Tenant, as?: Call['as']): Promise<string> {
  const value = exampleBodies(operationOf('createApplication'))[0]?.value as Schemas['ApplicationCreate'] | undefined;
  const unique = randomBytes(8).toString('hex');
  const { body, text } = await service.request<Schemas['Application']>('POST', '/v1/applications', {
    as: as ?? await tenant.key(['write']),
    body: { ...value, level: 'basic', externalId: unique, applicant: { ...value?.applicant, taxId: { type: 'other', value: unique, country: 'US' } } },
  });
  if (body.id === undefined) throw new Error(text);
  return body.id;
}

export async function newDocument(service: TestService, tenant: Tenant, applicationId: string, as?: Call['as']): Promise<string> {
  const [example] = exampleBodies(operationOf('uploadDocument'));
  if (example === undefined) throw new Error('the contract shows no upload');
  const { body, text } = await service.request<Schemas['Document']>('POST', `/v1/applications/${applicationId}/documents`, {
    as: as ?? await tenant.key(['write']), ...encode(example),
  });
  if (body.id === undefined) throw new Error(text);
  return body.id;
}
