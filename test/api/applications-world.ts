/** Fixture of the tests of applications: a service, and short forms of the calls about them. */
import type { components } from '../../server/contract/generated/client-types.ts';
import type { components as sent } from '../../server/contract/generated/client-types.ts';
import { newCpf } from '../support/cpf.ts';
import {
  startTestService,
  type Answer,
  type Call,
  type Credential,
  type Options,
  type TestService,
} from '../support/service.ts';

export type Schemas = components['schemas'];
type ApplicationCreate = sent['schemas']['ApplicationCreate'];
export type Application = Schemas['Application'];
export type Document = Schemas['Document'];
export type List = Schemas['ApplicationList'];
/** Members of a problem that an expected answer does not have; tests read refusals with this type. */
export type Refusal = Pick<
  Schemas['Problem'],
  'code' | 'errors' | 'currentDigest' | 'changed' | 'items' | 'existingId' | 'currentStatus' | 'allowedTransitions'
>;

/** A service with a key that may read and write, and short forms of the calls that most tests make. */
export interface World extends TestService {
  readonly key: Credential;
  create(body?: object, as?: Credential, headers?: Call['headers']): Promise<Answer<Application & Refusal>>;
  get(id: string, as?: Credential): Promise<Answer<Application>>;
  upload(id: string, file: Buffer, fields?: UploadFields, as?: Credential): Promise<Answer<Document & Refusal>>;
  /** Creates a complete basic application, which can be submitted as it is. */
  complete(overrides?: object, as?: Credential): Promise<Application>;
}

export interface UploadFields extends Partial<Record<'type' | 'side' | 'country' | 'expiresOn', string>> {
  readonly fileName?: string;
  readonly contentType?: string;
}

export const person = { fullName: 'Maria da Silva', dateOfBirth: '1990-04-12' };
export const draft: ApplicationCreate = { purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } };

export async function startWorld(options?: Options): Promise<World> {
  const service = await startTestService(options);
  const key = await service.acme.key(['read', 'write']);
  const create: World['create'] = (body = draft, as = key, headers = {}) =>
    service.request('POST', '/v1/applications', { as, body, headers });
  return {
    ...service,
    key,
    create,
    get: (id, as = key) => service.request('GET', `/v1/applications/${id}`, { as }),
    upload: (id, file, fields = {}, as = key) =>
      service.request('POST', `/v1/applications/${id}/documents`, { as, body: form(file, fields) }),
    complete: async (overrides = {}, as = key) =>
      (
        await create(
          {
            purpose: 'account_opening',
            level: 'basic',
            applicant: { ...person, taxId: { type: 'cpf', value: newCpf() } },
            ...overrides,
          },
          as,
        )
      ).body,
  };
}

export function form(
  file: Buffer,
  { fileName = 'passport.jpg', contentType = '', type = 'passport', ...fields }: UploadFields = {},
): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries({ type, ...fields })) if (value !== undefined) data.set(name, value);
  data.set('file', new Blob([new Uint8Array(file)], { type: contentType }), fileName);
  return data;
}

/** Returns status, code and named members of a refusal. */
export const refusal = ({ status, body }: Answer<unknown>): unknown[] => {
  const { code, errors = [] } = body as Refusal;
  return [status, code, ...errors.map(({ pointer = '', code: what }) => `${pointer} ${what}`)];
};
