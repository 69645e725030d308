import type { OperationModel } from '../../../scripts/generate/model.ts';

/** A file of a multipart body. */
export interface GivenFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a caller hands over, by the names of the contract; each SDK's driver puts it as its language does. */
export interface Given {
  /** In the order of the path. */
  readonly path?: readonly string[];
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, GivenFile>>;
}

/** Times in milliseconds. */
export interface CallOptions {
  readonly timeout?: number;
  readonly deadline?: number;
  readonly idleTimeout?: number;
  readonly maxRetries?: number;
  /** Header fields that no parameter of the contract stands for. */
  readonly extraHeaders?: Readonly<Record<string, string>>;
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly accessToken?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly timeout?: number;
  readonly deadline?: number;
  readonly maxRetries?: number;
  readonly retryBudget?: number;
  /** Everything that the SDK can log goes to `Sdk.logs`. */
  readonly debug?: boolean;
}

export interface Failure {
  /** Of its class; of those for problem codes, which only Python makes, that of the status. */
  readonly name: string;
  readonly message: string;
  readonly code: string | null;
  readonly status: number | null;
  /** What is known of the effect: `not_sent`, `refused` or `unknown`. */
  readonly outcome: string | null;
  readonly idempotencyKey: string | null;
  /** Everything that printing it shows: message, members, trace and causes. */
  readonly shown: string;
}

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: Failure };

export interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

export interface SdkClient {
  call(operation: OperationModel, given: Given, options?: CallOptions): Promise<Outcome>;
  /** The same call many times at once: on promises, tasks or threads. */
  many(operation: OperationModel, given: Given, times: number): Promise<readonly Outcome[]>;
  /** Pages of a list, `most` at most, and what it ended with if that was a failure. */
  walk(operation: OperationModel, given: Given, most: number, options?: CallOptions): Promise<readonly [readonly Page[], Failure | null]>;
  /** Follows the feed of a list until `most` events were taken; those events, and what it ended with if that was a failure. */
  follow(list: OperationModel, most: number): Promise<readonly [readonly unknown[], Failure | null]>;
  /** Resumes the call that failed under this key. */
  resume(idempotencyKey: string): Promise<Outcome>;
  close(): Promise<void>;
}

/** One of the kinds of clients that the SDKs have. */
export interface Sdk {
  readonly name: string;
  readonly logs: readonly string[];
  open(options: ClientOptions): Promise<SdkClient>;
  stop(): Promise<void>;
}
