import type { Config } from '../base/config.ts';
import type { Logger } from '../base/log.ts';
import { areaOf, type Operation, type OperationId } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import { TenantChanged } from '../database/index.ts';
import { type Authenticator, CallerDenied } from '../identity/authentication.ts';
import type { Caller } from '../identity/caller.ts';
import { siteOf } from '../identity/client-address.ts';
import {
  lookupPolicy,
  policyOf,
  rateLimited,
  type RateLimiter,
  type RateLimitPolicy,
  type RateLimitStatus,
  tenantPolicy,
} from '../identity/rate-limit.ts';
import { type AccessDenialAudit, authorizer, requireStepUp, type VerifyStepUp } from './authorize.ts';
import { ClientGone } from './body.ts';
import { assertOwnPage } from './cookies.ts';
import { asOAuthError, internalError, reportableErrorOf, responseOf } from './error-mapping.ts';
import type { Exchange } from './exchange.ts';
import { type Handler, isBinary, type Lookups, NotReady, type Outcome, replier } from './handler.ts';
import { bodyLimitsOf } from './json-limits.ts';
import { accepts } from './media-type.ts';
import type { Metrics } from './metrics.ts';
import { type BodyExpectation, readParameters, receiveBody, type UploadedFiles, validateInput } from './receive.ts';
import { type ResponseMessage, sendResponse } from './response.ts';
import { type OperationExecution, transact, type TransactDependencies } from './transact.ts';
import type { OperationValidator, RequestInput, Violation } from './validate.ts';

/** The dependencies that all endpoints share. */
export interface EndpointDependencies extends TransactDependencies {
  readonly config: Config;
  readonly security: Authenticator;
  readonly limits: RateLimiter;
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
  readonly #policy: RateLimitPolicy;
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
    this.#policy = policyOf(operation, dependencies.config.rateLimits);
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
      platform: operation.transaction === 'platform',
      ownTransactions: operation.transaction === 'own',
      readOnly: operation.method === 'get' && operation.auditEvents.length === 0 && !operation.acknowledges,
      movesClock: areaOf(operation).isSandbox === true,
      render: (outcome) => this.#render(outcome),
      stepUp: (exchange, input) => this.#stepUp(exchange, input),
      lookups: (exchange) => this.#lookups(exchange),
      resultOfPatch: validator.resultOfPatch,
    };
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

  /**
   * Credential → permission and quota → parameters → `Accept` → body → contract → second factor →
   * handler in its transaction.
   */
  async #respond(exchange: Exchange, pathValues: readonly string[]): Promise<ResponseMessage> {
    if (this.operation.security.length > 0) {
      try {
        const caller = this.#dependencies.security.authenticate(
          this.operation,
          exchange.request.headers,
          exchange.clientIp,
        );
        exchange.caller = caller instanceof Promise ? await caller : caller;
      } catch (error) {
        if (error instanceof CallerDenied) this.#countDenial(exchange, error);
        throw error;
      }
    }
    this.#authorizeAndCount(exchange, pathValues);
    if (this.operation.browser) assertOwnPage(exchange.request.headers, this.#dependencies.config.publicUrl);
    const input = readParameters(this.#validator, exchange.request.headers, exchange.search, pathValues);
    this.#checkLookup(exchange, input.query);
    if (!accepts(exchange.request.headers.accept, this.#offered)) throw new Problem('not_acceptable');
    const receiving = receiveBody(exchange, this.#bodyExpectation);
    const received = receiving instanceof Promise ? await receiving : receiving;
    validateInput(this.#validator, input, received);
    // From this point on the request uses the database.
    exchange.permit?.startWork();
    if (this.operation.stepUp) await this.#stepUp(exchange, input);
    return this.#transact(exchange, pathValues, input, received.files);
  }

  /**
   * Repeats the transaction if the tenant no longer matches the credential cache, because another process has just
   * changed it. Repeats it also if the handler needs something that is still being built; meanwhile the request holds
   * neither a slot nor a connection.
   */
  async #transact(
    exchange: Exchange,
    pathValues: readonly string[],
    input: RequestInput,
    files: UploadedFiles | undefined,
  ): Promise<ResponseMessage> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const run = (): Promise<ResponseMessage> =>
          transact(this.#execution, this.#dependencies, exchange, input, files);
        return await (this.#execution.handler.turns?.run(exchange.caller?.principal.tenantId ?? '', run) ?? run());
      } catch (error) {
        if (error instanceof NotReady) {
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
    const { caller, clientIp } = exchange;
    this.#consumeQuota(exchange, caller === null ? siteOf(clientIp) : subjectOf(caller));
    if (caller !== null) this.#authorize(caller, pathValues);
    const exhausted = exchange.rateLimitStatuses.find(({ allowed }) => !allowed);
    if (exhausted !== undefined) throw rateLimited(exhausted);
  }

  /**
   * Checks a search for persons by an identifier: the search needs unmasked access and has a quota of its own, so that
   * a caller cannot try out values.
   */
  #checkLookup(exchange: Exchange, query: RequestInput['query']): void {
    const { caller } = exchange;
    const named = this.operation.needsFullData.parameters.filter((name) => query[name] !== undefined);
    if (caller === null || named.length === 0) return;
    if (caller.principal.personalData === 'masked') {
      const errors = named.map((parameter) => ({
        parameter,
        code: 'personal_data_masked',
        message: 'finds persons by what the caller is shown masked',
      }));
      throw new Problem('personal_data_masked', { errors });
    }
    const lookups = this.#lookups(exchange);
    lookups.assertLeft();
    lookups.count();
  }

  /** Returns the look-up quota of the caller. The header fields of the response state the remainder. */
  #lookups(exchange: Exchange): Lookups {
    const { limits, clock, config } = this.#dependencies;
    const policy = lookupPolicy(config.rateLimits);
    const take = (how: 'peek' | 'consume'): RateLimitStatus => {
      const status = limits[how](
        policy,
        exchange.caller === null ? siteOf(exchange.clientIp) : subjectOf(exchange.caller),
        clock().getTime(),
      );
      if (how === 'consume' || !status.allowed) exchange.rateLimitStatuses = [...exchange.rateLimitStatuses, status];
      return status;
    };
    return {
      assertLeft: () => {
        const status = take('peek');
        if (!status.allowed) throw rateLimited(status);
      },
      count: () => void take('consume'),
    };
  }

  /**
   * Consumes the quota of the credential, then that of the tenant. A request over the quota of its credential does not
   * use up the quota of the tenant.
   */
  #consumeQuota(exchange: Exchange, subject: string): void {
    const { limits, clock } = this.#dependencies;
    const { caller } = exchange;
    const now = clock().getTime();
    const own = limits.consume(this.#policy, subject, now);
    exchange.rateLimitStatuses =
      !own.allowed || caller === null || caller.tenantRatePerMinute === null
        ? [own]
        : [own, limits.consume(tenantPolicy(caller.tenantRatePerMinute), caller.principal.tenantId, now)];
  }

  /**
   * Counts a denial. A key that is used from a foreign address has a separate quota for each such address, so that
   * these attempts neither use up the owner's quota nor flood the log.
   */
  #countDenial(exchange: Exchange, denial: CallerDenied): void {
    exchange.caller = denial.caller;
    const { limits, clock } = this.#dependencies;
    const subject =
      denial.code === 'ip_not_allowed'
        ? `${siteOf(exchange.clientIp)} ${denial.caller.principal.client}`
        : subjectOf(denial.caller);
    exchange.rateLimitStatuses = [limits.consume(this.#policy, subject, clock().getTime())];
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
    if (exchange.caller === null) throw new Problem('step_up_required');
    return requireStepUp(verifyStepUp, exchange, exchange.caller, input.headers['x-totp-code'], clock());
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

function subjectOf({ principal: { tenantId, quotaOf } }: Caller): string {
  return `${tenantId} ${quotaOf}`;
}

function describe(violations: readonly Violation[]): string {
  return violations
    .slice(0, 10)
    .map(({ at, rule }) => `${at} ${rule}`.trim())
    .join('; ');
}
