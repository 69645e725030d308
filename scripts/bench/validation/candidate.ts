/** One exchange as a validator sees it: everything that it may change is made anew for every call. */
export interface Sample {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** Finds the operation of the sample and checks both directions; throws what it finds wrong. */
export type Candidate = (sample: Sample) => void | Promise<void>;
