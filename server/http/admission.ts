import { unavailable } from './refusal.ts';

export interface Capacity {
  /** Requests that are complete and occupy the database. More are told to come back: a queue would only make all of them late. */
  readonly working: number;
  /** Requests whose body is still on its way. They cost a connection and memory, and may take their time. */
  readonly receiving: number;
  /** Bytes of bodies that are in memory at once. */
  readonly bodyBytes: number;
}

type Load = { -readonly [P in keyof Capacity]: number };

/** How much is let in at once. Slow senders have room of their own, so that they never take that of the others. */
export class Admission {
  readonly #capacity: Capacity;
  readonly #load: Load = { working: 0, receiving: 0, bodyBytes: 0 };
  readonly #onRefusal: () => void;

  constructor(capacity: Capacity, onRefusal: () => void) {
    this.#capacity = capacity;
    this.#onRefusal = onRefusal;
  }

  get load(): Capacity {
    return { ...this.#load };
  }

  /** A place for a request; throws 503 when there is none. */
  enter(hasBody: boolean): Place {
    return new Place(hasBody ? 'receiving' : 'working', (what, amount) => {
      if (amount > 0 && this.#load[what] + amount > this.#capacity[what]) {
        this.#onRefusal();
        throw unavailable('overloaded');
      }
      this.#load[what] += amount;
    });
  }
}

/** What one request takes up, from its head to the end of its answer. */
export class Place {
  readonly #add: (what: keyof Capacity, amount: number) => void;
  #state: 'receiving' | 'working' | 'left';
  #held = 0;

  constructor(state: 'receiving' | 'working', add: (what: keyof Capacity, amount: number) => void) {
    add(state, 1);
    this.#state = state;
    this.#add = add;
  }

  /** The body is complete and the work begins. Throws 503 when too many are at work. */
  occupy(): void {
    if (this.#state !== 'receiving') return;
    this.#add('working', 1);
    this.#add('receiving', -1);
    this.#state = 'working';
  }

  /** So many more bytes of the body have arrived. Throws 503 when all bodies together are too large. */
  hold(bytes: number): void {
    if (this.#state === 'left') return;
    this.#add('bodyBytes', bytes);
    this.#held += bytes;
  }

  leave(): void {
    if (this.#state === 'left') return;
    this.#add(this.#state, -1);
    this.#add('bodyBytes', -this.#held);
    this.#state = 'left';
  }
}
