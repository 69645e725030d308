import { expect } from 'vitest';
import type { Operation, OperationId, SchemeName } from '../../server/contract/operation.ts';
import type { Role, Scope } from '../../server/contract/principal.ts';
import { exampleBodies, isPublic, parametersOf, requiredHeaders, type ExampleBody } from './operations.ts';
import type { Answer, Call, Credential, PersonOptions, Tenant, TestService } from './service.ts';
import { jpeg } from './specimens.ts';

/** A request that the contract shows: its first example of a body and its examples of path parameters, unless told otherwise. */
export interface ExampleCall {
  readonly method: string;
  readonly path: string;
  readonly call: Call;
}

export function exampleCall(operation: Operation, params: Readonly<Record<string, string>> = {}, body = exampleBodies(operation)[0]): ExampleCall {
  const shown = new Map(parametersOf(operation).map(({ name, example }) => [name, String(example)]));
  return {
    method: operation.method.toUpperCase(),
    path: operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? shown.get(name) ?? '')),
    call: body === undefined ? {} : encode(body),
  };
}

/** A body as its media type wants it; in multipart forms the member `file` stands for a small picture of that name. */
export function encode({ mediaType, value }: Pick<ExampleBody, 'mediaType' | 'value'>): Pick<Call, 'body' | 'headers'> {
  if (mediaType === 'application/x-www-form-urlencoded') return { body: new URLSearchParams(value as Record<string, string>) };
  if (mediaType !== 'multipart/form-data') return { body: JSON.stringify(value), headers: { 'Content-Type': mediaType } };
  const form = new FormData();
  for (const [name, member] of Object.entries(value)) {
    if (name === 'file') form.set(name, new Blob([new Uint8Array(jpeg())]), String(member));
    else form.set(name, String(member));
  }
  return { body: form };
}

export const schemesOf = ({ security }: Operation): readonly SchemeName[] => security.flatMap((requirement) => Object.keys(requirement) as SchemeName[]);

export const scopesOf = ({ security }: Operation, scheme: SchemeName): readonly Scope[] => security.flatMap((requirement) => requirement[scheme] ?? []);

/** A credential of this kind that may call the operation. */
export async function credentialOf(tenant: Tenant, operation: Operation, scheme = schemesOf(operation)[0]): Promise<Credential> {
  if (scheme === 'apiKey') return tenant.key(scopesOf(operation, scheme));
  if (scheme === 'oauth2') return tenant.client(scopesOf(operation, scheme));
  if (scheme !== 'bearerAuth') return {};
  const role = operation.roles.includes('owner') ? 'owner' : operation.roles[0] ?? 'owner';
  // Some calls end sessions or change the person, so it is one whom no other test needs.
  return personOf(tenant, operation, role, ENDING.has(operation.operationId) ? { purpose: operation.operationId } : {});
}

const ENDING: ReadonlySet<OperationId> = new Set(['logout', 'changePassword']);

/** A user with this role, who has a second factor if the operation asks for one. */
export function personOf(tenant: Tenant, { stepUp }: Operation, role: Role, options: PersonOptions = {}): Promise<Credential> {
  return tenant.user(role, stepUp ? { ...options, secondFactor: true } : options);
}

/** The example of an operation, sent by somebody who may. */
export async function callExample(service: TestService, operation: Operation, more: Call & { readonly query?: string } = {}): Promise<Answer> {
  const { method, path, call } = exampleCall(operation);
  const { query = '', headers = {}, ...rest } = more;
  return service.request(method, path + query, {
    as: isPublic(operation) ? {} : await credentialOf(service.acme, operation), ...call, ...rest, headers: { ...call.headers, ...headers },
  });
}

/** Status, media type and header fields are what the contract says; the body has been checked by the service. */
export function expectDocumented(operation: Operation, answer: Answer<unknown>): void {
  const types = operation.responses[answer.status];
  expect(types, `${operation.operationId} documents ${answer.status}`).toBeDefined();
  const type = answer.headers.get('content-type');
  if (types?.length === 0) expect(type).toBeNull();
  else expect(types).toContain(type?.split(';')[0]);
  const missing = requiredHeaders(operation, answer.status).filter((name) => !answer.headers.has(name));
  expect(missing, `header fields of ${operation.operationId} ${answer.status}`).toEqual([]);
}
