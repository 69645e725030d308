/**
 * Types of parameters, bodies and responses of each operation, computed from the generated types. Used by handlers and
 * the request layer. Types only: a handler that breaks the contract does not compile.
 */
import type { Binary } from './binary.ts';
import type { operations as Wire } from './generated/types.ts';
import type { OperationId } from './operation.ts';

type In<K extends OperationId, P extends 'path' | 'query' | 'header' | 'cookie'> = Wire[K]['parameters'] extends {
  [Q in P]?: infer T;
}
  ? [NonNullable<T>] extends [never]
    ? {}
    : NonNullable<T>
  : {};
type LowerKeys<T> = { readonly [P in keyof T as P extends string ? Lowercase<P> : never]: T[P] };
type Values<T> = T[keyof T];

export type Params<K extends OperationId> = Readonly<In<K, 'path'>>;
export type Query<K extends OperationId> = Readonly<In<K, 'query'>>;
/** Header names are case-insensitive (RFC 9110 §5.1) and read in lower case, as Node delivers them. */
export type Headers<K extends OperationId> = LowerKeys<In<K, 'header'>>;

/** Names of the cookies that an operation reads and sets; `never` for nearly all. */
export type CookieName<K extends OperationId> = keyof In<K, 'cookie'> & string;

/** Names of all cookies of the service. */
export type AnyCookieName = { [K in OperationId]: CookieName<K> }[OperationId];

type RequestContent<K extends OperationId> = Wire[K] extends { requestBody: { content: infer C } } ? C : never;
type OptionalContent<K extends OperationId> = Wire[K] extends { requestBody?: infer B }
  ? NonNullable<B> extends { content: infer C }
    ? C
    : never
  : never;
type IsBinary<T> = [T] extends [Binary] ? ([Binary] extends [T] ? true : false) : false;
type BinaryKeys<T> = { [P in keyof T]-?: IsBinary<NonNullable<T[P]>> extends true ? P : never }[keyof T];
/** Form fields of a multipart body; the files themselves are in `ctx.files`. */
type Fields<C> = C extends { 'multipart/form-data': infer F } ? Omit<F, BinaryKeys<F>> : Values<C>;

export type Body<K extends OperationId> = [RequestContent<K>] extends [never]
  ? [OptionalContent<K>] extends [never]
    ? undefined
    : Fields<OptionalContent<K>> | undefined
  : Fields<RequestContent<K>>;

/** A file of a multipart request, in memory and already bounded in size. */
export interface UploadedFile {
  /** File name from the client; it must never be used as a path. */
  readonly name: string;
  /** Media type that the client declared; the content decides the actual type. */
  readonly declaredType: string;
  readonly bytes: Buffer;
  /** SHA-256 of the bytes in lower-case hexadecimal. */
  readonly sha256: string;
}

/** Files of a multipart request by their parts; optional ones may be missing. */
export type Files<K extends OperationId> = [RequestContent<K>] extends [never]
  ? undefined
  : RequestContent<K> extends { 'multipart/form-data': infer F }
    ? { readonly [P in keyof Pick<F, BinaryKeys<F>>]: UploadedFile }
    : undefined;

type Responses<K extends OperationId> = Wire[K]['responses'];

/** Statuses that a handler may answer with; errors are thrown as `Problem` and never replied. */
export type Status<K extends OperationId> = Extract<keyof Responses<K>, SuccessStatus>;
type SuccessStatus = 200 | 201 | 202 | 203 | 204 | 206 | 301 | 302 | 303 | 304 | 307 | 308;

/**
 * Header fields that the pipeline sets on every response that documents them, so that no handler
 * can forget or forge them.
 */
type PipelineHeader =
  | 'X-Request-Id'
  | 'X-Environment'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Idempotent-Replayed'
  | 'Cache-Control'
  | 'Retry-After'
  | 'WWW-Authenticate'
  | 'Set-Cookie';

type Declared<T> = { [P in keyof T as string extends P ? never : P extends PipelineHeader ? never : P]: T[P] };
type IsUnion<T, U = T> = [T] extends [never] ? false : T extends unknown ? ([U] extends [T] ? false : true) : false;
type HeaderArgument<R> = R extends { headers: infer H }
  ? keyof Declared<H> extends never
    ? []
    : {} extends Declared<H>
      ? [headers?: Declared<H>]
      : [headers: Declared<H>]
  : [];
/** A body that has several media types. If the size of a stream is passed, it is sent as `Content-Length`. */
type Typed<M, D> = { readonly type: M; readonly data: D; readonly size?: Binary extends D ? number : never };
type BodyOf<R> = R extends { content: infer C }
  ? [keyof C] extends [never]
    ? never
    : IsUnion<keyof C> extends true
      ? { [M in keyof C]: Typed<M, C[M]> }[keyof C]
      : C[keyof C]
  : never;

type Atom = string | number | boolean | bigint | null | undefined | Date | Binary;
type AllKeys<S> = S extends unknown ? keyof S : never;
type Member<S, P> = S extends unknown ? (P extends keyof S ? S[P] : never) : never;
/**
 * Refuses every member, at any depth, that the contract does not name. Assignability alone accepts a value with extra
 * members unless it is a fresh literal, for example a database row with a password hash.
 */
type DeepExact<S, B> = unknown extends S
  ? unknown
  : B extends Atom
    ? unknown
    : B extends readonly (infer E)[]
      ? readonly DeepExact<Member<Extract<S, readonly unknown[]>, number>, E>[]
      : { [P in keyof B]: P extends AllKeys<S> ? DeepExact<Member<S, P>, B[P]> : never };

declare const operation: unique symbol;
/**
 * Result of a handler. Only `ctx.reply` creates one, so a bare object, a missing reply or the reply of another
 * operation does not compile.
 */
export interface Reply<K extends OperationId> {
  readonly [operation]: K;
}

/**
 * Function that creates a reply. It replaces a returned object, because TypeScript checks excess members of arguments
 * but not of the return value of a contextually typed arrow function.
 */
export interface Replier<K extends OperationId> {
  <S extends Status<K>, B extends BodyOf<Responses<K>[S]>>(
    status: S,
    ...rest: [BodyOf<Responses<K>[S]>] extends [never]
      ? HeaderArgument<Responses<K>[S]>
      : [body: B & DeepExact<BodyOf<Responses<K>[S]>, B>, ...HeaderArgument<Responses<K>[S]>]
  ): Reply<K>;
}
