import type { Environment, OperationId } from '../contract/operation.ts';
import { OAuthError, Problem } from '../contract/problem.ts';
import type { Database, Transaction } from '../database/index.ts';
import { lazyTransaction } from '../database/lazy-transaction.ts';
import type { Caller } from '../identity/caller.ts';
import { RequestContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { Handler, Lookups, Outcome, PreparationInput } from './handler.ts';
import { type Idempotency, type IdempotencyReservation, inProgress, type StoredResponse } from './idempotency.ts';
import type { UploadedFiles } from './receive.ts';
import type { ResponseMessage } from './response.ts';
import { requireTenantState } from './store.ts';
import type { RequestInput } from './validate.ts';

/** How one operation runs its handler. */
export interface OperationExecution {
  readonly operationId: OperationId;
  readonly handler: Handler<OperationId>;
  readonly reply: unknown;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  /** Whether its responses can contain personal data. */
  readonly showsPersons: boolean;
  /** Whether it runs with the database role of the platform, in the tenant of the caller. */
  readonly platform: boolean;
  /** The handler opens transactions of its own. Its `tx`, of the platform's role and without a tenant, takes a connection only when it is used. */
  readonly ownTransactions: boolean;
  /** Whether it may move the clock of the sandbox, and therefore reads the clock from its row. */
  readonly movesClock: boolean;
  /** Validates and serialises the result of the handler. */
  readonly render: (outcome: Outcome) => ResponseMessage;
  /** Demands a second factor of the caller. */
  readonly stepUp: (exchange: Exchange, input: RequestInput) => Promise<void>;
  readonly lookups: (exchange: Exchange) => Lookups;
}

export interface TransactDependencies {
  readonly database: Database;
  readonly idempotency: Idempotency;
  readonly clock: () => Date;
}

/**
 * Prepares what takes long, then runs a handler in its one transaction: idempotency first, then the handler, then the check of its answer, and only
 * then audit events, the stored answer and COMMIT, which travel together. An answer that breaks the contract rolls
 * everything back.
 */
export async function transact(execution: OperationExecution, { database, idempotency, clock }: TransactDependencies, exchange: Exchange, input: RequestInput, files: UploadedFiles | undefined): Promise<ResponseMessage> {
  const tenantId = exchange.caller?.principal.tenantId ?? null;
  const prepared = await execution.handler.prepare?.({ principal: exchange.caller?.principal, files } as unknown as PreparationInput<OperationId>);
  const now = clock();
  let context: RequestContext | null = null;
  let refusal: Problem | OAuthError | null = null;
  let reservation: IdempotencyReservation | null = null;

  const handle = async (tx: Transaction): Promise<ResponseMessage | null> => {
    const reserved = await reserveIfIdempotent(execution, idempotency, tx, exchange, input, files);
    if (reserved !== null && !isReservation(reserved)) {
      assertShown(reserved, exchange.caller!);
      return replayed(reserved);
    }
    reservation = reserved;
    context = new RequestContext({ operationId: execution.operationId, exchange, input, files, tx, reply: execution.reply, now, stepUp: () => execution.stepUp(exchange, input), lookups: () => execution.lookups(exchange) });
    let answer: ResponseMessage;
    try {
      answer = { ...execution.render(await execution.handler(context.typed(), prepared) as unknown as Outcome), environment: context.resourceEnvironment };
    } catch (error) {
      if (!keepsChanges(error)) throw error;
      refusal = error;
      context.writeAudit();
      return null;
    }
    reservation?.keep(storedResponseOf(answer, context.resourceEnvironment, exchange.caller!, execution.showsPersons), now);
    context.writeAudit();
    return answer;
  };

  /** Checks the tenant with the first statement, and uses the result of the handler, an error included, only if the check succeeds. */
  const handleForCurrentTenant = async (tx: Transaction): Promise<ResponseMessage | null> => {
    const tenantCheck = requireTenantState(tx, exchange.caller!, execution);
    tenantCheck.catch(() => {});
    const result = await handle(tx).then((answer) => () => answer, (error: unknown) => () => { throw error; });
    await tenantCheck;
    return result();
  };

  const answer = tenantId === null || execution.ownTransactions
    ? await lazyTransaction((whole) => database.platform({ tenantId: null }, whole), handle)
    : await database[execution.platform ? 'platform' : 'transaction']({ tenantId, readOnly: execution.readOnly }, handleForCurrentTenant).catch(async (error: unknown) => {
      if (error instanceof Problem && await (reservation as IdempotencyReservation | null)?.wasOvertaken(database) === true) throw inProgress();
      throw error;
    });
  await (context as RequestContext | null)?.runAfterCommit();
  if (refusal !== null) throw refusal as Error;
  return answer as ResponseMessage;
}

function reserveIfIdempotent(execution: OperationExecution, idempotency: Idempotency, tx: Transaction, { caller, request, path }: Exchange, input: RequestInput, files: UploadedFiles | undefined): Promise<StoredResponse | IdempotencyReservation> | null {
  const key = input.headers['idempotency-key'];
  if (!execution.idempotent || typeof key !== 'string' || caller === null) return null;
  const { principal } = caller;
  return idempotency.reserve(tx, {
    tenantId: principal.tenantId, principal: principal.client, method: request.method ?? '', path,
    key, body: input.body, fileDigest: files === undefined ? null : Object.keys(files).sort().map((part) => `${part} ${files[part]!.sha256}`).join('\n'),
  });
}

/** A caller may see less than when it called first, because its key or the role of its grantor has changed. */
function assertShown({ personalData, environment }: StoredResponse, { principal, visible }: Caller): void {
  if (environment === 'sandbox' && !visible.includes('sandbox')) throw new Problem('not_found');
  if (personalData && principal.personalData === 'masked') {
    throw new Problem('personal_data_masked', { detail: 'The first answer showed personal data in full. Read the resource instead.' });
  }
}

function isReservation(reserved: StoredResponse | IdempotencyReservation): reserved is IdempotencyReservation {
  return 'keep' in reserved;
}

function keepsChanges(error: unknown): error is Problem | OAuthError {
  return (error instanceof Problem || error instanceof OAuthError) && error.keepsChanges;
}

/**
 * Idempotent operations answer JSON or nothing: what they answer must fit into a record. A reset of the sandbox removes
 * the answers about its records. What is no record of an environment, such as an API key, is still there after it.
 */
function storedResponseOf({ status, headers, body, mediaType }: ResponseMessage, resourceEnvironment: Environment | undefined, { environment, principal }: Caller, showsPersons: boolean): StoredResponse {
  if (body !== null && typeof body !== 'string') throw new TypeError('an idempotent operation answers with JSON');
  const kept = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  kept['X-Environment'] = resourceEnvironment ?? environment;
  if (mediaType !== null) kept['Content-Type'] = mediaType;
  return { environment: resourceEnvironment ?? 'live', status, headers: kept, body, personalData: showsPersons && principal.personalData === 'full' };
}

function replayed({ environment, status, headers, body }: StoredResponse): ResponseMessage {
  return { environment, status, headers: { ...headers, 'Idempotent-Replayed': 'true' }, mediaType: null, body };
}
