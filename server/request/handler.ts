/**
 * This file defines handlers: their context, their result, and the two kinds of work that they may do outside of their
 * transaction (rules of the body alone, slow preparation). Handlers see no HTTP objects, so they can be tested without
 * a server. Used by the handlers of all modules. A status that the operation does not document throws.
 */
import type { FairQueue } from '../base/fair-queue.ts';
import type { BusinessTime, RealTime } from '../base/time.ts';
import type { Binary } from '../contract/binary.ts';
import type { AuditAction, AuditResourceType } from '../contract/generated/audit-actions.ts';
import type {
  AnyCookieName,
  Body,
  CookieName,
  Files,
  Headers,
  Params,
  Query,
  Replier,
  Reply,
} from '../contract/operation-types.ts';
import type {
  Environment,
  Operation,
  OperationId,
  OperationsOf,
  Principal,
  Table,
  Tag,
} from '../contract/operation.ts';
import type { FieldError } from '../contract/problem.ts';
import type { Transaction } from '../database/transaction.ts';
import type { Cursors } from './pagination.ts';

export type { OperationId, Principal, Tag } from '../contract/operation.ts';
export type { Body, Headers, Params, Query, Reply, UploadedFile } from '../contract/operation-types.ts';

/** The record that an audit event describes. */
export interface AuditedResource<A extends AuditAction = AuditAction> {
  readonly type: AuditResourceType<A>;
  readonly id: string;
}

type Event<K extends OperationId> = Table[K]['auditEvents'][number];
type IsPublic<K extends OperationId> = Table[K]['security'] extends readonly [] ? true : false;

/**
 * Writes an event into the tenant's chain if, and only if, the transaction commits. Only events that the contract
 * announces for the operation can be written, each about a resource of its type. A public operation has no caller, so
 * its handler writes its events itself.
 */
type Audit<K extends OperationId> =
  IsPublic<K> extends true
    ? null
    : <A extends Event<K>>(action: A, resource: AuditedResource<A>, changes?: object) => void;

/**
 * Second-factor check; null unless the operation declares the header `X-TOTP-Code`, because only then can a client send
 * a code.
 */
type StepUp<K extends OperationId> =
  Headers<K> extends { readonly 'x-totp-code'?: unknown }
    ? 'x-totp-code' extends keyof Headers<K>
      ? () => Promise<void>
      : null
    : null;

/**
 * Check of an operation with a merge patch: lists the faults of the patched record that would also prevent its
 * creation. The argument has the form of the body.
 */
type ResultOfPatch<K extends OperationId> = 'application/merge-patch+json' extends Table[K]['requestTypes'][number]
  ? (result: object) => readonly FieldError[]
  : null;

/** Cookies that the operation declares: those that the browser sent, and those that the response sets. */
export interface Cookies<N extends string> {
  /** Returns undefined if the cookie was sent twice, because only one of the two can be genuine. */
  read(name: N): string | undefined;
  /**
   * Sets a cookie, even if the request is refused afterwards. No script can read the cookie, and it is sent by no other
   * host and for no page of another site.
   */
  keep(name: AnyCookieName, value: string, seconds: number): void;
  clear(name: AnyCookieName): void;
}

/**
 * Everything that a handler may know about its request. The request and response objects of the HTTP server are not
 * included.
 */
export interface Context<K extends OperationId> {
  readonly operationId: K;
  readonly params: Params<K>;
  readonly query: Query<K>;
  readonly headers: Headers<K>;
  /** Set only for operations that serve the pages of the service itself (`x-browser`). */
  readonly cookies: Table[K]['browser'] extends true ? Cookies<CookieName<K>> : null;
  readonly body: Body<K>;
  readonly files: Files<K>;
  readonly principal: Principal<K>;
  /** Cursors of lists, for `listPage`. */
  readonly cursors: Cursors;
  /**
   * `Authorization` header of a public operation, which verifies the header itself. For all other operations the header
   * was verified before the handler runs.
   */
  readonly authorization: IsPublic<K> extends true ? string | undefined : undefined;
  /** The environment that this request reads and writes. */
  readonly environment: Environment;
  /** The environments whose records the caller may see. */
  readonly visible: readonly Environment[];
  /**
   * Whether the tenant's sandbox mode is on. While it is off, sandbox records cannot be changed
   * (`assertEnvironmentWritable`).
   */
  readonly sandboxEnabled: boolean;
  /**
   * Names the environment of the record that the request created, changed or read. `X-Environment` and the audit event
   * state it, and a reset of the sandbox uses it to remove a stored idempotent response together with its record.
   */
  readonly setResourceEnvironment: (environment: Environment) => void;
  /**
   * Single transaction of the request, bound to the caller's tenant. It runs under the platform's database role if the
   * operation is for platform staff (who reach another tenant by `withinTenant`), if it changes persons
   * (`x-transaction: platform`), or if it is public and so has no tenant at first.
   */
  readonly tx: Transaction;
  readonly audit: Audit<K>;
  /** Runs the work after the commit and before the response is sent, for example to clear caches or remove files. */
  readonly afterCommit: (work: () => void | Promise<void>) => void;
  /**
   * Refuses the request unless it carries a second factor or the session was verified shortly before. For operations
   * that declare the header and decide by the request whether a second factor is needed; `x-step-up` needs no call.
   */
  readonly stepUp: StepUp<K>;
  /** Look-up quota, for operations whose refusal reveals that a person with a given number exists. */
  readonly lookups: Lookups;
  readonly resultFaults: ResultOfPatch<K>;
  readonly reply: Replier<K>;
  /** Aborts if the client disconnects or the service drains. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** Time of the request: one clock reading for all rows that the request writes. */
  readonly now: RealTime;
  /** Business time of an environment: the clock of a sandbox can be ahead. Audit, credentials and quotas use `now`. */
  readonly timeIn: (environment: Environment) => BusinessTime;
  /** Address of the client in front of the trusted proxy. */
  readonly clientIp: string;
  readonly userAgent: string;
}

/** Look-up quota of the caller. */
export interface Lookups {
  /** Refuses the request if the quota is used up. Runs before the look-up, so that the refusal reveals nothing. */
  assertLeft(): void;
  /** Counts a refusal that reveals the result of a look-up. */
  count(): void;
}

export interface Handler<K extends OperationId> {
  (ctx: Context<K>, ready?: unknown): Reply<K> | Promise<Reply<K>>;
  readonly prepare?: (given: PreparationInput<K>) => Promise<unknown>;
  readonly fairQueue?: FairQueue;
  readonly faults?: BodyRules<K>;
}

/**
 * Finds errors in a body that no schema can express and that depend on neither the caller nor the time. The pipeline
 * calls this function if the body breaks its schema, so that one response names every error. If the body satisfies its
 * schema, the handler checks these rules, because it also knows the context.
 */
type BodyRules<K extends OperationId> = (body: ValidPart<Body<K>>) => readonly FieldError[];

/** A body without the members that break its schema: the remaining members are valid, and any member may be missing. */
export type ValidPart<T> = T extends readonly (infer E)[]
  ? readonly (ValidPart<E> | undefined)[]
  : T extends object
    ? { readonly [M in keyof T]?: ValidPart<T[M]> | undefined }
    : T;

/** Creates a handler with body rules that are also checked if the body breaks its schema. */
export function withBodyRules<K extends OperationId>(
  faults: BodyRules<K>,
  handle: (ctx: Context<K>) => ReturnType<Handler<K>>,
): Handler<K> {
  return Object.assign((ctx: Context<K>) => handle(ctx), { faults });
}

/** Input of a handler's preparation, which runs before the transaction begins. */
export type PreparationInput<K extends OperationId> = Pick<Context<K>, 'principal' | 'files'>;

/**
 * Creates a handler whose slow work is done before its transaction begins, so that the work holds no database
 * connection. The preparation does not know whether the request repeats an earlier one or whether its record exists, so
 * it returns its result and the handler decides which problem comes first.
 */
export function withPreparation<K extends OperationId, P>(
  prepare: (given: PreparationInput<K>) => Promise<P>,
  handle: (ctx: Context<K>, ready: P) => ReturnType<Handler<K>>,
): Handler<K> {
  return Object.assign((ctx: Context<K>, ready?: unknown) => handle(ctx, ready as P), { prepare });
}

/**
 * Creates a handler whose requests wait for a slot before their transactions begin, so that waiting requests hold no
 * connection that other operations need. The slots are shared fairly between tenants, so a burst of one tenant delays
 * only that tenant.
 */
export function withFairQueue<K extends OperationId>(
  fairQueue: FairQueue,
  handle: (ctx: Context<K>) => ReturnType<Handler<K>>,
): Handler<K> {
  return Object.assign((ctx: Context<K>) => handle(ctx), { fairQueue });
}

/**
 * Thrown by a handler or a task that needs something that is still being built, such as an index. Its transaction is
 * rolled back, its slot is released, and it is called again after `ready` has settled, so that it holds nothing while
 * it waits. The error after too many attempts is up to the caller.
 */
export class NotReady extends Error {
  override readonly name = 'NotReady';
  readonly ready: Promise<unknown>;

  constructor(what: string, ready: Promise<unknown>) {
    super(`${what} is not ready yet`);
    this.ready = ready;
  }
}

export type Handlers = { [K in OperationId]: Handler<K> };
/** Handlers of one tag. With `satisfies`, a missing or an unknown operation does not compile. */
export type HandlersOf<T extends Tag> = { [K in OperationsOf<T>]: Handler<K> };

/**
 * Joins the handlers of all tags. Keys that are not operations of the contract do not compile, even if a spread adds
 * them.
 */
export function registry<T extends Handlers>(handlers: T & { [K in Exclude<keyof T, OperationId>]: never }): Handlers {
  return handlers;
}

/** Response of a handler at run time; its type is `Reply`. */
export class Outcome {
  readonly status: number;
  /** Media type; null if the status has no body. */
  readonly mediaType: string | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | number>>;

  constructor(
    status: number,
    mediaType: string | null,
    body: unknown,
    headers: Readonly<Record<string, string | number>>,
  ) {
    this.status = status;
    this.mediaType = mediaType;
    this.body = body;
    this.headers = headers;
  }
}

type Arguments = readonly unknown[];
const NONE = {};

/** Returns the `reply` of an operation. The contract defines the meaning of the arguments after the status. */
export function replier({ operationId, responses }: Operation): (status: number, ...rest: Arguments) => Outcome {
  return (status, ...rest) => {
    const types = responses[status];
    if (types === undefined) throw new TypeError(`${operationId} does not document status ${status}`);
    const [first, second] = rest;
    if (types.length === 0) return new Outcome(status, null, undefined, (first ?? NONE) as Outcome['headers']);
    const headers = (second ?? NONE) as Outcome['headers'];
    if (types.length === 1) return new Outcome(status, types[0] as string, first, headers);
    const { type, data, size } = first as { readonly type: string; readonly data: unknown; readonly size?: number };
    return new Outcome(status, type, data, size === undefined ? headers : { ...headers, 'Content-Length': size });
  };
}

export function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

export function isBinary(outcome: Outcome): outcome is Outcome & { readonly body: Binary } {
  return outcome.mediaType !== null && !isJson(outcome.mediaType);
}
