import type { operations as Wire } from './generated/types.ts';
import type { Binary } from './binary.ts';
import type { OperationId } from './operation.ts';

type In<K extends OperationId, P extends 'path' | 'query' | 'header'> =
  Wire[K]['parameters'] extends { [Q in P]?: infer T } ? ([NonNullable<T>] extends [never] ? {} : NonNullable<T>) : {};
type LowerKeys<T> = { readonly [P in keyof T as P extends string ? Lowercase<P> : never]: T[P] };
type Values<T> = T[keyof T];

export type Params<K extends OperationId> = Readonly<In<K, 'path'>>;
export type Query<K extends OperationId> = Readonly<In<K, 'query'>>;
/** Header names are case-insensitive (RFC 9110 §5.1) and read in lower case, as Node delivers them. */
export type Headers<K extends OperationId> = LowerKeys<In<K, 'header'>>;

type RequestContent<K extends OperationId> = Wire[K] extends { requestBody: { content: infer C } } ? C : never;
type OptionalContent<K extends OperationId> =
  Wire[K] extends { requestBody?: infer B } ? (NonNullable<B> extends { content: infer C } ? C : never) : never;
type IsBinary<T> = [T] extends [Binary] ? ([Binary] extends [T] ? true : false) : false;
type BinaryKeys<T> = { [P in keyof T]-?: IsBinary<NonNullable<T[P]>> extends true ? P : never }[keyof T];
/** Form fields of a multipart body; the file itself is `ctx.file`. */
type Fields<C> = C extends { 'multipart/form-data': infer F } ? Omit<F, BinaryKeys<F>> : Values<C>;

export type Body<K extends OperationId> =
  [RequestContent<K>] extends [never]
    ? ([OptionalContent<K>] extends [never] ? undefined : Fields<OptionalContent<K>> | undefined)
    : Fields<RequestContent<K>>;

/** The one file of a multipart request, in memory and already bounded in size. */
export interface UploadedFile {
  /** As the client named it: never use it as a path. */
  readonly name: string;
  /** As the client declared it: the content decides. */
  readonly declaredType: string;
  readonly bytes: Buffer;
  /** SHA-256 of the bytes in lower-case hexadecimal. */
  readonly sha256: string;
}

export type File<K extends OperationId> =
  [RequestContent<K>] extends [never] ? undefined : RequestContent<K> extends { 'multipart/form-data': unknown } ? UploadedFile : undefined;
