/**
 * This file reads the requests to the simulated directory (parameters, cursors, pages) and defines its error answers.
 * Used by answering.ts, server.ts and operations.ts.
 */
import type { DirectoryProblem, Document } from '../../../providers/directory/index.ts';
import type { State } from '../core/model.ts';
import type { AnswerFault } from '../journal.ts';

/** An error answer of the directory (RFC 7807). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problem: DirectoryProblem;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, name: string, detail: string, retryAfterSeconds: number | null = null) {
    super(detail);
    this.problem = {
      name,
      status,
      title: titles[status] ?? 'Error',
      detail,
    };
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  429: 'Rate limited',
  500: 'Internal error',
  503: 'Service unavailable',
};

export const badRequest = (detail: string): Refusal => new Refusal(400, 'BadRequest', detail);
export const forbidden = (detail: string): Refusal => new Refusal(403, 'Forbidden', detail);
export const notFound = (detail: string): Refusal => new Refusal(404, 'NotFound', detail);
/** Creates a 429 without Retry-After, like the real directory: clients read the policy instead. */
export const rateLimited = (): Refusal => new Refusal(429, 'RateLimited', 'The bucket of this operation is empty.');
export const unavailable = (seconds: number): Refusal =>
  new Refusal(503, 'ServiceUnavailable', 'Come back later.', seconds);

/** The query parameters of a request. Invalid ones are refused with the errors of the directory. */
export class Query {
  readonly #parameters: URLSearchParams;

  constructor(parameters: URLSearchParams) {
    this.#parameters = parameters;
  }

  text(name: string): string | null {
    return this.#parameters.get(name);
  }

  all(name: string): readonly string[] {
    return this.#parameters.getAll(name);
  }

  flag(name: string): boolean {
    const value = this.text(name) ?? 'false';
    if (value !== 'true' && value !== 'false') throw badRequest(`${name} is true or false`);
    return value === 'true';
  }

  oneOf<const T extends string>(name: string, values: readonly T[]): T {
    const found = values.find((value) => value === this.text(name));
    if (found === undefined) throw badRequest(`${name} is one of ${values.join(', ')}`);
    return found;
  }

  time(name: string): number | null {
    const value = this.text(name);
    if (value === null) return null;
    const at = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(at)) throw badRequest(`${name} is a time`);
    return at;
  }

  integer(name: string, fallback: number, most: number): number {
    const value = this.text(name) ?? String(fallback);
    const number = /^\d{1,6}$/.test(value) ? Number(value) : 0;
    if (number < 1 || number > most) throw badRequest(`${name} is an integer from 1 to ${most}`);
    return number;
  }

  /** Checks `Participant`: a participant may read only its own data. */
  participant(caller: string): void {
    const value = this.text('Participant');
    if (value === null || !/^[0-9A-Z]{8}$/i.test(value)) throw badRequest('Participant is an ISPB');
    if (value.toUpperCase() !== caller) throw forbidden('Another participant');
  }
}

/** A position in a list that is ordered by time and then by id. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

/** Encodes a position. The cursor contains the generation of the sandbox, so that a reset invalidates it. */
export function encodeCursor(generation: number, { at, id }: Position): string {
  return Buffer.from(`${generation} ${at} ${id}`).toString('base64url');
}

export function decodeCursor(cursor: string, generation: number): Position {
  const [, of, at, id] =
    /^(\d{1,9}) (\d{1,15}) ([\da-f-]{1,36})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (id === undefined || Number(of) !== generation) throw badRequest('Cursor is not valid');
  return { at: Number(at), id };
}

/** Returns the first `size` entries after a position, and whether more follow. */
export function pageAfter<T>(
  entries: readonly T[],
  position: Position | null,
  size: number,
  positionOf: (entry: T) => Position,
): { readonly page: readonly T[]; readonly more: boolean } {
  const rest =
    position === null ? entries : entries.filter((entry) => comparePositions(positionOf(entry), position) > 0);
  return { page: rest.slice(0, size), more: rest.length > size };
}

export function comparePositions(a: Position, b: Position): number {
  // Ids of notifications are integers without leading zeros, so a longer one is larger; all other ids have the same
  // length.
  return a.at - b.at || a.id.length - b.id.length || compareTexts(a.id, b.id);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A request of an authenticated participant, with the state of the directory for it. */
export interface DirectoryRequest {
  readonly query: Query;
  readonly state: State;
  readonly generation: number;
  /**
   * Returns whether a fault applies to this answer. The call uses the fault up, so operations call it only if the fault
   * has an effect.
   */
  readonly disturbedBy: (fault: AnswerFault) => Promise<boolean>;
}

export interface Answer {
  /** Name of the root element. */
  readonly root: string;
  /** Elements other than ResponseTime and CorrelationId. */
  readonly content: Document;
}
