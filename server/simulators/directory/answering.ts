/**
 * Answers the requests of the directory API (DICT) from the simulated state of the caller's tenant. Used by server.ts.
 */
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Logger } from '../../base/log.ts';
import { type Database, DatabaseUnavailable } from '../../database/index.ts';
import { sandboxIspb } from './core/values.ts';
import { type AnswerFault, takeFault } from './journal.ts';
import { StateCache } from './state.ts';
import { findTenants } from './store.ts';
import { policyOf, routeOf } from './wire/operations.ts';
import { Buckets, type DirectoryPolicy, type DirectoryRates } from './wire/rate-limits.ts';
import { type Answer, forbidden, notFound, Query, rateLimited, Refusal, unavailable } from './wire/request.ts';

/** Finds the tenant that a participant of the simulated directory belongs to. */
class ParticipantTenants {
  readonly #database: Database;
  readonly #tenants = new Map<string, string>();

  constructor(database: Database) {
    this.#database = database;
  }

  async tenantOf(ispb: string): Promise<string | null> {
    if (!this.#tenants.has(ispb)) {
      // An ISPB is a digest of the tenant's id, so it is found by computing all of them. New tenants are rare.
      const tenants = await this.#database.platform({ tenantId: null, readOnly: true }, (tx) =>
        tx.run(findTenants, {}),
      );
      for (const { id } of tenants) this.#tenants.set(sandboxIspb(id), id);
    }
    return this.#tenants.get(ispb) ?? null;
  }
}

/** Faults that alter a finished answer while it is sent. */
type Disturbance = Extract<AnswerFault, 'slow' | 'truncated' | 'wrong_signature' | 'clock_skew'>;

export interface Reply {
  readonly answer: Answer | Refusal;
  /** Time of the directory's clock; null if the sandbox is unknown. */
  readonly now: number | null;
  readonly disturbances: ReadonlySet<Disturbance>;
}

const transitFaults: readonly Disturbance[] = ['slow', 'truncated', 'wrong_signature', 'clock_skew'];
const retryAfterSeconds = 30;

interface RequestAnswererOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly rates: DirectoryRates;
}

/** Answers the requests of participants. `server.ts` writes the answers to the socket. */
export class RequestAnswerer {
  readonly #options: RequestAnswererOptions;
  readonly #callers: ParticipantTenants;
  readonly #states: StateCache;
  readonly #buckets: Buckets;

  constructor(options: RequestAnswererOptions) {
    this.#options = options;
    this.#callers = new ParticipantTenants(options.database);
    this.#states = new StateCache(options.database, options.clock);
    this.#buckets = new Buckets(options.rates, () => performance.now());
  }

  async reply(request: IncomingMessage): Promise<Reply> {
    const context: { now: number | null; disturbances: Set<Disturbance> } = { now: null, disturbances: new Set() };
    try {
      return { answer: await this.#answer(request, context), ...context };
    } catch (error) {
      if (error instanceof Refusal) return { answer: error, ...context };
      if (error instanceof DatabaseUnavailable) return { answer: unavailable(retryAfterSeconds), ...context };
      this.#options.log.error({ err: error }, 'the simulated directory failed');
      return { answer: new Refusal(500, 'InternalServerError', 'Unexpected'), ...context };
    }
  }

  async #answer(
    request: IncomingMessage,
    context: { now: number | null; readonly disturbances: Set<Disturbance> },
  ): Promise<Answer> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://localhost');
    const query = new Query(searchParams);
    const route = request.method === 'GET' ? routeOf(pathname, query) : null;
    const policy = request.method === 'GET' ? policyOf(pathname) : null;
    const ispb = participantOf(request);
    const tenantId = await this.#callers.tenantOf(ispb);
    if (tenantId === null) throw forbidden('No participant');
    if (policy !== null) return this.#policy(ispb, policy);
    if (route === null) throw notFound('No such resource');
    if (route.policy !== null) this.#pay(ispb, route.policy);
    const { state, generation, faults } = await this.#states.of(tenantId);
    context.now = state.now;
    const disturbedBy = async (fault: AnswerFault): Promise<boolean> =>
      (faults[fault] ?? 0) > 0 && this.#options.database.platform({ tenantId }, (tx) => takeFault(tx, fault));
    if (await disturbedBy('slow')) context.disturbances.add('slow');
    if (await disturbedBy('rate_limited')) throw rateLimited();
    if (await disturbedBy('unavailable')) throw unavailable(retryAfterSeconds);
    const answer = await route.answer({
      query,
      state,
      generation,
      disturbedBy,
    });
    for (const fault of transitFaults)
      if (fault !== 'slow' && (await disturbedBy(fault))) context.disturbances.add(fault);
    return answer;
  }

  /** Takes one token for the answer, or answers 429 if none is left, as the real directory does. */
  #pay(ispb: string, policy: DirectoryPolicy): void {
    if (!this.#buckets.take(ispb, policy)) throw rateLimited();
  }

  #policy(ispb: string, name: string): Answer {
    this.#pay(ispb, 'POLICIES_READ');
    const described = this.#buckets.describe(ispb, name);
    if (described === null) throw notFound('No such policy');
    return { root: 'GetPolicyResponse', content: { Policy: described } };
  }
}

/** Returns the participant of the client certificate. A header may repeat its number but not contradict it. */
function participantOf({ socket, headers }: IncomingMessage): string {
  const name = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
  if (typeof name !== 'string') throw forbidden('No certificate');
  const claimed = headers['pi-requestingparticipant'];
  if (claimed !== undefined && claimed !== name) throw forbidden('The certificate is that of another participant');
  return name;
}
