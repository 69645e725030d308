/**
 * A model of the feed with all faults of a network. Used by the property tests of following; its complaints say what a
 * client did that it must not do.
 */
import type { Fetch } from '../../src/index.ts';
import type { Random } from './random.ts';

/** What may go wrong with a request, before or after it took effect. */
const FAULTS = ['refused', 'lost', 429, 503, 500, 'stale', 'empty'] as const;

/**
 * A feed as the service keeps it, on a clock of its own: numbered events that are published in the course of
 * time, one consumer's position, and every fault of the way there. It complains as soon as it is asked for what a
 * client must not ask for.
 */
export class FeedModel {
  /** Milliseconds. */
  now = 0;
  acknowledged = 0;
  /** The last event that the consumer has processed; all before it are, too. */
  processed = 0;
  expiries = 0;
  requests = 0;
  /** What the client did that it must not do; thrown here it would look like a failed connection. */
  violation: string | null = null;
  readonly #random: Random;
  readonly #arrivals: readonly number[];
  #generation = 1;
  #notBefore = 0;
  #last: { readonly from: number; readonly to: number } | null = null;
  readonly #healthy: boolean;
  readonly #pending = new Set<Request>();

  constructor(random: Random, { events, healthy = false }: { readonly events: number; readonly healthy?: boolean }) {
    this.#random = random;
    this.#healthy = healthy;
    this.#arrivals = Array.from({ length: events }, () => random.upTo(20) * 60_000).sort((a, b) => a - b);
  }

  get complete(): boolean {
    return this.processed === this.#arrivals.length;
  }

  /** A process that has just begun knows nothing of what the one before it was told. */
  forget(): void {
    this.#notBefore = 0;
  }

  readonly fetch: Fetch = async (address, init) => {
    this.requests += 1;
    const request = new Request(address, init);
    const url = new URL(request.url);
    const acknowledges = request.method === 'POST';
    const cursor = acknowledges
      ? ((await request.json()) as { cursor: string }).cursor
      : url.searchParams.get('cursor');
    if (!acknowledges && this.now < this.#notBefore)
      this.violation ??= `asked ${this.#notBefore - this.now} ms too early`;
    const fault = this.#fault();
    if (fault === 'refused')
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) });
    if (typeof fault === 'number') return this.#failure(fault);
    if (!this.#healthy && this.#random.chance(0.02)) {
      this.#generation += 1;
      this.expiries += 1;
    }
    const answer = acknowledges
      ? this.#acknowledge(cursor ?? '')
      : this.#page(cursor, Number(url.searchParams.get('limit') ?? 100), fault);
    if (fault === 'lost')
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
    if (fault === 'hangs') return this.#never(request);
    return answer();
  };

  /** Hanging is rare, because only it takes real time. */
  #fault(): 'none' | 'hangs' | (typeof FAULTS)[number] {
    if (this.#healthy || this.#random.chance(0.6)) return 'none';
    return this.#random.chance(0.01) ? 'hangs' : this.#random.of(FAULTS);
  }

  /** A request is held here as a connection would hold it: else it could be collected before its signal fires. */
  #never(request: Request): Promise<Response> {
    this.#pending.add(request);
    return new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => {
        this.#pending.delete(request);
        reject(request.signal.reason as Error);
      });
    });
  }

  #failure(status: number): Response {
    const seconds = this.#random.of([null, 1, 7, 3600]);
    if (seconds !== null) this.#notBefore = this.now + seconds * 1000;
    // What stands before the service answers without a problem document.
    return new Response('<h1>Bad gateway</h1>', {
      status,
      headers: { 'content-type': 'text/html', ...(seconds === null ? {} : { 'retry-after': String(seconds) }) },
    });
  }

  #position(cursor: string): number | null {
    const [generation, position] = cursor.split('.').map(Number);
    if (generation !== this.#generation) return null;
    if (position! > this.processed)
      this.violation ??= `acknowledged ${position} although only ${this.processed} were processed`;
    this.acknowledged = Math.max(this.acknowledged, position!);
    return position!;
  }

  #acknowledge(cursor: string): () => Response {
    return this.#position(cursor) === null ? expired : () => new Response(null, { status: 204 });
  }

  #page(cursor: string | null, limit: number, fault: 'none' | 'lost' | 'hangs' | 'stale' | 'empty'): () => Response {
    const from = cursor === null ? this.acknowledged : this.#position(cursor);
    if (from === null) return expired;
    const published = this.#arrivals.filter((at) => at <= this.now).length;
    const to = fault === 'empty' && from > 0 ? from : Math.min(published, from + limit);
    const hasMore = to < published;
    // Asked at the tail, the server tells when to come back; a client that never hears it is bound by nothing.
    const seconds = hasMore ? 0 : 60 * (1 + this.#random.upTo(30));
    if (fault === 'stale' && this.#last?.to === from && cursor !== null)
      return () => this.#answer(this.#last!, true, 0);
    const page = { from, to };
    return () => {
      this.#last = page;
      this.#notBefore = this.now + seconds * 1000;
      return this.#answer(page, hasMore, seconds);
    };
  }

  #answer({ from, to }: { readonly from: number; readonly to: number }, hasMore: boolean, seconds: number): Response {
    const events = Array.from({ length: to - from }, (_, index) => event(from + index + 1));
    const headers = { 'x-poll-interval': String(seconds) };
    return Response.json({ events, cursor: to === 0 ? null : `${this.#generation}.${to}`, hasMore }, { headers });
  }
}

/** Three recoveries take turns. */
function event(number: number): object {
  return {
    eventId: `fre_${number}`,
    environment: 'live',
    fundsRecoveryId: `recovery-${number % 3}`,
    eventType: 'FUNDS_RECOVERY_TRACKED',
    status: 'TRACKED',
    timestamp: '2026-11-21T12:00:00.000Z',
    rawPayload: null,
  };
}

function expired(): Response {
  return Response.json(
    {
      type: '/problems/cursor_expired',
      title: 'Cursor expired',
      status: 400,
      code: 'cursor_expired',
    },
    { status: 400, headers: { 'content-type': 'application/problem+json' } },
  );
}
