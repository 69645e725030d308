import type { UploadedFile } from '../contract/operation-types.ts';
import type { Environment, OperationId } from '../contract/operation.ts';
import { OAuthError, Problem } from '../contract/problem.ts';
import type { Database, Transaction } from '../database/index.ts';
import { lazyTransaction } from '../database/lazy-transaction.ts';
import type { Caller } from '../identity/caller.ts';
import { RequestContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { Handler, Outcome, PreparationInput } from './handler.ts';
import { type Idempotency, type IdempotencyReservation, inProgress, type StoredResponse } from './idempotency.ts';
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
  /** Its answers can hold personal data. */
  readonly showsPersons: boolean;
  /** It runs with the platform's role, in the tenant of the caller. */
  readonly platform: boolean;
  /** No connection is taken unless the handler uses its `tx`, which is of the platform's role and no tenant. */
  readonly ownTransactions: boolean;
  /** It reads the clock of the sandbox from its row, and may move it. */
  readonly movesClock: boolean;
  /** Validates and serialises what the handler answered. */
  readonly render: (outcome: Outcome) => ResponseMessage;
  /** Demands a second factor of the caller. */
  readonly stepUp: (exchange: Exchange, input: RequestInput) => Promise<void>;
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
export async function transact(work: OperationExecution, { database, idempotency, clock }: TransactDependencies, exchange: Exchange, input: RequestInput, file: UploadedFile | undefined): Promise<ResponseMessage> {
  const tenantId = exchange.caller?.principal.tenantId ?? null;
  const ready = await work.handler.prepare?.({ principal: exchange.caller?.principal, file } as unknown as PreparationInput<OperationId>);
  const now = clock();
  let context: RequestContext | null = null;
  let refusal: Problem | OAuthError | null = null;
  let claim: IdempotencyReservation | null = null;

  const handle = async (tx: Transaction): Promise<ResponseMessage | null> => {
    const begun = await begin(work, idempotency, tx, exchange, input, file);
    if (begun !== null && !isReservation(begun)) {
      assertShown(begun, exchange.caller!);
      return replayed(begun);
    }
    claim = begun;
    context = new RequestContext({ operationId: work.operationId, exchange, input, file, tx, reply: work.reply, now, stepUp: () => work.stepUp(exchange, input) });
    let answer: ResponseMessage;
    try {
      answer = { ...work.render(await work.handler(context.typed(), ready) as unknown as Outcome), environment: context.resourceEnvironment };
    } catch (error) {
      if (!keepsChanges(error)) throw error;
      refusal = error;
      context.writeAudit();
      return null;
    }
    claim?.keep(storedResponseOf(answer, context.resourceEnvironment, exchange.caller!, work.showsPersons), now);
    context.writeAudit();
    return answer;
  };

  /** Sent with the first statement; waited for only before anything is believed that may follow from a tenant as it was. */
  const handleAsOfNow = async (tx: Transaction): Promise<ResponseMessage | null> => {
    const asItWas = requireTenantState(tx, exchange.caller!, work);
    asItWas.catch(() => {});
    const settled = await handle(tx).then((answer) => () => answer, (error: unknown) => () => { throw error; });
    await asItWas;
    return settled();
  };

  const answer = tenantId === null || work.ownTransactions
    ? await lazyTransaction((whole) => database.platform({ tenantId: null }, whole), handle)
    : await database[work.platform ? 'platform' : 'transaction']({ tenantId, readOnly: work.readOnly }, handleAsOfNow).catch(async (error: unknown) => {
      if (error instanceof Problem && await (claim as IdempotencyReservation | null)?.wasOvertaken(database) === true) throw inProgress();
      throw error;
    });
  await (context as RequestContext | null)?.runAfterCommit();
  if (refusal !== null) throw refusal as Error;
  return answer as ResponseMessage;
}

function begin(work: OperationExecution, idempotency: Idempotency, tx: Transaction, { caller, request, path }: Exchange, input: RequestInput, file: UploadedFile | undefined): Promise<StoredResponse | IdempotencyReservation> | null {
  const key = input.headers['idempotency-key'];
  if (!work.idempotent || typeof key !== 'string' || caller === null) return null;
  const { principal } = caller;
  return idempotency.reserve(tx, {
    tenantId: principal.tenantId, principal: principal.client, method: request.method ?? '', path,
    key, body: input.body, fileDigest: file?.sha256 ?? null,
  });
}

/** A client may see less than when it called first: its key was changed, or its grantor has another role. */
function assertShown({ personalData, environment }: StoredResponse, { principal, visible }: Caller): void {
  if (environment === 'sandbox' && !visible.includes('sandbox')) throw new Problem('not_found');
  if (personalData && principal.personalData === 'masked') {
    throw new Problem('personal_data_masked', { detail: 'The first answer showed personal data in full. Read the resource instead.' });
  }
}

function isReservation(begun: StoredResponse | IdempotencyReservation): begun is IdempotencyReservation {
  return 'keep' in begun;
}

function keepsChanges(error: unknown): error is Problem | OAuthError {
  return (error instanceof Problem || error instanceof OAuthError) && error.keepsChanges;
}

/**
 * Idempotent operations answer JSON or nothing: what they answer must fit into a record. A reset of the sandbox removes
 * the answers about its records. What is no record of an environment, such as an API key, is still there after it.
 */
function storedResponseOf({ status, headers, body, mediaType }: ResponseMessage, touched: Environment | undefined, { environment, principal }: Caller, showsPersons: boolean): StoredResponse {
  if (body !== null && typeof body !== 'string') throw new TypeError('an idempotent operation answers with JSON');
  const kept = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  kept['X-Environment'] = touched ?? environment;
  if (mediaType !== null) kept['Content-Type'] = mediaType;
  return { environment: touched ?? 'live', status, headers: kept, body, personalData: showsPersons && principal.personalData === 'full' };
}

function replayed({ environment, status, headers, body }: StoredResponse): ResponseMessage {
  return { environment, status, headers: { ...headers, 'Idempotent-Replayed': 'true' }, mediaType: null, body };
}
