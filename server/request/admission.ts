import { unavailable } from '../contract/problem.ts';

export interface Capacity {
  /** Requests that are complete and use the database. More are refused with 503, because a queue would only make all of them late. */
  readonly working: number;
  /** Requests whose body is still arriving. They cost a connection and memory only, so there may be more of them. */
  readonly receiving: number;
  /** Bytes of all request bodies in memory together. */
  readonly bodyBytes: number;
}

type Load = { -readonly [P in keyof Capacity]: number };

/** A body of which fewer bytes have arrived costs no more than its connection, and is not counted yet. */
const FREE_BYTES = 1024;

/**
 * Bounds how many requests are in progress at once. Slow senders have a capacity of their own, so that they never use up that of complete
 * requests. An address never gets more than it leaves free: a single one gets at most a half, two get a third each, and so a further
 * address always finds some capacity.
 */
export class Admission {
  readonly #capacity: Capacity;
  readonly #load: Load = { working: 0, receiving: 0, bodyBytes: 0 };
  readonly #sites = new Map<string, Load & { permits: number }>();
  readonly #onRefusal: () => void;

  constructor(capacity: Capacity, onRefusal: () => void) {
    this.#capacity = capacity;
    this.#onRefusal = onRefusal;
  }

  get load(): Capacity {
    return { ...this.#load };
  }

  /** The permit of a request; throws 503 when its address may not have another one. */
  admit(hasBody: boolean, site: string): AdmissionPermit {
    const own = this.#sites.get(site) ?? { working: 0, receiving: 0, bodyBytes: 0, permits: 0 };
    const permit = new AdmissionPermit(hasBody ? 'receiving' : 'working', (resource, amount) => {
      if (amount > 0 && own[resource] + amount > this.#capacity[resource] - this.#load[resource]) {
        this.#onRefusal();
        throw unavailable('overloaded');
      }
      own[resource] += amount;
      this.#load[resource] += amount;
    }, () => {
      if (--own.permits === 0) this.#sites.delete(site);
    });
    own.permits++;
    this.#sites.set(site, own);
    return permit;
  }
}

/** The share of the capacity that one request uses, from its header section until its response is handed to the connection. */
export class AdmissionPermit {
  readonly #add: (resource: keyof Capacity, amount: number) => void;
  readonly #onRelease: () => void;
  #state: 'receiving' | 'arriving' | 'working' | 'released';
  #reservedBytes = 0;

  constructor(state: 'receiving' | 'working', add: (resource: keyof Capacity, amount: number) => void, onRelease: () => void) {
    add(state, 1);
    this.#state = state;
    this.#add = add;
    this.#onRelease = onRelease;
  }

  /** The caller is authenticated and the body is awaited: until its first kilobyte has arrived the request is not counted. */
  awaitBody(): void {
    if (this.#state === 'receiving') this.#become('arriving');
  }

  /** The body is complete and the work begins. Throws 503 when too many requests are in progress. */
  startWork(): void {
    if (this.#state === 'receiving' || this.#state === 'arriving') this.#become('working');
  }

  /** Counts bytes of the body that have arrived. Throws 503 when all bodies in memory together are too large. */
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

  #become(state: 'receiving' | 'arriving' | 'working' | 'released'): void {
    if (state === 'receiving' || state === 'working') this.#add(state, 1);
    if (this.#state === 'receiving' || this.#state === 'working') this.#add(this.#state, -1);
    this.#state = state;
  }
}
