/**
 * The context that a handler receives: input, caller, transaction, clock, audit and reply. Created by transact.ts for
 * each request. Audit events are only collected here and written just before the commit; a handler that never commits
 * records nothing.
 */
import { appendAudit } from '../audit/chain.ts';
import type { Json } from '../base/canonical-json.ts';
import { jsonPointer } from '../base/json-pointer.ts';
import { businessTime, type BusinessTime, type RealTime } from '../base/time.ts';
import type { AuditAction } from '../contract/generated/audit-actions.ts';
import { type AnyPrincipal, auditActorOf, type Environment, type OperationId } from '../contract/operation.ts';
import type { FieldError } from '../contract/problem.ts';
import type { Transaction } from '../database/index.ts';
import { ClientGone } from './body.ts';
import type { Exchange } from './exchange.ts';
import type { AuditedResource, Context, Cookies, Lookups } from './handler.ts';
import type { Cursors } from './pagination.ts';
import type { UploadedFiles } from './receive.ts';
import type { RequestInput } from './validate.ts';

interface PendingEvent {
  readonly action: AuditAction;
  readonly resource: AuditedResource;
  readonly changes: object | undefined;
}

interface ContextOptions {
  readonly operationId: OperationId;
  readonly exchange: Exchange;
  readonly input: RequestInput;
  readonly files: UploadedFiles | undefined;
  readonly tx: Transaction;
  readonly cursors: Cursors;
  readonly reply: unknown;
  readonly now: RealTime;
  readonly stepUp: () => Promise<void>;
  readonly lookups: () => Lookups;
  readonly resultFaults: (result: object) => readonly FieldError[];
}

/** Context that a handler receives. Functions that few handlers use are created on first access. */
export class RequestContext {
  readonly operationId: OperationId;
  readonly params: RequestInput['params'];
  readonly query: RequestInput['query'];
  readonly headers: RequestInput['headers'];
  readonly body: unknown;
  readonly files: UploadedFiles | undefined;
  readonly principal: AnyPrincipal | null;
  readonly environment: Environment;
  readonly visible: readonly Environment[];
  readonly sandboxEnabled: boolean;
  readonly tx: Transaction;
  readonly cursors: Cursors;
  readonly reply: unknown;
  readonly requestId: string;
  readonly now: RealTime;
  readonly clientIp: string;
  /** Set for every operation, but typed so that only operations with a merge patch can use it. */
  readonly resultFaults: ContextOptions['resultFaults'];
  readonly #exchange: Exchange;
  readonly #events: PendingEvent[] = [];
  readonly #afterCommit: (() => void | Promise<void>)[] = [];
  readonly #stepUp: () => Promise<void>;
  readonly #lookups: () => Lookups;
  #resourceEnvironment: Environment | undefined;

  constructor(options: ContextOptions) {
    const { operationId, exchange, input, files, tx, cursors, reply, now, stepUp, lookups, resultFaults } = options;
    const { caller } = exchange;
    this.operationId = operationId;
    this.params = input.params;
    this.query = input.query;
    this.headers = input.headers;
    this.body = input.body;
    this.files = files;
    this.principal = caller?.principal ?? null;
    this.environment = caller?.environment ?? 'live';
    this.visible = caller?.visible ?? [];
    this.sandboxEnabled = caller?.sandboxEnabled ?? false;
    this.tx = tx;
    this.cursors = cursors;
    this.reply = reply;
    this.requestId = exchange.requestId;
    this.now = now;
    this.clientIp = exchange.clientIp;
    this.resultFaults = resultFaults;
    this.#exchange = exchange;
    this.#stepUp = stepUp;
    this.#lookups = lookups;
  }

  get userAgent(): string {
    return this.#exchange.userAgent;
  }

  /**
   * Returns the business time of an environment: the clock of a sandbox can be ahead. Audit events always have the real
   * time.
   */
  get timeIn(): (environment: Environment) => BusinessTime {
    const ahead = (this.#exchange.caller?.tenantState.sandboxClockOffsetSeconds ?? 0) * 1000;
    return (environment) => businessTime(this.now, environment === 'live' ? 0 : ahead);
  }

  /** Typed so that only operations for browsers can use them. */
  get cookies(): Cookies<string> {
    return this.#exchange.cookies;
  }

  /** Second-factor check of operations that demand it only of some requests. */
  get stepUp(): () => Promise<void> {
    return this.#stepUp;
  }

  get lookups(): Lookups {
    return this.#lookups();
  }

  /** Credentials of a public operation, which the pipeline does not check. */
  get authorization(): string | undefined {
    return this.principal === null ? this.#exchange.request.headers.authorization : undefined;
  }

  get signal(): AbortSignal {
    const { response } = this.#exchange;
    const controller = new AbortController();
    const abort = (): void => controller.abort(new ClientGone());
    // The client may have disconnected before the handler reads the signal.
    if (response.closed) abort();
    else response.once('close', abort);
    return controller.signal;
  }

  get audit(): ((action: AuditAction, resource: AuditedResource, changes?: object) => void) | null {
    return this.principal === null
      ? null
      : (action, resource, changes) => void this.#events.push({ action, resource, changes });
  }

  get afterCommit(): (work: () => void | Promise<void>) => void {
    return (work) => void this.#afterCommit.push(work);
  }

  get setResourceEnvironment(): (environment: Environment) => void {
    return (environment) => {
      this.#resourceEnvironment = environment;
    };
  }

  /** Environment of the resource, if the handler has set it. */
  get resourceEnvironment(): Environment | undefined {
    return this.#resourceEnvironment;
  }

  /** Registers the audit events, which are sent just before COMMIT because they lock the head of the tenant's chain. */
  writeAudit(): void {
    const { principal } = this;
    if (principal === null) return;
    const actor = auditActorOf(principal);
    for (const { action, resource, changes } of this.#events) {
      appendAudit(this.tx, {
        occurredAt: this.now.toISOString(),
        environment: this.#resourceEnvironment ?? this.environment,
        actor,
        action,
        resource,
        outcome: 'success',
        requestId: this.requestId,
        ip: this.clientIp,
        userAgent: this.userAgent,
        changes: asPatch(changes),
      });
    }
  }

  async runAfterCommit(): Promise<void> {
    for (const work of this.#afterCommit) await work();
  }

  /** Returns this object with the types that the contract gives the operation. */
  typed<K extends OperationId>(): Context<K> {
    return this as unknown as Context<K>;
  }
}

/**
 * Returns the changes of an event as a JSON Patch (RFC 6902). A plain object is converted into one `add` operation per
 * member.
 */
export function asPatch(changes: object = {}): { readonly op: string; readonly path: string; readonly value?: Json }[] {
  if (Array.isArray(changes)) return changes as { op: string; path: string; value?: Json }[];
  return Object.entries(changes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({
      op: 'add',
      path: jsonPointer([name]),
      value: JSON.parse(JSON.stringify(value)) as Json,
    }));
}
