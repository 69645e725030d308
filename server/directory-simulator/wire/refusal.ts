import type { DirectoryProblem } from '../../providers/directory/index.ts';

/** An answer of the directory that is a problem. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problem: DirectoryProblem;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, name: string, detail: string, retryAfterSeconds: number | null = null) {
    super(detail);
    this.problem = { name, status, title: titles[status] ?? 'Error', detail };
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request', 403: 'Forbidden', 404: 'Not found', 429: 'Rate limited', 500: 'Internal error', 503: 'Service unavailable',
};

export const badRequest = (detail: string): Refusal => new Refusal(400, 'BadRequest', detail);
export const forbidden = (detail: string): Refusal => new Refusal(403, 'Forbidden', detail);
export const notFound = (detail: string): Refusal => new Refusal(404, 'NotFound', detail);
/** Without Retry-After, as with the real one: a client asks for the policy. */
export const rateLimited = (): Refusal => new Refusal(429, 'RateLimited', 'The bucket of this operation is empty.');
export const unavailable = (seconds: number): Refusal => new Refusal(503, 'ServiceUnavailable', 'Come back later.', seconds);
