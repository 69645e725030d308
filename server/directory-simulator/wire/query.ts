import { badRequest, forbidden } from './refusal.ts';

/** The parameters of a request; a wrong one is refused as the directory refuses it. */
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

  /** Whose data is asked for: a participant gets its own. */
  participant(caller: string): void {
    const value = this.text('Participant');
    if (value === null || !/^[0-9A-Z]{8}$/i.test(value)) throw badRequest('Participant is an ISPB');
    if (value.toUpperCase() !== caller) throw forbidden('Another participant');
  }
}
