/**
 * The connections of one participant: certificate, pool and rate limits. Used by client.ts. A call waits for its rate
 * and is refused locally if the wait is too long, so that the directory does not refuse it.
 */
import type { X509Certificate } from 'node:crypto';
import type { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { DirectoryError, type Policy, unreadable } from './directory.ts';
import { type PolicyName, type Rate, TokenBucket } from './rate-limits.ts';
import {
  type ClientIdentity,
  get,
  type HttpAnswer,
  keepAliveAgent,
  secureContext,
  type Timeouts,
} from './transport.ts';
import {
  problemKind,
  readAnswer,
  readPolicy,
  readProblem,
  type VerifiedAnswer,
  withAnswerDigest,
} from './wire/answers.ts';

export interface ConnectionOptions {
  /** Base URL of the API, such as `https://dict.pi.rsfn.net.br:16422/api/v2/`. */
  readonly url: URL;
  /** PEM. The only authorities that may have issued the server's certificate. */
  readonly authorities: string;
  /** Certificates whose signatures are trusted; two while the directory replaces its certificate. */
  readonly signers: readonly X509Certificate[];
  readonly timeouts: Timeouts;
  readonly rates: Readonly<Record<PolicyName, Rate>>;
  /** Longest time in seconds that a call waits for a rate limit before it is refused locally. */
  readonly maxWaitSeconds: number;
}

export interface ApiRequest {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly policy: PolicyName;
  /** Root element of the answer. */
  readonly answer: string;
}

/** Connections of one participant to the directory: their pool, certificate and rates. */
export class Connection {
  readonly #ispb: string;
  readonly #options: ConnectionOptions;
  readonly #agent: Agent;
  readonly #buckets = new Map<PolicyName, TokenBucket>();
  readonly #closed = new AbortController();

  constructor(ispb: string, identity: ClientIdentity, options: ConnectionOptions) {
    this.#ispb = ispb;
    this.#options = options;
    this.#agent = keepAliveAgent(secureContext(identity, options.authorities));
  }

  async call(question: ApiRequest): Promise<VerifiedAnswer> {
    await this.#turn(question.policy);
    const url = new URL(question.path, this.#options.url);
    for (const [name, value] of Object.entries(question.query ?? {})) url.searchParams.set(name, value);
    const headers = { 'Accept': 'application/xml', 'Accept-Encoding': 'gzip', 'PI-RequestingParticipant': this.#ispb };
    const answer = await get(url, headers, this.#agent, this.#options.timeouts);
    if (answer.status === 200)
      return withAnswerDigest(answer.body, () => readAnswer(answer.body, question.answer, this.#options.signers));
    if (answer.status < 400) throw unreadable('it is no answer of the API');
    throw await this.#refusal(answer, question.policy);
  }

  async policy(name: string): Promise<Policy> {
    const { content } = await this.call({
      path: `policies/${encodeURIComponent(name)}`,
      policy: 'POLICIES_READ',
      answer: 'GetPolicyResponse',
    });
    return readPolicy(content);
  }

  /** Tokens left of every rate that was used. */
  get tokens(): ReadonlyMap<PolicyName, number> {
    return new Map([...this.#buckets].map(([policy, bucket]) => [policy, bucket.tokens]));
  }

  tokensOf(policy: PolicyName): number {
    return this.#bucket(policy).tokens;
  }

  close(): void {
    this.#closed.abort();
    this.#agent.destroy();
  }

  #bucket(policy: PolicyName): TokenBucket {
    const bucket = this.#buckets.get(policy) ?? new TokenBucket(this.#options.rates[policy], () => performance.now());
    this.#buckets.set(policy, bucket);
    return bucket;
  }

  async #turn(policy: PolicyName): Promise<void> {
    const bucket = this.#bucket(policy);
    const wait = bucket.take(this.#options.maxWaitSeconds);
    if (wait === null)
      throw new DirectoryError('RateLimited', `The rate of ${policy} is used up`, {
        retryAfterSeconds: bucket.secondsToNext(),
      });
    try {
      if (wait > 0) await sleep(wait * 1000, undefined, { signal: this.#closed.signal });
    } catch {
      throw new DirectoryError('Transport', 'The client was closed');
    }
  }

  async #refusal({ body, status, headers }: HttpAnswer, policy: PolicyName): Promise<DirectoryError> {
    const kind = problemKind(readProblem(body, this.#options.signers), status);
    const announced = /^\d{1,6}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : null;
    const retryAfterSeconds = kind === 'RateLimited' ? (announced ?? (await this.#relearn(policy))) : announced;
    return new DirectoryError(kind, `The directory refused (${kind})`, { retryAfterSeconds });
  }

  /** Corrects the local count after a 429 by asking the directory for its own, if the policy can be read. */
  async #relearn(policy: PolicyName): Promise<number | null> {
    const bucket = this.#bucket(policy);
    bucket.empty();
    if (policy === 'POLICIES_READ' || policy === 'FUNDS_RECOVERIES') return null;
    try {
      const state = await this.policy(policy);
      bucket.correct(state);
      return state.refillPeriodSeconds;
    } catch {
      // The caller must get the 429. Without this number it waits by its own rule.
      return null;
    }
  }
}
