/**
 * Runs a handler in its transaction and commits response, audit events and idempotency record together, or nothing.
 * Called by the endpoint. Anything with an effect outside the database must wait for `afterCommit`, because the
 * transaction can still be rolled back or repeated.
 */
import type { Environment, OperationId } from '../contract/operation.ts';
import { OAuthError, Problem } from '../contract/problem.ts';
import type { AuditChain, Database, Transaction } from '../database/index.ts';
import { lazyTransaction } from '../database/lazy-transaction.ts';
import type { Caller } from '../identity/caller.ts';
import { RequestContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { Handler, Lookups, Outcome, PreparationInput } from './handler.ts';
import { type Idempotency, type IdempotencyReservation, inProgress, type StoredResponse } from './idempotency.ts';
import type { Cursors } from './pagination.ts';
import type { UploadedFiles } from './receive.ts';
import type { ResponseMessage } from './response.ts';
import type { ResultCheck } from './result-check.ts';
import { requireTenantState } from './store.ts';
import type { RequestInput } from './validate.ts';

/** Settings for running the handler of one operation. */
export interface OperationExecution {
  readonly operationId: OperationId;
  /** Path of the operation, with the parameters in braces. */
  readonly path: string;
  readonly handler: Handler<OperationId>;
  readonly reply: unknown;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  /** Whether the responses can contain personal data. */
  readonly showsPersons: boolean;
  /**
   * Which audit log of the tenant the operation writes to, and whether it sees the rows that go with the sealed one.
   */
  readonly auditChain: AuditChain;
  /** Whether the operation runs under the database role of the platform, in the tenant of the caller. */
  readonly platform: boolean;
  /**
   * Whether the handler opens transactions of its own. Its `tx`, which has the platform's role and no tenant, takes a
   * connection only on first use.
   */
  readonly ownTransactions: boolean;
  /** Whether the operation may move the clock of the sandbox, and therefore reads the clock from its row. */
  readonly movesClock: boolean;
  /** Validates and serialises the result of the handler. */
  readonly render: (outcome: Outcome) => ResponseMessage;
  /** Requires a second factor from the caller. */
  readonly stepUp: (exchange: Exchange, input: RequestInput) => Promise<void>;
  readonly lookups: (exchange: Exchange) => Lookups;
  readonly resultOfPatch: ResultCheck;
}

/** Parameters, body and files of a request. */
export interface ReceivedRequest {
  readonly input: RequestInput;
  readonly files: UploadedFiles | undefined;
}

export interface TransactDependencies {
  readonly database: Database;
  readonly idempotency: Idempotency;
  readonly cursors: Cursors;
  readonly clock: () => Date;
}

/**
 * Runs the slow preparation, then a handler in its one transaction: idempotency first, then the handler, then the check
 * of its response, and only then audit events, the stored response and COMMIT, which are sent together. A response that
 * breaks the contract rolls everything back.
 */
export async function transact(
  execution: OperationExecution,
  { database, idempotency, cursors, clock }: TransactDependencies,
  exchange: Exchange,
  received: ReceivedRequest,
): Promise<ResponseMessage> {
  const { input, files } = received;
  const tenantId = exchange.caller?.principal.tenantId ?? null;
  const prepared = await execution.handler.prepare?.({
    principal: exchange.caller?.principal,
    files,
  } as unknown as PreparationInput<OperationId>);
  const now = clock();
  let context: RequestContext | null = null;
  let refusal: Problem | OAuthError | null = null;
  let reservation: IdempotencyReservation | null = null;

  const handle = async (tx: Transaction): Promise<ResponseMessage | null> => {
    const repeatable = repeatableRequest(execution, exchange, received);
    const reserved = await (repeatable === null ? null : idempotency.reserve(tx, repeatable));
    if (reserved !== null && !isReservation(reserved)) {
      assertShown(reserved, exchange.caller!);
      return replayed(reserved);
    }
    reservation = reserved;
    context = new RequestContext({
      operationId: execution.operationId,
      exchange,
      input,
      files,
      tx,
      cursors,
      reply: execution.reply,
      now,
      stepUp: () => execution.stepUp(exchange, input),
      lookups: () => execution.lookups(exchange),
      resultFaults: (result) => execution.resultOfPatch(result, input.body),
    });
    let answer: ResponseMessage;
    try {
      answer = {
        ...execution.render((await execution.handler(context.typed(), prepared)) as unknown as Outcome),
        environment: context.resourceEnvironment,
      };
    } catch (error) {
      if (!keepsChanges(error)) throw error;
      refusal = error;
      context.writeAudit();
      return null;
    }
    reservation?.keep(
      storedResponseOf(answer, context.resourceEnvironment, exchange.caller!, execution.showsPersons),
      now,
    );
    context.writeAudit();
    return answer;
  };

  /**
   * Checks the tenant with the first statement, and uses the result of the handler, including an error, only if the
   * check succeeds.
   */
  const handleForCurrentTenant = async (tx: Transaction): Promise<ResponseMessage | null> => {
    const tenantCheck = requireTenantState(tx, exchange.caller!, execution);
    tenantCheck.catch(() => {});
    const result = await handle(tx).then(
      (answer) => () => answer,
      (error: unknown) => () => {
        throw error;
      },
    );
    await tenantCheck;
    return result();
  };

  /** Answers a problem with that of a call in progress if another call has meanwhile taken the idempotency key. */
  const refuseOvertaken = async (error: unknown): Promise<never> => {
    const held = reservation as IdempotencyReservation | null;
    if (error instanceof Problem && (await held?.wasOvertaken(database)) === true) throw inProgress();
    throw error;
  };

  const answer =
    tenantId === null || execution.ownTransactions
      ? await lazyTransaction((whole) => database.platform({ tenantId: null }, whole), handle)
      : await database[execution.platform ? 'platform' : 'transaction'](
          { tenantId, readOnly: execution.readOnly, auditChain: execution.auditChain },
          handleForCurrentTenant,
        ).catch(refuseOvertaken);
  await (context as RequestContext | null)?.runAfterCommit();
  if (refusal !== null) throw refusal as Error;
  return answer as ResponseMessage;
}

/** Returns the request as it is compared with earlier ones under its idempotency key; null if it has no key. */
function repeatableRequest(
  execution: OperationExecution,
  { caller, request }: Exchange,
  { input, files }: ReceivedRequest,
): Parameters<Idempotency['reserve']>[1] | null {
  const key = input.headers['idempotency-key'];
  if (!execution.idempotent || typeof key !== 'string' || caller === null) return null;
  const { principal } = caller;
  return {
    tenantId: principal.tenantId,
    principal: principal.client,
    method: request.method ?? '',
    // The path is rebuilt, so that it is the same however the ids were written.
    path: execution.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params[name]))),
    key,
    body: input.body,
    fileDigest: files === undefined ? null : digestOf(files),
  };
}

function digestOf(files: UploadedFiles): string {
  return Object.keys(files)
    .sort()
    .map((part) => `${part} ${files[part]!.sha256}`)
    .join('\n');
}

/**
 * Refuses a stored response that the caller may no longer see. A caller may see less than at its first call, because
 * its key or the role of its grantor has changed.
 */
function assertShown({ personalData, environment }: StoredResponse, { principal, visible }: Caller): void {
  if (environment === 'sandbox' && !visible.includes('sandbox')) throw new Problem('not_found');
  if (personalData && principal.personalData === 'masked') {
    throw new Problem('personal_data_masked', {
      detail: 'The first answer showed personal data in full. Read the resource instead.',
    });
  }
}

function isReservation(reserved: StoredResponse | IdempotencyReservation): reserved is IdempotencyReservation {
  return 'keep' in reserved;
}

function keepsChanges(error: unknown): error is Problem | OAuthError {
  return (error instanceof Problem || error instanceof OAuthError) && error.keepsChanges;
}

/**
 * Returns the response in its stored form. Idempotent operations answer with JSON or nothing, because the response must
 * fit into a record. A reset of the sandbox removes the responses about its records. Resources without an environment,
 * such as API keys, survive the reset.
 */
function storedResponseOf(
  { status, headers, body, mediaType }: ResponseMessage,
  resourceEnvironment: Environment | undefined,
  { environment, principal }: Caller,
  showsPersons: boolean,
): StoredResponse {
  if (body !== null && typeof body !== 'string')
    throw new TypeError('an idempotent operation must answer with JSON or without a body');
  const storedHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  storedHeaders['X-Environment'] = resourceEnvironment ?? environment;
  if (mediaType !== null) storedHeaders['Content-Type'] = mediaType;
  return {
    environment: resourceEnvironment ?? 'live',
    status,
    headers: storedHeaders,
    body,
    personalData: showsPersons && principal.personalData === 'full',
  };
}

function replayed({ environment, status, headers, body }: StoredResponse): ResponseMessage {
  return {
    environment,
    status,
    headers: { ...headers, 'Idempotent-Replayed': 'true' },
    mediaType: null,
    body,
  };
}
