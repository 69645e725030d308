import { randomBytes } from 'node:crypto';
import type { operations } from '../../server/contract/generated/types.ts';
import type { OperationId } from '../../server/contract/operation.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';

type RequestOf<Id extends OperationId> = NonNullable<operations[Id]['requestBody']>;

/** The JSON, form or multipart body of an operation; `never` for one that takes none. */
export type BodyOf<Id extends OperationId> = RequestOf<Id> extends { content: infer Content } ? Content[keyof Content] : never;

type ParamsOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['path']>;

/** What must be so before a call can succeed. Whatever is not said is the same for all operations; see `arrange`. */
export interface Arranged<Id extends OperationId = OperationId> {
  /** Another tenant than the one asked for, when the call would disturb it or needs it otherwise. */
  readonly tenant?: Tenant;
  /** Who calls, when the call needs a particular person. */
  readonly as?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<ParamsOf<Id>>;
  /** Members of the body that no text written beforehand can hold: secrets made for this call, and names that must be new. */
  readonly body?: Partial<BodyOf<Id>>;
}

/** How to call one operation so that it succeeds. */
export type Call<Id extends OperationId> = {
  readonly arrange?: (service: TestService, tenant: Tenant) => Promise<Arranged<Id>>;
} & ([BodyOf<Id>] extends [never] ? unknown : {
  /** A valid body with every member that can stand together, without those that `arrange` gives. */
  readonly body: () => Partial<BodyOf<Id>>;
  /** Another one, which differs in every member. */
  readonly otherBody: () => Partial<BodyOf<Id>>;
  /** Why a member, by its JSON pointer, stands in neither body or is the same in both, with everything below it. */
  readonly except?: Readonly<Record<string, string>>;
});

/** The calls of some of the operations, one entry each. */
export type Calls<Ids extends OperationId> = { readonly [Id in Ids]: Call<Id> };

/** Something that no other test knows. */
export const unique = (): string => randomBytes(8).toString('hex');
export const newAddress = (): string => `${unique()}@example.com`;
