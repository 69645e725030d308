/** Type and helpers of the scenarios of faults. Used by faults.ts and stream-faults.ts. */
import type { OperationId } from '../../server/contract/operation.ts';
import type { Answer, Fault } from './support/fault-proxy.ts';
import type { CallOptions } from './support/sdk.ts';

/**
 * Kinds of calls: a read, a write with an idempotency key or without, a file up or down, a list, a feed, a read that
 * needs a token.
 */
export const OPERATIONS = {
  read: 'getApplication',
  keyed: 'createApplication',
  unkeyed: 'login',
  upload: 'uploadDocument',
  download: 'downloadDocument',
  list: 'listApplications',
  follow: 'listFundsRecoveryEvents',
  token: 'getApplication',
} as const satisfies Readonly<Record<string, OperationId>>;

export interface Scenario {
  readonly name: string;
  readonly kind: keyof typeof OPERATIONS;
  /** Faults of the requests, in order; later requests reach the service, which answers by the contract's examples. */
  readonly faults: readonly Fault[];
  readonly options?: CallOptions;
  /** The client's address has no listener. */
  readonly closed?: true;
  /** Null is success; otherwise the name of the error class in TypeScript, and the outcome that it states. */
  readonly ends: null | readonly [name: string, outcome: 'not_sent' | 'refused' | 'unknown'];
  readonly attempts: number;
  /** Number of pages of a list or events of a feed that the program gets. */
  readonly takes?: number;
}

export const always = (fault: Fault): Fault[] => Array.from({ length: 9 }, () => fault);
export const problem = (status: number, code: string, members: object = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: {
    type: `/problems/${code}`,
    title: code,
    status,
    code,
    ...members,
  },
});
export const page = (status: number): Answer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><h1>Sign in to the network</h1></html>',
});
export const body = (value: unknown): Answer => ({ status: 200, body: value });
