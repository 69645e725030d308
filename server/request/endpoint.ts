/**
 * The pipeline of one operation, from the credential to the sent response. Created by api.ts for every operation. The
 * order of the steps is a security property: nothing about a record may be revealed before the caller is authorized. A
 * response that breaks the contract is never committed in strict mode.
 */
import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import { areaOf, type Operation, type OperationId } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import { TenantChanged } from '../database/index.ts';
import { type Authenticator, CallerDenied } from '../identity/authentication.ts';
import { rateLimited } from '../identity/rate-limit.ts';
import { type AccessDenialAudit, authorizer, isShown, requireStepUp, type VerifyStepUp } from './authorize.ts';
import { ClientGone } from './body.ts';
import { assertOwnPage } from './cookies.ts';
import { EndpointQuotas, type QuotaDependencies } from './endpoint-quotas.ts';
import { asOAuthError, internalError, reportableErrorOf, responseOf } from './error-mapping.ts';
import type { Exchange } from './exchange.ts';
import { type Handler, isBinary, NotReady, type Outcome, replier } from './handler.ts';
import { bodyLimitsOf } from './body-limits.ts';
import { accepts } from './media-type.ts';
import type { Metrics } from './metrics.ts';
import { type BodyExpectation, readParameters, receiveBody, validateInput } from './receive.ts';
import { type ResponseMessage, sendResponse } from './response.ts';
import { type OperationExecution, type ReceivedRequest, transact, type TransactDependencies } from './transact.ts';
import type { OperationValidator, RequestInput, Violation } from './validate.ts';
import type { BodyRuleCheck } from './validation-errors.ts';

/** The dependencies that all endpoints share. */
export interface EndpointDependencies extends TransactDependencies, QuotaDependencies {
  readonly config: Config;
  readonly security: Authenticator;
  readonly denials: AccessDenialAudit;
  readonly verifyStepUp: VerifyStepUp;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/**
 * Maximum number of attempts if another process changes the tenant during a request; a tenant does not change more
 * often in that time.
 */
const MAX_ATTEMPTS = 5;

/** Thrown in strict mode if a response breaks the contract, before anything is committed or sent. */
class ContractViolation extends Error {
  override readonly name = 'ContractViolation';
}

/**
 * One operation of the contract with everything that can be prepared at the start of the service. `serve` is the
 * request pipeline.
 */
export class Endpoint {
  readonly operation: Operation;
  readonly #dependencies: EndpointDependencies;
  readonly #validator: OperationValidator;
  readonly #authorize: ReturnType<typeof authorizer>;
  readonly #quotas: EndpointQuotas;
  readonly #offered: readonly string[];
  readonly #bodyExpectation: BodyExpectation;
  readonly #execution: OperationExecution;
  readonly #hasOAuthErrors: boolean;

  constructor(
    operation: Operation,
    validator: OperationValidator,
    handler: Handler<OperationId>,
    dependencies: EndpointDependencies,
  ) {
    this.operation = operation;
    this.#dependencies = dependencies;
    this.#validator = validator;
    this.#authorize = authorizer(operation);
    this.#quotas = new EndpointQuotas(operation, dependencies);
    this.#offered = Object.entries(operation.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, types]) => types);
    this.#bodyExpectation = {
      mediaTypes: operation.requestTypes,
      required: validator.bodyRequired,
      fileParts: validator.fileParts,
      limits: bodyLimitsOf(operation.operationId),
    };
    this.#hasOAuthErrors = operation.responses['400']?.includes('application/problem+json') === false;
    this.#execution = {
      operationId: operation.operationId,
      path: operation.path,
      handler,
      reply: replier(operation),
      idempotent: operation.idempotent,
      showsPersons: operation.showsPersons,
      auditChain: operation.sealed.length > 0 ? 'sealed' : 'open',
      platform: operation.transaction === 'platform',
      ownTransactions: operation.transaction === 'own',
      readOnly: operation.method === 'get' && operation.auditEvents.length === 0 && !operation.acknowledges,
      movesClock: areaOf(operation).isSandbox === true,
      render: (outcome) => this.#render(outcome),
      stepUp: (exchange, input) => this.#stepUp(exchange, input),
      lookups: (exchange) => this.#quotas.lookups(exchange),
      resultOfPatch: validator.resultOfPatch,
    };
  }

  /**
   * Tells whether the operation exists for the caller of a request. A sealed one does for people with one of its roles,
   * and for tokens that have ended, because a client renews those and asks again. Everybody else is answered as if the
   * path did not exist, before anything else of the request is looked at.
   */
  async isShownTo({ request: { headers }, clientIp }: Exchange): Promise<boolean> {
    if (!this.isSealed) return true;
    try {
      const { principal } = await this.#dependencies.security.authenticate(this.operation, headers, clientIp);
      return isShown(this.operation, principal);
    } catch (error) {
      if (error instanceof CallerDenied) return isShown(this.operation, error.caller.principal);
      // A failure that is not a refusal, such as a database that does not answer, is reported by `serve`.
      return !(error instanceof Problem) || error.code === 'token_expired' || error.code === 'token_revoked';
    }
  }

  get isSealed(): boolean {
    return this.operation.sealed.length > 0;
  }

  async serve(exchange: Exchange, pathValues: readonly string[]): Promise<void> {
    exchange.label = this.operation.operationId;
    let answer: ResponseMessage;
    try {
      answer = await this.#respond(exchange, pathValues);
    } catch (error) {
      if (error instanceof ClientGone) return;
      if (error instanceof Problem && error.status === 403) await this.#recordDenial(exchange, error);
      answer = this.#refuse(error, exchange);
    }
    try {
      sendResponse(exchange, answer);
    } catch (error) {
      // Writing can fail, for example because of an invalid header field.
      sendResponse(exchange, this.#refuse(error, exchange));
    }
  }

  /** Credential → permission and quota → parameters → `Accept` → body → contract → second factor → transaction. */
  async #respond(exchange: Exchange, pathValues: readonly string[]): Promise<ResponseMessage> {
    if (this.operation.security.length > 0) {
      try {
        const { headers } = exchange.request;
        const caller = this.#dependencies.security.authenticate(this.operation, headers, exchange.clientIp);
        exchange.caller = caller instanceof Promise ? await caller : caller;
      } catch (error) {
        if (error instanceof CallerDenied) this.#quotas.countDenial(exchange, error);
        throw error;
      }
    }
    this.#authorizeAndCount(exchange, pathValues);
    const { headers } = exchange.request;
    if (this.operation.browser) assertOwnPage(headers, this.#dependencies.config.publicUrl);
    const input = readParameters(this.#validator, headers, exchange.search, pathValues);
    this.#quotas.checkLookup(exchange, input.query);
    if (!accepts(headers.accept, this.#offered)) throw new Problem('not_acceptable');
    const receiving = receiveBody(exchange, this.#bodyExpectation);
    const received = receiving instanceof Promise ? await receiving : receiving;
    validateInput(this.#validator, input, received, this.#execution.handler.faults as BodyRuleCheck | undefined);
    // From this point on the request uses the database.
    exchange.permit?.startWork();
    if (this.operation.stepUp) await this.#stepUp(exchange, input);
    return this.#transact(exchange, pathValues, { input, files: received.files });
  }

  /**
   * Repeats the transaction if the tenant no longer matches the credential cache, because another process has just
   * changed it. Repeats it also if the handler needs something that is still being built; meanwhile the request holds
   * neither a slot nor a connection.
   */
  async #transact(
    exchange: Exchange,
    pathValues: readonly string[],
    received: ReceivedRequest,
  ): Promise<ResponseMessage> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const run = (): Promise<ResponseMessage> => {
          // A request that has waited counts as working again from here on.
          exchange.permit?.startWork();
          return transact(this.#execution, this.#dependencies, exchange, received);
        };
        return await (this.#execution.handler.fairQueue?.run(exchange.caller?.principal.tenantId ?? '', run) ?? run());
      } catch (error) {
        if (error instanceof NotReady) {
          exchange.permit?.startWaiting();
          await error.ready;
          attempt -= 1;
          continue;
        }
        if (!(error instanceof TenantChanged) || attempt === MAX_ATTEMPTS || exchange.caller === null) throw error;
        exchange.caller = await this.#dependencies.security.reauthenticate(
          exchange.caller,
          this.operation,
          exchange.request.headers,
          exchange.clientIp,
        );
        this.#authorize(exchange.caller, pathValues);
      }
    }
  }

  /** Checks the permission before the quota: a caller without permission gets 403 even if its quota is used up. */
  #authorizeAndCount(exchange: Exchange, pathValues: readonly string[]): void {
    this.#quotas.consume(exchange);
    if (exchange.caller !== null) this.#authorize(exchange.caller, pathValues);
    const exhausted = exchange.rateLimitStatuses.find(({ allowed }) => !allowed);
    if (exhausted !== undefined) throw rateLimited(exhausted);
  }

  /**
   * Records the refusal of an authenticated caller, but only within the quota, because refusals must not flood the
   * audit log.
   */
  async #recordDenial(exchange: Exchange, denial: Problem): Promise<void> {
    if (exchange.rateLimitStatuses.every(({ allowed }) => allowed))
      await this.#dependencies.denials.record(this.operation, exchange, denial);
  }

  #stepUp(exchange: Exchange, input: RequestInput): Promise<void> {
    const { verifyStepUp, clock } = this.#dependencies;
    return requireStepUp(verifyStepUp, exchange, input.headers['x-totp-code'], clock());
  }

  #render(outcome: Outcome): ResponseMessage {
    const { status, mediaType, headers, body } = outcome;
    this.#check(status, mediaType, body);
    if (mediaType === null)
      return {
        status,
        mediaType,
        headers,
        body: null,
      };
    // RFC 6749 §5.1 requires Pragma beside Cache-Control.
    return {
      status,
      mediaType,
      headers: this.#hasOAuthErrors ? { ...headers, Pragma: 'no-cache' } : headers,
      body: isBinary(outcome) ? outcome.body : JSON.stringify(body),
    };
  }

  #refuse(error: unknown, exchange: Exchange): ResponseMessage {
    const { log } = this.#dependencies;
    let refusal = reportableErrorOf(error);
    if (refusal === null)
      log.error({ requestId: exchange.requestId, operation: exchange.label, err: error }, 'a request failed');
    else if (refusal.status === 503 && refusal.code !== 'overloaded')
      log.warn(
        { requestId: exchange.requestId, operation: exchange.label, err: error },
        'a request could not be answered',
      );
    refusal ??= internalError();
    if (this.#hasOAuthErrors) refusal = asOAuthError(refusal);
    exchange.problemCode = refusal.code;
    const answer = responseOf(refusal, exchange.requestId);
    if (refusal.status === 500) return answer;
    try {
      this.#check(answer.status, answer.mediaType, JSON.parse(String(answer.body)));
    } catch (violation) {
      log.error(
        {
          requestId: exchange.requestId,
          operation: exchange.label,
          code: refusal.code,
          err: violation,
        },
        'a refusal breaks the contract',
      );
      return responseOf(internalError(), exchange.requestId);
    }
    return answer;
  }

  /** Validates a response against the contract. Throws a violation in strict mode, otherwise logs it. */
  #check(status: number, mediaType: string | null, body: unknown): void {
    const violations = this.#validator.response(status, mediaType, body);
    if (violations === null) return;
    const { metrics, log, config } = this.#dependencies;
    const { operationId } = this.operation;
    metrics.violation(operationId, status);
    if (config.responseValidation === 'strict')
      throw new ContractViolation(`${operationId} ${status}: ${describe(violations)}`);
    log.error({ operation: operationId, status, violations }, 'an answer breaks the contract');
  }
}

function describe(violations: readonly Violation[]): string {
  return violations
    .slice(0, 10)
    .map(({ at, rule }) => `${at} ${rule}`.trim())
    .join('; ');
}
