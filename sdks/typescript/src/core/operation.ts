/**
 * What the runtime knows of an operation, read from a line of the generated table, and sending it. Used by the client
 * and the kinds of calls. The letters must be those that the generator writes.
 */
import { ApiPromise, type Reading } from './promise.ts';
import type { RequestOptions } from './options.ts';
import type { Transport } from './transport.ts';

/**
 * What the runtime must know of an operation. The generated code writes it as one line, which compresses well, and
 * nothing else: `POST /v1/applications BAOkj`. The marks are
 *
 * - `B`, `A`, `O`: it accepts the token of a person, an API key, the token of an OAuth client; without
 *   any of them it is public;
 * - `k`: it honours `Idempotency-Key`;
 * - `j`, `m`, `u`, `f`: it takes a body, as JSON, as JSON merge patch, as a URL-encoded form, as a multipart form;
 * - `q`: it takes query parameters;
 * - `b`: it answers bytes;
 * - `n`: it may answer nothing, or something of which nothing is known;
 * - `r`: it may be sent twice although its method does not say so.
 */
export interface Operation {
  /** `POST /v1/applications/{applicationId}/submit` */
  readonly route: string;
  /** Template of the path alone. */
  readonly path: string;
  readonly marks: string;
  /**
   * For a list: the member with the items, with the member that identifies an item, unless that is `id`; and for a
   * feed, the method that acknowledges and the header with the time of the next read. For a multipart form: its files.
   */
  readonly members: readonly string[];
}

export function operationOf(line: string): Operation {
  const [method, path = '', marks = '', members] = line.split(' ');
  return {
    route: `${method} ${path}`,
    path,
    marks,
    members: members?.split(',') ?? [],
  };
}

/** Input of one call. */
export interface Input {
  /** Identifiers in the path, in order or by name. */
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  /** May be a promise: files are still being read when the call begins. */
  readonly body?: unknown;
  /** Encodes the body, for media types whose encoder most bundles do not need. */
  readonly encode?: (body: object) => Blob;
  /** Header parameters of the operation, except the idempotency key, which the transport generates itself. */
  readonly headers?: object | undefined;
  /** Options of every call, and the header parameters of the operation. */
  readonly options?: (RequestOptions & { readonly idempotencyKey?: string | undefined }) | undefined;
}

/**
 * Sends an operation. There is one such function for each kind of operation, so that a bundle includes only the kinds
 * that it uses.
 */
export type Send = (transport: Transport, operation: Operation, input: Input, reading?: Reading) => unknown;

export const send: Send = (transport, operation, input, reading) =>
  new ApiPromise((own) => transport.answer(operation, input, reading ?? own));

/** Wraps a sender to send some options as headers; `names` maps options to headers. */
export function headed(names: Readonly<Record<string, string>>, how: Send = send): Send {
  return (transport, operation, input, reading) => {
    const options = (input.options ?? {}) as Readonly<Record<string, unknown>>;
    return how(
      transport,
      operation,
      { ...input, headers: Object.fromEntries(Object.entries(names).map(([option, name]) => [name, options[option]])) },
      reading,
    );
  };
}

/**
 * Splits the arguments by position: the identifiers of the path, then the body or the query if the operation has one,
 * then the options.
 */
export function inputOf({ path, marks }: Operation, args: readonly unknown[]): Input {
  const identifiers = path.split('{').length - 1;
  const [params, options] = /[jmufq]/.test(marks) ? args.slice(identifiers) : [undefined, args[identifiers]];
  return {
    path: args.slice(0, identifiers),
    [marks.includes('q') ? 'query' : 'body']: params,
    options: options as Input['options'],
  };
}

/** A method as a function, which takes the client before the arguments. */
export type Flat<Method> = Method extends (...args: infer Args) => infer Answer
  ? (client: Transport, ...args: Args) => Answer
  : never;

export function flat<Method>(line: string, how: Send = send): Flat<Method> {
  const operation = operationOf(line);
  return ((client: Transport, ...args: unknown[]) => how(client, operation, inputOf(operation, args))) as Flat<Method>;
}
