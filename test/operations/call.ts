/**
 * Types of an entry in the table of calls. Used by all parts of test/operations.ts; an operation without an entry does
 * not compile.
 */
import { randomBytes } from 'node:crypto';
import type { operations } from '../../server/contract/generated/client-types.ts';
import type { OperationId } from '../../server/contract/operation.ts';
import type { Credential, Tenant, TestService } from '../support/service.ts';

type RequestOf<Id extends OperationId> = NonNullable<operations[Id]['requestBody']>;

/** JSON, form or multipart body of an operation; `never` if it takes none. */
export type BodyOf<Id extends OperationId> =
  RequestOf<Id> extends { content: infer Content } ? Sent<Content[keyof Content]> : never;

/** Files are sent from buffers. */
type Sent<Body> = { [M in keyof Body]: Body[M] extends Blob | undefined ? Buffer : Body[M] };

type ParamsOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['path']>;

/** Preconditions of a successful call. Omitted members are the same for all operations; see `arrange`. */
export interface Arranged<Id extends OperationId = OperationId> {
  /** A tenant that replaces the default one, if the call would disturb it or needs another state. */
  readonly tenant?: Tenant;
  /** Caller, if the call needs a particular person. */
  readonly as?: Credential;
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<ParamsOf<Id>>;
  /** Members of the body that cannot be written in advance: secrets made for this call, and names that must be new. */
  readonly body?: Partial<BodyOf<Id>>;
  /** What the other body has in place of these members, if it must differ in them. */
  readonly otherBody?: Partial<BodyOf<Id>>;
}

/** How to call one operation successfully. */
export type Call<Id extends OperationId> = {
  readonly arrange?: (service: TestService, tenant: Tenant) => Promise<Arranged<Id>>;
} & ([BodyOf<Id>] extends [never]
  ? unknown
  : {
      /** Returns a valid body with every member that can be combined, without those that `arrange` returns. */
      readonly body: () => Partial<BodyOf<Id>>;
      /** Returns another valid body, which differs in every member. */
      readonly otherBody: () => Partial<BodyOf<Id>>;
      /**
       * Reasons why a member, by its JSON pointer, is missing in both bodies or equal in both,
       * with everything below it.
       */
      readonly except?: Readonly<Record<string, string>>;
    });

/** Calls of some of the operations, one entry each. */
export type Calls<Ids extends OperationId> = { readonly [Id in Ids]: Call<Id> };

/** Returns a value that no other test uses. */
export const unique = (): string => randomBytes(8).toString('hex');
export const newAddress = (): string => `${unique()}@example.com`;
