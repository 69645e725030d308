import { unavailable } from '../contract/problem.ts';

export interface Capacity {
  /** Requests that are complete and occupy the database. More are told to come back: a queue would only make all of them late. */
  readonly working: number;
  /** Requests whose body is still on its way. They cost a connection and memory, and may take their time. */
  readonly receiving: number;
  /** Bytes of bodies that are in memory at once. */
  readonly bodyBytes: number;
}

type Load = { -readonly [P in keyof Capacity]: number };

/** A body that has not come this far costs no more than its connection. */
const FREE_BYTES = 1024;

/**
 * How much is let in at once. Slow senders have room of their own, so that they never take that of the others, and no
 * address gets more than it leaves free: one gets a half, two get a third each, and there is always room for another.
 */
export class Admission {
  readonly #capacity: Capacity;
  readonly #load: Load = { working: 0, receiving: 0, bodyBytes: 0 };
  readonly #sites = new Map<string, Load & { places: number }>();
  readonly #onRefusal: () => void;

  constructor(capacity: Capacity, onRefusal: () => void) {
    this.#capacity = capacity;
    this.#onRefusal = onRefusal;
  }

  get load(): Capacity {
    return { ...this.#load };
  }

  /** A place for a request; throws 503 when there is none for its address. */
  admit(hasBody: boolean, site: string): AdmissionPermit {
    const own = this.#sites.get(site) ?? { working: 0, receiving: 0, bodyBytes: 0, places: 0 };
    const place = new AdmissionPermit(hasBody ? 'receiving' : 'working', (what, amount) => {
      if (amount > 0 && own[what] + amount > this.#capacity[what] - this.#load[what]) {
        this.#onRefusal();
        throw unavailable('overloaded');
      }
      own[what] += amount;
      this.#load[what] += amount;
    }, () => {
      if (--own.places === 0) this.#sites.delete(site);
    });
    own.places++;
    this.#sites.set(site, own);
    return place;
  }
}

/** What one request takes up, from its head until its answer is handed over. */
export class AdmissionPermit {
  readonly #add: (what: keyof Capacity, amount: number) => void;
  readonly #onLeave: () => void;
  #state: 'receiving' | 'arriving' | 'working' | 'left';
  #held = 0;

  constructor(state: 'receiving' | 'working', add: (what: keyof Capacity, amount: number) => void, onLeave: () => void) {
    add(state, 1);
    this.#state = state;
    this.#add = add;
    this.#onLeave = onLeave;
  }

  /** Who sends it is known, and now it is waited for. */
  awaitBody(): void {
    if (this.#state === 'receiving') this.#become('arriving');
  }

  /** The body is complete and the work begins. Throws 503 when too many are at work. */
  startWork(): void {
    if (this.#state === 'receiving' || this.#state === 'arriving') this.#become('working');
  }

  /** So many more bytes of the body have arrived. Throws 503 when all bodies together are too large. */
  reserveBodyBytes(bytes: number): void {
    if (this.#state === 'left') return;
    if (this.#state === 'arriving' && this.#held + bytes > FREE_BYTES) this.#become('receiving');
    this.#add('bodyBytes', bytes);
    this.#held += bytes;
  }

  release(): void {
    if (this.#state === 'left') return;
    this.#add('bodyBytes', -this.#held);
    this.#become('left');
    this.#onLeave();
  }

  #become(state: 'receiving' | 'arriving' | 'working' | 'left'): void {
    if (state === 'receiving' || state === 'working') this.#add(state, 1);
    if (this.#state === 'receiving' || this.#state === 'working') this.#add(this.#state, -1);
    this.#state = state;
  }
}
