/** The interface by which tests drive both SDKs alike. Implemented by typescript.ts and python.ts. */
import type { OperationModel } from '../../../scripts/generate/model.ts';

/** A file of a multipart body. */
export interface InputFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Arguments of a caller, by the names of the contract; the driver of each SDK converts them to its language. */
export interface CallInput {
  /** Values in the order of the path. */
  readonly path?: readonly string[];
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, InputFile>>;
}

/** Options of a call; times are in milliseconds. */
export interface CallOptions {
  readonly timeout?: number;
  readonly deadline?: number;
  readonly idleTimeout?: number;
  readonly maxRetries?: number;
  /** Header fields that no parameter of the contract describes. */
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
  /** Sends everything that the SDK can log to `Sdk.logs`. */
  readonly debug?: boolean;
}

export interface Failure {
  /**
   * Name of the error class; for classes of problem codes, which only Python has, the name of the class of the status.
   */
  readonly name: string;
  readonly message: string;
  readonly code: string | null;
  readonly status: number | null;
  /** What is known of the effect: `not_sent`, `refused` or `unknown`. */
  readonly outcome: string | null;
  readonly idempotencyKey: string | null;
  /** Everything that printing the error shows: message, members, trace and causes. */
  readonly shown: string;
}

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: Failure };

export interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

export interface SdkClient {
  call(operation: OperationModel, input: CallInput, options?: CallOptions): Promise<Outcome>;
  /** Makes the same call `times` times at once: on promises, tasks or threads. */
  many(operation: OperationModel, input: CallInput, times: number): Promise<readonly Outcome[]>;
  /** Walks at most `most` pages of a list, and returns them with the failure that ended the walk, if any. */
  walk(
    operation: OperationModel,
    input: CallInput,
    most: number,
    options?: CallOptions,
  ): Promise<readonly [readonly Page[], Failure | null]>;
  /**
   * Follows the feed of a list until `most` events were received, and returns them with the failure that ended the
   * walk, if any.
   */
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
