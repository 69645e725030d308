/**
 * This file defines what a handler is: the context that it gets, the result that it returns and the two things that it may do outside
 * of its transaction (rules of the body alone, slow preparation). Handlers see no HTTP objects, so they can be tested without a server.
 */
import type { FairTurns } from '../base/fair-turns.ts';
import type { Binary } from '../contract/binary.ts';
import type { AuditAction, AuditResourceType } from '../contract/generated/audit-actions.ts';
import type { AnyCookieName, Body, CookieName, Files, Headers, Params, Query, Replier, Reply } from '../contract/operation-types.ts';
import type { Environment, Operation, OperationId, OperationsOf, Principal, Table, Tag } from '../contract/operation.ts';
import type { FieldError } from '../contract/problem.ts';
import type { Transaction } from '../database/transaction.ts';

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
 * Writes an event into the tenant's chain when, and only when, the transaction commits. Only events that the contract
 * announces for the operation can be written, each about a resource of its type. A public operation has no caller, so its handler records for itself.
 */
type Audit<K extends OperationId> = IsPublic<K> extends true
  ? null
  : <A extends Event<K>>(action: A, resource: AuditedResource<A>, changes?: object) => void;

/** Only operations that declare the header `X-TOTP-Code` can ask for a second factor, because only there can a client send one. */
type StepUp<K extends OperationId> = Headers<K> extends { readonly 'x-totp-code'?: unknown } ? ('x-totp-code' extends keyof Headers<K> ? () => Promise<void> : null) : null;

/** Of an operation that takes a merge patch: lists what the patch makes of the record that could not be created so. The argument has the form of the body. */
type ResultOfPatch<K extends OperationId> = 'application/merge-patch+json' extends Table[K]['requestTypes'][number] ? (result: object) => readonly FieldError[] : null;

/** What the browser sent of the cookies that the operation declares, and what it is told to keep. */
export interface Cookies<N extends string> {
  /** Nothing when it was sent twice: only one of the two can be ours. */
  read(name: N): string | undefined;
  /** Also on a refusal that follows. No script can read it, and no other host and no page of another site sends it. */
  keep(name: AnyCookieName, value: string, seconds: number): void;
  clear(name: AnyCookieName): void;
}

/** Everything a handler may know of its request. The request and response objects of the HTTP server are not part of it. */
export interface Context<K extends OperationId> {
  readonly operationId: K;
  readonly params: Params<K>;
  readonly query: Query<K>;
  readonly headers: Headers<K>;
  /** Of operations for the pages of the service alone (`x-browser`). */
  readonly cookies: Table[K]['browser'] extends true ? Cookies<CookieName<K>> : null;
  readonly body: Body<K>;
  readonly files: Files<K>;
  readonly principal: Principal<K>;
  /** The `Authorization` header of a public operation, which verifies it itself; for all others it was verified before the handler runs. */
  readonly authorization: IsPublic<K> extends true ? string | undefined : undefined;
  /** The environment that this request reads and writes. */
  readonly environment: Environment;
  /** The environments whose records the caller may see. */
  readonly visible: readonly Environment[];
  /** Whether the tenant's sandbox mode is on. While it is off, sandbox records cannot be changed (`assertEnvironmentWritable`). */
  readonly sandboxEnabled: boolean;
  /**
   * Says which environment's record the request created, changed or read: for `X-Environment`, for the audit event, and so that
   * a reset of the sandbox removes an answer that is kept for repetition together with its record.
   */
  readonly setResourceEnvironment: (environment: Environment) => void;
  /**
   * The one transaction of the request, bound to the caller's tenant. It runs under the platform's database role if the
   * operation is for platform staff (who reach another tenant by `withinTenant`), if it changes persons
   * (`x-transaction: platform`), or if it is public and so has no tenant at first.
   */
  readonly tx: Transaction;
  readonly audit: Audit<K>;
  /** Runs the work once the transaction has committed and before the response is sent, for example to clear caches or remove files. */
  readonly afterCommit: (work: () => void | Promise<void>) => void;
  /**
   * Demands a second factor: a refusal unless this request carries one or the session gave one shortly before. For
   * operations that declare the header and leave it to the request whether it is needed; `x-step-up` needs no call.
   */
  readonly stepUp: StepUp<K>;
  /** The quota of look-ups, for operations whose refusal tells that somebody with a number is there. */
  readonly lookups: Lookups;
  readonly resultFaults: ResultOfPatch<K>;
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

/** The quota of look-ups of the caller. */
export interface Lookups {
  /** Refuses the request if nothing is left, before anything is looked up, so that the refusal tells nothing. */
  assertLeft(): void;
  /** Counts a refusal that answers a look-up. */
  count(): void;
}

export interface Handler<K extends OperationId> {
  (ctx: Context<K>, ready?: unknown): Reply<K> | Promise<Reply<K>>;
  readonly prepare?: (given: PreparationInput<K>) => Promise<unknown>;
  readonly turns?: FairTurns;
  readonly faults?: BodyRules<K>;
}

/**
 * Finds errors in a body that no schema can express and that depend on neither the caller nor the time. It is called when the body breaks
 * its schema, so that one response names every error. A body that keeps its schema is checked by the handler, which knows the context too.
 */
type BodyRules<K extends OperationId> = (body: ValidPart<Body<K>>) => readonly FieldError[];

/** A body without the members that break their schema: the remaining members are valid, and any member may be missing. */
export type ValidPart<T> = T extends readonly (infer E)[] ? readonly (ValidPart<E> | undefined)[] : T extends object ? { readonly [M in keyof T]?: ValidPart<T[M]> | undefined } : T;

/** Makes a handler whose rules of the body alone are also checked when the body breaks its schema. */
export function withBodyRules<K extends OperationId>(faults: BodyRules<K>, handle: (ctx: Context<K>) => ReturnType<Handler<K>>): Handler<K> {
  return Object.assign((ctx: Context<K>) => handle(ctx), { faults });
}

/** What the preparation of a handler may know: it runs before the transaction begins. */
export type PreparationInput<K extends OperationId> = Pick<Context<K>, 'principal' | 'files'>;

/**
 * Makes a handler whose slow work is done before its transaction begins, so that it holds no database connection meanwhile. The
 * preparation does not know whether the request repeats an earlier one or whether its record exists, so it returns what it found
 * and the handler decides which problem comes first.
 */
export function withPreparation<K extends OperationId, P>(prepare: (given: PreparationInput<K>) => Promise<P>, handle: (ctx: Context<K>, ready: P) => ReturnType<Handler<K>>): Handler<K> {
  return Object.assign((ctx: Context<K>, ready?: unknown) => handle(ctx, ready as P), { prepare });
}

/**
 * Makes a handler whose requests take turns before their transactions begin, so that those that wait keep no connection from other operations. Tenants share the turns, so the storm of one
 * is waited for by that tenant alone.
 */
export function withTurns<K extends OperationId>(turns: FairTurns, handle: (ctx: Context<K>) => ReturnType<Handler<K>>): Handler<K> {
  return Object.assign((ctx: Context<K>) => handle(ctx), { turns });
}

/**
 * Thrown by a handler or a task that needs what is still being made, such as an index: its transaction is undone, its turn given back, and it is called again once `ready` has settled. So nothing is held while
 * it waits. What it throws when it is called too often is its own matter.
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
/** The handlers of one tag. Used with `satisfies`, a missing or an unknown operation does not compile. */
export type HandlersOf<T extends Tag> = { [K in OperationsOf<T>]: Handler<K> };

/** Joins the handlers of all tags. Keys that are not operations of the contract do not compile, also those that a spread adds. */
export function registry<T extends Handlers>(handlers: T & { [K in Exclude<keyof T, OperationId>]: never }): Handlers {
  return handlers;
}

/** The response of a handler at run time; its type is `Reply`. */
export class Outcome {
  readonly status: number;
  /** Null when the status has no body. */
  readonly mediaType: string | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | number>>;

  constructor(status: number, mediaType: string | null, body: unknown, headers: Readonly<Record<string, string | number>>) {
    this.status = status;
    this.mediaType = mediaType;
    this.body = body;
    this.headers = headers;
  }
}

type Arguments = readonly unknown[];
const NONE = {};

/** The `reply` of an operation. The contract says how the arguments after the status are to be read. */
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
