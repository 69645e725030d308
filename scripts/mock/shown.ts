import { resolve, type Contract, type Example, type Header, type MediaType, type Operation, type Response } from '../generate/contract.ts';
import type { Preference } from './prefer.ts';

/** An answer that the contract shows. */
export interface Shown {
  readonly status: number;
  /** Null when the status has no body. */
  readonly mediaType: string | null;
  /** Name of the example; null when the contract shows none, as for files. */
  readonly name: string | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** All answers that the contract shows of an operation, in its order: the successes first, since their statuses are lower. */
export function shownAnswers(contract: Contract, operation: Operation): readonly Shown[] {
  return Object.entries(operation.responses).flatMap(([code, node]): Shown[] => {
    const response = resolve<Response>(contract, node);
    const status = Number(code);
    const headers = headersOf(contract, response);
    const contents = Object.entries(response.content ?? {});
    if (contents.length === 0) return [{ status, mediaType: null, name: null, body: undefined, headers }];
    return contents.flatMap(([mediaType, content]) => examplesOf(contract, content).map(([name, body]) => ({ status, mediaType, name, body, headers })));
  });
}

/** The one to answer with; null when the contract shows nothing like it. */
export function choose(answers: readonly Shown[], { status, example }: Preference): Shown | null {
  const fits = (answer: Shown) => (status === null || answer.status === status) && (example === null || answer.name === example);
  return answers.find(fits) ?? null;
}

function examplesOf(contract: Contract, { example, examples }: MediaType): (readonly [string | null, unknown])[] {
  const named = Object.entries(examples ?? {}).map(([name, node]) => [name, resolve<Example>(contract, node).value] as const);
  return named.length > 0 ? named : [[null, example]];
}

function headersOf(contract: Contract, { headers = {} }: Response): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, node]) => {
    const { example } = resolve<Header>(contract, node);
    return example === undefined ? [] : [[name, String(example)]];
  }));
}
