/**
 * Limits how many requests are in progress, and how many bytes of bodies are in memory. Created by server/app.ts and
 * used for every request through the lifecycle. Refuses with 503 and never queues. No address may take so much that
 * another finds nothing; a permit that is not given back would shrink the capacity for good.
 */
import { unavailable } from '../contract/problem.ts';

export interface Capacity {
  /**
   * Complete requests that use the database. Further ones are refused with 503, because a queue would only delay all of
   * them.
   */
  readonly working: number;
  /** Requests whose body is still arriving. They cost only a connection and memory, so the limit may be higher. */
  readonly receiving: number;
  /** Requests that wait for something outside of a transaction, such as work. They cost as little. */
  readonly waiting: number;
  /** Total bytes of all request bodies in memory. */
  readonly bodyBytes: number;
}

type Load = { -readonly [P in keyof Capacity]: number };

/** Size up to which a body is not counted, because it costs no more than its connection. */
const FREE_BYTES = 1024;

/**
 * Bounds the number of requests in progress. Slow senders have a capacity of their own, so that they never use up the
 * capacity for complete requests. The share of one address never exceeds the capacity that it leaves free: a single
 * address gets at most a half, two get a third each, and so a further address always finds some capacity.
 */
export class Admission {
  readonly #capacity: Capacity;
  readonly #load: Load = {
    working: 0,
    receiving: 0,
    waiting: 0,
    bodyBytes: 0,
  };
  readonly #sites = new Map<string, Load & { permits: number }>();
  readonly #onRefusal: () => void;

  constructor(capacity: Capacity, onRefusal: () => void) {
    this.#capacity = capacity;
    this.#onRefusal = onRefusal;
  }

  get load(): Capacity {
    return { ...this.#load };
  }

  /** Returns the permit of a request. Throws 503 if the address has used its share of the capacity. */
  admit(hasBody: boolean, site: string): AdmissionPermit {
    const own = this.#sites.get(site) ?? {
      working: 0,
      receiving: 0,
      waiting: 0,
      bodyBytes: 0,
      permits: 0,
    };
    const permit = new AdmissionPermit(
      hasBody ? 'receiving' : 'working',
      (resource, amount) => {
        if (amount > 0 && own[resource] + amount > this.#capacity[resource] - this.#load[resource]) {
          this.#onRefusal();
          throw unavailable('overloaded');
        }
        own[resource] += amount;
        this.#load[resource] += amount;
      },
      () => {
        if (--own.permits === 0) this.#sites.delete(site);
      },
    );
    own.permits++;
    this.#sites.set(site, own);
    return permit;
  }
}

type Counted = 'receiving' | 'working' | 'waiting';
type State = Counted | 'arriving' | 'released';

const isCounted = (state: State): state is Counted => state !== 'arriving' && state !== 'released';

/**
 * The share of the capacity that one request uses, from its header section until its response is
 * handed to the connection.
 */
export class AdmissionPermit {
  readonly #add: (resource: keyof Capacity, amount: number) => void;
  readonly #onRelease: () => void;
  #state: State;
  #reservedBytes = 0;

  constructor(
    state: 'receiving' | 'working',
    add: (resource: keyof Capacity, amount: number) => void,
    onRelease: () => void,
  ) {
    add(state, 1);
    this.#state = state;
    this.#add = add;
    this.#onRelease = onRelease;
  }

  /**
   * Notes that the caller is authenticated and the body is awaited. The request is not counted until the first kilobyte
   * of its body has arrived.
   */
  awaitBody(): void {
    if (this.#state === 'receiving') this.#become('arriving');
  }

  /** Notes that processing starts, or goes on after a wait. Throws 503 if too many requests are in progress. */
  startWork(): void {
    if (this.#state !== 'working' && this.#state !== 'released') this.#become('working');
  }

  /** Notes that the request holds no connection until what it waits for is there. Throws 503 if too many wait. */
  startWaiting(): void {
    if (this.#state === 'working') this.#become('waiting');
  }

  /** Counts received bytes of the body. Throws 503 if the bodies in memory are too large in total. */
  reserveBodyBytes(bytes: number): void {
    if (this.#state === 'released') return;
    if (this.#state === 'arriving' && this.#reservedBytes + bytes > FREE_BYTES) this.#become('receiving');
    this.#add('bodyBytes', bytes);
    this.#reservedBytes += bytes;
  }

  release(): void {
    if (this.#state === 'released') return;
    this.#add('bodyBytes', -this.#reservedBytes);
    this.#become('released');
    this.#onRelease();
  }

  #become(state: State): void {
    if (isCounted(state)) this.#add(state, 1);
    if (isCounted(this.#state)) this.#add(this.#state, -1);
    this.#state = state;
  }
}
