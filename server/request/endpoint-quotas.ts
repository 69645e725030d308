/**
 * Counts requests of an operation against the quotas of credential, address and tenant. Used by the endpoint. Over a
 * quota the request is refused with 429; searches by an identifier of a person have a quota of their own, so that
 * nobody can try out values.
 */
import type { Config } from '../base/config.ts';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../contract/problem.ts';
import type { CallerDenied } from '../identity/authentication.ts';
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
import type { Exchange } from './exchange.ts';
import type { Lookups } from './handler.ts';
import type { RequestInput } from './validate.ts';

export interface QuotaDependencies {
  readonly config: Config;
  readonly limits: RateLimiter;
  readonly clock: () => Date;
}

/** Counts the requests of one operation against the quotas of their callers. */
export class EndpointQuotas {
  readonly #operation: Operation;
  readonly #dependencies: QuotaDependencies;
  readonly #policy: RateLimitPolicy;

  constructor(operation: Operation, dependencies: QuotaDependencies) {
    this.#operation = operation;
    this.#dependencies = dependencies;
    this.#policy = policyOf(operation, dependencies.config.rateLimits);
  }

  /**
   * Consumes the quota of the credential, then that of the tenant. A request over the quota of its credential does not
   * use up the quota of the tenant. Nor does a sealed operation, because all callers of the tenant see what is left.
   */
  consume(exchange: Exchange): void {
    const { limits, clock } = this.#dependencies;
    const { caller } = exchange;
    const now = clock().getTime();
    const own = limits.consume(this.#policy, countedAs(exchange), now);
    exchange.rateLimitStatuses =
      !own.allowed || caller === null || caller.tenantRatePerMinute === null || this.#operation.sealed.length > 0
        ? [own]
        : [own, limits.consume(tenantPolicy(caller.tenantRatePerMinute), caller.principal.tenantId, now)];
  }

  /**
   * Checks a search for persons by an identifier: the search needs unmasked access and has a quota of its own, so that
   * a caller cannot try out values.
   */
  checkLookup(exchange: Exchange, query: RequestInput['query']): void {
    const { caller } = exchange;
    const named = this.#operation.needsFullData.parameters.filter((name) => query[name] !== undefined);
    if (caller === null || named.length === 0) return;
    if (caller.principal.personalData === 'masked') {
      const errors = named.map((parameter) => ({
        parameter,
        code: 'personal_data_masked',
        message: 'finds persons by what the caller is shown masked',
      }));
      throw new Problem('personal_data_masked', { errors });
    }
    const lookups = this.lookups(exchange);
    lookups.assertLeft();
    lookups.count();
  }

  /** Returns the look-up quota of the caller. The header fields of the response state the remainder. */
  lookups(exchange: Exchange): Lookups {
    const { limits, clock, config } = this.#dependencies;
    const policy = lookupPolicy(config.rateLimits);
    const take = (how: 'peek' | 'consume'): RateLimitStatus => {
      const status = limits[how](policy, countedAs(exchange), clock().getTime());
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
   * Counts a denial. A key that is used from a foreign address has a separate quota for each such address, so that
   * these attempts neither use up the owner's quota nor flood the log.
   */
  countDenial(exchange: Exchange, denial: CallerDenied): void {
    exchange.caller = denial.caller;
    const { limits, clock } = this.#dependencies;
    const subject =
      denial.code === 'ip_not_allowed'
        ? `${siteOf(exchange.clientIp)} ${denial.caller.principal.client}`
        : subjectOf(denial.caller);
    exchange.rateLimitStatuses = [limits.consume(this.#policy, subject, clock().getTime())];
  }
}

/** Returns the subject of a quota: the credential of the request, or its address if it has no credential. */
function countedAs({ caller, clientIp }: Exchange): string {
  return caller === null ? siteOf(clientIp) : subjectOf(caller);
}

function subjectOf({ principal: { tenantId, quotaOf } }: Caller): string {
  return `${tenantId} ${quotaOf}`;
}
