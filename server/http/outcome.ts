import type { Operation } from '../contract/operation.ts';
import type { Binary } from '../contract/binary.ts';

/** What a handler answered; the run-time side of `Reply`. */
export class Outcome {
  readonly status: number;
  /** Null when the status has no body. */
  readonly mediaType: string | null;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | number>>;

  constructor(status: number, mediaType: string | null, body: unknown, headers: Readonly<Record<string, string | number>>) {
    this.status = status;
    this.mediaType = mediaType;
    this.body = body;
    this.headers = headers;
  }
}

type Arguments = readonly unknown[];
const NONE = {};

/** The `reply` of an operation. The contract says how the arguments after the status are to be read. */
export function replier({ operationId, responses }: Operation): (status: number, ...rest: Arguments) => Outcome {
  return (status, ...rest) => {
    const types = responses[status];
    if (types === undefined) throw new TypeError(`${operationId} does not document status ${status}`);
    const [first, second] = rest;
    if (types.length === 0) return new Outcome(status, null, undefined, (first ?? NONE) as Outcome['headers']);
    const headers = (second ?? NONE) as Outcome['headers'];
    if (types.length === 1) return new Outcome(status, types[0] as string, first, headers);
    const { type, data, size } = first as { readonly type: string; readonly data: unknown; readonly size?: number };
    return new Outcome(status, type, data, size === undefined ? headers : { ...headers, 'Content-Length': size });
  };
}

export function isJson(mediaType: string): boolean {
  return mediaType === 'application/json' || mediaType.endsWith('+json');
}

export function isBinary(outcome: Outcome): outcome is Outcome & { readonly body: Binary } {
  return outcome.mediaType !== null && !isJson(outcome.mediaType);
}
