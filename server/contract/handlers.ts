import type { Transaction } from '../database/transaction.ts';
import type { FieldError } from '../http/problem.ts';
import type { OperationId, OperationsOf, Table, Tag } from './operation.ts';
import type { Environment, Principal } from './principal.ts';
import type { Body, File, Headers, Params, Query } from './request.ts';
import type { Replier, Reply } from './reply.ts';

export type { OperationId, Tag } from './operation.ts';
export type { Principal } from './principal.ts';
export type { Body, Headers, Params, Query, UploadedFile } from './request.ts';
export type { Reply } from './reply.ts';

/** What an audit event is about. */
export interface AuditedResource {
  readonly type: string;
  readonly id: string;
}

type Event<K extends OperationId> = Table[K]['auditEvents'][number];
type IsPublic<K extends OperationId> = Table[K]['security'] extends readonly [] ? true : false;

/**
 * Writes an event into the tenant's chain when, and only when, the transaction commits. Only events that the contract
 * announces for the operation can be written. A public operation has no caller, so its handler records for itself.
 */
type Audit<K extends OperationId> = IsPublic<K> extends true
  ? null
  : (action: Event<K>, resource: AuditedResource, changes?: object) => void;

/** Only a declared header can carry the factor. */
type StepUp<K extends OperationId> = Headers<K> extends { readonly 'x-totp-code'?: unknown } ? ('x-totp-code' extends keyof Headers<K> ? () => Promise<void> : null) : null;

/** Everything a handler may know of its request. Nothing of HTTP's machinery is in reach. */
export interface Context<K extends OperationId> {
  readonly operationId: K;
  readonly params: Params<K>;
  readonly query: Query<K>;
  readonly headers: Headers<K>;
  readonly body: Body<K>;
  readonly file: File<K>;
  readonly principal: Principal<K>;
  /** The `Authorization` field of a public operation, which judges it by itself; the pipeline has judged all others. */
  readonly authorization: IsPublic<K> extends true ? string | undefined : undefined;
  /** The environment that this request reads and writes, already decided. */
  readonly environment: Environment;
  /** Where the caller may see records at all. */
  readonly visible: readonly Environment[];
  /** The tenant's switch. While it is off, sandbox records cannot be changed (`assertWritable`). */
  readonly sandboxEnabled: boolean;
  /**
   * Says which environment's record the request created, changed or read: for `X-Environment`, for the audit event, and so that
   * a reset of the sandbox removes an answer that is kept for repetition together with its record.
   */
  readonly touched: (environment: Environment) => void;
  /**
   * The request's one transaction, bound to the caller's tenant. Of the platform's role if the operation is for platform
   * staff alone, who reach another tenant by `withinTenant`, or changes persons (`x-transaction: platform`), or is public,
   * when it has no tenant at first.
   */
  readonly tx: Transaction;
  readonly audit: Audit<K>;
  /** Runs once the transaction has committed, before the answer is sent: caches to forget, files to remove. */
  readonly afterCommit: (work: () => void | Promise<void>) => void;
  /**
   * Demands a second factor: a refusal unless this request carries one or the session gave one shortly before. For
   * operations that declare the header and leave it to the request whether it is needed; `x-step-up` needs no call.
   */
  readonly stepUp: StepUp<K>;
  readonly reply: Replier<K>;
  /** Aborts when the client goes away or the service drains. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** The time of the request: one clock reading for all rows it writes. */
  readonly now: Date;
  /** The business time of an environment: the clock of a sandbox can be ahead. Audit, credentials and quotas go by `now`. */
  readonly timeIn: (environment: Environment) => Date;
  /** The address of the client, past the trusted proxy. */
  readonly clientIp: string;
  readonly userAgent: string;
}

export interface Handler<K extends OperationId> {
  (ctx: Context<K>, ready?: unknown): Reply<K> | Promise<Reply<K>>;
  readonly prepare?: (given: Given<K>) => Promise<unknown>;
  readonly faults?: Faults<K>;
}

/**
 * What is wrong with the members of a body beyond what a schema can say, whoever sends it and whenever. Asked when the body breaks its
 * schema, so that one answer names everything; about a sound body the handler decides, which also knows where and when.
 */
export type Faults<K extends OperationId> = (body: SoundPart<Body<K>>) => readonly FieldError[];

/** A body without the members that break their schema: what is there is as its schema says, but anything may be missing. */
export type SoundPart<T> = T extends readonly (infer E)[] ? readonly (SoundPart<E> | undefined)[] : T extends object ? { readonly [M in keyof T]?: SoundPart<T[M]> | undefined } : T;

/** A handler with rules that hold of its body alone. */
export function judged<K extends OperationId>(faults: Faults<K>, handle: (ctx: Context<K>) => ReturnType<Handler<K>>): Handler<K> {
  return Object.assign((ctx: Context<K>) => handle(ctx), { faults });
}

/** What is known of a request before its transaction begins. */
export type Given<K extends OperationId> = Pick<Context<K>, 'principal' | 'file'>;

/**
 * A handler whose slow work is done before its transaction begins, and so without a connection to the database. The work knows
 * neither whether the request repeats an earlier one nor whether its record exists: what it finds wrong is for the handler to say.
 */
export function prepared<K extends OperationId, P>(prepare: (given: Given<K>) => Promise<P>, handle: (ctx: Context<K>, ready: P) => ReturnType<Handler<K>>): Handler<K> {
  return Object.assign((ctx: Context<K>, ready?: unknown) => handle(ctx, ready as P), { prepare });
}

export type Handlers = { [K in OperationId]: Handler<K> };
/** The handlers of one group: use with `satisfies`, so that a missing or an unknown operation does not compile. */
export type HandlersOf<T extends Tag> = { [K in OperationsOf<T>]: Handler<K> };

/** Joins the groups and refuses keys that are no operations of the contract, also those that a spread brings along. */
export function registry<T extends Handlers>(handlers: T & { [K in Exclude<keyof T, OperationId>]: never }): Handlers {
  return handlers;
}
