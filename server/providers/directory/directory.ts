/**
 * The interface and the documents of the directory, as the service reads them. Used by the client, the simulator and
 * recovery-ingestion. Types only; documents keep every element as received.
 */

/**
 * The national instant-payment directory (DICT API 2.12) as the service reads it. The production client and the
 * embedded simulator's client are the same class over the same wire; there is no second implementation.
 *
 * Documents keep the element names of the directory and every leaf as the string that was received: money and
 * identifiers survive unchanged, and elements that are added later are passed through.
 */
export interface Directory {
  /**
   * Lists up to 200 notifications of the last seven days, oldest first. A cursor continues and is absent on the last
   * page.
   */
  listEventNotifications(
    ispb: string,
    query: { readonly cursor: string | null; readonly includeIndirect: boolean },
  ): Promise<NotificationPage>;
  getFundsRecovery(ispb: string, id: string): Promise<Answer<RecoveryDocument>>;
  getTrackingGraph(ispb: string, id: string): Promise<Answer<Document>>;
  /** Only the creator may read these two lists. A counterparty is refused with `Forbidden`. */
  listRecoveryInfractionReports(ispb: string, id: string): Promise<Answer<readonly InfractionReportDocument[]>>;
  listRecoveryRefunds(ispb: string, id: string): Promise<Answer<readonly RefundDocument[]>>;
  listInfractionReports(ispb: string, query: InfractionReportQuery): Promise<ListAnswer<InfractionReportDocument>>;
  listRefunds(ispb: string, query: RefundQuery): Promise<ListAnswer<RefundDocument>>;
  getPolicy(ispb: string, name: string): Promise<Policy>;
  /** Returns how many reads of single recoveries and their parts the participant may make without waiting. */
  recoveryReadsLeft(ispb: string): Promise<number>;
}

/** Metadata of every verified answer. */
export interface Envelope {
  /** Time of the directory's clock (RFC 3339). */
  readonly responseTime: string;
  /** 32 hexadecimal digits. */
  readonly correlationId: string;
  /** Bytes after decompression, whose signature was verified. */
  readonly xml: Buffer;
  /** SHA-256 of `xml` in lower-case hexadecimal. */
  readonly sha256: string;
}

export interface Answer<T> extends Envelope {
  readonly document: T;
}

export interface ListAnswer<T> extends Envelope {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

export interface NotificationPage extends Envelope {
  readonly notifications: readonly NotificationDocument[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

export type Document = { readonly [element: string]: DocumentValue | undefined };
export type DocumentValue = string | Document | readonly DocumentValue[];

export interface NotificationDocument extends Document {
  readonly Id: string;
  readonly Event: string;
  readonly EntityType: string;
  readonly EntityId: string;
  readonly Timestamp: string;
  readonly Participant?: string;
}

export interface RecoveryDocument extends Document {
  readonly Id: string;
  readonly Status: string;
  readonly RootTransactionId: string;
  readonly ReporterParticipant: string;
  readonly CreationTime: string;
  readonly LastModified: string;
}

export interface InfractionReportDocument extends Document {
  readonly Id: string;
  readonly FundsRecoveryId?: string;
  readonly Status: string;
  readonly ReporterParticipant: string;
  readonly CounterpartyParticipant: string;
  readonly AnalysisResult?: string;
  readonly CreationTime: string;
  readonly LastModified: string;
}

export interface RefundDocument extends Document {
  readonly Id: string;
  readonly FundsRecoveryId?: string;
  readonly InfractionReportId?: string;
  readonly Status: string;
  readonly RequestingParticipant: string;
  readonly ContestedParticipant: string;
  readonly AnalysisResult?: string;
  readonly CreationTime: string;
  readonly LastModified: string;
}

export interface InfractionReportQuery {
  readonly role: 'reporter' | 'counterparty';
  /** Inclusive (RFC 3339). */
  readonly modifiedAfter: string;
  readonly modifiedBefore?: string;
  /** Includes the participants that reach the directory through this one. */
  readonly includeIndirect?: boolean;
}

export interface RefundQuery {
  readonly role: 'REQUESTING' | 'CONTESTED';
  readonly modifiedAfter: string;
  readonly modifiedBefore?: string;
  /** Includes the participants that reach the directory through this one. */
  readonly includeIndirect?: boolean;
  readonly cursor: string | null;
}

/** A token bucket of the directory. */
export interface Policy {
  readonly availableTokens: number;
  readonly capacity: number;
  readonly refillTokens: number;
  readonly refillPeriodSeconds: number;
}

export type DirectoryErrorKind =
  | 'RateLimited'
  | 'ServiceUnavailable'
  | 'Forbidden'
  | 'NotFound'
  | 'BadRequest'
  /** The answer's signature is missing, duplicated, invalid or of another signer. */
  | 'SignatureInvalid'
  /** The answer is not a document of the directory: broken, too large, in another encoding or with a document type. */
  | 'Unreadable'
  /** There was no answer: the connection was refused or reset, or it timed out. */
  | 'Transport';

/** Failure of a call. Its message never quotes the answer. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly kind: DirectoryErrorKind;
  /** Set for `RateLimited` and `ServiceUnavailable`, if the directory sent it. */
  readonly retryAfterSeconds: number | null;
  /** SHA-256, in lower-case hexadecimal, of a complete answer that was not trusted or not understood. */
  readonly sha256: string | null;

  constructor(
    kind: DirectoryErrorKind,
    message: string,
    options: {
      readonly retryAfterSeconds?: number | null;
      readonly sha256?: string | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.sha256 = options.sha256 ?? null;
  }
}

/** Creates the error of a malformed answer. The reason never quotes the document. */
export function unreadable(reason: string, cause?: unknown): DirectoryError {
  return new DirectoryError('Unreadable', `The directory's answer cannot be read: ${reason}`, { cause });
}

/**
 * Creates the error of an invalid signature. The reason never quotes the document, because its origin is not proven.
 */
export function signatureInvalid(reason: string, cause?: unknown): DirectoryError {
  return new DirectoryError('SignatureInvalid', `The directory's answer is not believed: ${reason}`, { cause });
}
