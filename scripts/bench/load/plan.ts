/** A request without its last headers: what differs from call to call is put between `head` and `body`. */
export interface Prepared {
  /** Request line and headers, each ended by CRLF. */
  readonly head: string;
  readonly body: string;
}

/** What the load generator is told to do. */
export type Plan = Repeating | Following;

interface Load {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
}

export interface Repeating extends Load {
  /** Sent in turn, over and over. */
  readonly requests: readonly Prepared[];
  readonly expectedStatus: number;
  /** Adds a fresh `Idempotency-Key` to every request. */
  readonly idempotencyKeys: boolean;
}

/** Readers of a list take turns: each presents the cursor that its last page ended with, and at the end its first one again. */
export interface Following extends Load {
  readonly path: string;
  readonly readers: readonly FollowingReader[];
}

export interface FollowingReader {
  /** Headers, each ended by CRLF. */
  readonly headers: string;
  readonly cursor: string;
}

export interface Measurement {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
}

/** What the generator says: its figures, or why there are none. */
export type Report = { readonly measurement: Measurement } | { readonly complaint: string };
