/**
 * This file reads the verified answers of the directory into typed documents, and its error answers into kinds of
 * error. Used by client.ts and connection.ts. Throws `DirectoryError`, which never quotes an answer.
 */
import { createHash, type X509Certificate } from 'node:crypto';
import {
  DirectoryError,
  type DirectoryErrorKind,
  type Document,
  type Envelope,
  type InfractionReportDocument,
  type NotificationDocument,
  type Policy,
  type RecoveryDocument,
  type RefundDocument,
  unreadable,
} from '../directory.ts';
import { buildXml, readDocument } from './document.ts';
import { decodeXml, parseXml } from './parse.ts';
import { verifyXml } from './signature.ts';

/** Reads an answer. An error carries the SHA-256 of the answer, so that the record of the refusal identifies it. */
export function withAnswerDigest<T>(answer: Buffer, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    throw new DirectoryError(error.kind, error.message, {
      sha256: createHash('sha256').update(answer).digest('hex'),
      cause: error.cause,
    });
  }
}

export interface VerifiedAnswer {
  readonly envelope: Envelope;
  /** Elements other than ResponseTime and CorrelationId. */
  readonly content: Document;
}

/** Verifies the signature of an answer and that its root element is the expected one. */
export function readAnswer(xml: Buffer, root: string, signers: readonly X509Certificate[]): VerifiedAnswer {
  const element = verifyXml(xml, signers);
  if (element.localName !== root || (element.namespaceURI ?? '') !== '')
    throw unreadable('it answers another question');
  const { ResponseTime: responseTime, CorrelationId: correlationId, ...content } = readDocument(element);
  if (typeof responseTime !== 'string' || !isTime(responseTime)) throw unreadable('it does not say when it was given');
  if (typeof correlationId !== 'string' || !/^[\w-]{1,64}$/.test(correlationId))
    throw unreadable('it has no correlation identifier');
  return {
    envelope: {
      responseTime,
      correlationId,
      xml,
      sha256: createHash('sha256').update(xml).digest('hex'),
    },
    content,
  };
}

function isTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  );
}

/** Text elements of a document: `required` ones must be present; `optional` ones must be texts if present. */
interface Shape<T extends Document> {
  readonly required: readonly (keyof T & string)[];
  readonly optional: readonly (keyof T & string)[];
}

export function documentOf<T extends Document>(content: Document, name: string, shape: Shape<T>): T {
  return shaped(content[name], shape);
}

/** Reads a list. The directory may omit an empty one. */
export function listOf<T extends Document>(content: Document, name: string, shape: Shape<T>): readonly T[] {
  const list = content[name] ?? [];
  if (!Array.isArray(list)) throw unreadable('a list is no list');
  return list.map((entry: unknown) => shaped(entry, shape));
}

function shaped<T extends Document>(value: unknown, shape: Shape<T>): T {
  if (!hasShape(value, shape)) throw unreadable('an element that is always there is missing');
  return value;
}

function hasShape<T extends Document>(value: unknown, { required, optional }: Shape<T>): value is T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = new Map<string, unknown>(Object.entries(value));
  return (
    required.every((name) => typeof members.get(name) === 'string') &&
    optional.every((name) => !members.has(name) || typeof members.get(name) === 'string')
  );
}

export function pageOf(content: Document): { readonly hasMore: boolean; readonly nextCursor: string | null } {
  const { HasMoreElements: more, NextCursor: cursor } = content;
  const nextCursor = typeof cursor === 'string' && cursor !== '' ? cursor : null;
  // xsd:boolean writes true as `true` or `1`. If the element is missing, the presence of a cursor decides.
  return { hasMore: more === undefined ? nextCursor !== null : more === 'true' || more === '1', nextCursor };
}

export const notificationShape: Shape<NotificationDocument> = {
  required: ['Id', 'Event', 'EntityType', 'EntityId', 'Timestamp'],
  optional: ['Participant'],
};

export const recoveryShape: Shape<RecoveryDocument> = {
  required: ['Id', 'Status', 'RootTransactionId', 'ReporterParticipant', 'CreationTime', 'LastModified'],
  optional: [],
};

export const trackingGraphShape: Shape<Document> = {
  required: ['FundsRecoveryId', 'RootTransactionId', 'CreationTime'],
  optional: [],
};

export const infractionReportShape: Shape<InfractionReportDocument> = {
  required: ['Id', 'Status', 'ReporterParticipant', 'CounterpartyParticipant', 'CreationTime', 'LastModified'],
  optional: ['FundsRecoveryId', 'AnalysisResult'],
};

export const refundShape: Shape<RefundDocument> = {
  required: ['Id', 'Status', 'RequestingParticipant', 'ContestedParticipant', 'CreationTime', 'LastModified'],
  optional: ['FundsRecoveryId', 'InfractionReportId', 'AnalysisResult'],
};

interface PolicyDocument extends Document {
  readonly AvailableTokens: string;
  readonly Capacity: string;
  readonly RefillTokens: string;
  readonly RefillPeriodSec: string;
}

const policyShape: Shape<PolicyDocument> = {
  required: ['AvailableTokens', 'Capacity', 'RefillTokens', 'RefillPeriodSec'],
  optional: [],
};

export function readPolicy(content: Document): Policy {
  const state = documentOf(content, 'Policy', policyShape);
  return {
    availableTokens: integer(state.AvailableTokens, 0),
    capacity: integer(state.Capacity, 1),
    refillTokens: integer(state.RefillTokens, 1),
    refillPeriodSeconds: integer(state.RefillPeriodSec, 1),
  };
}

function integer(text: string, least: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least)) throw unreadable('a number of a policy is none');
  return number;
}

/** XML namespace of problem documents (RFC 7807, appendix A). */
const problemNamespace = 'urn:ietf:rfc:7807';
const typePrefix = 'https://dict.pi.rsfn.net.br/api/v2/error/';

const problemKinds = [
  'RateLimited',
  'ServiceUnavailable',
  'Forbidden',
  'NotFound',
  'BadRequest',
] as const satisfies readonly DirectoryErrorKind[];
const kindsByStatus: ReadonlyMap<number, DirectoryErrorKind> = new Map([
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [410, 'NotFound'],
  [429, 'RateLimited'],
]);

export interface DirectoryProblem {
  /** Last part of the problem's type URI. */
  readonly name: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly correlationId?: string;
}

export function buildProblem({ name, title, status, detail, correlationId }: DirectoryProblem): string {
  return buildXml(
    'problem',
    {
      type: `${typePrefix}${name}`,
      title,
      status: String(status),
      detail,
      correlationId,
    },
    problemNamespace,
  );
}

/**
 * Reads an error answer. It need not be signed, but a signature must be valid. Only its kind is used. Returns null if
 * the body is not a problem document, for example if a proxy answers in place of the directory.
 */
export function readProblem(body: Buffer, signers: readonly X509Certificate[]): Document | null {
  try {
    const received = parseXml(decodeXml(body));
    const isSigned = Array.from(received.getElementsByTagName('*')).some(({ localName }) => localName === 'Signature');
    const root = isSigned ? verifyXml(body, signers) : received;
    return root.localName === 'problem' && root.namespaceURI === problemNamespace ? readDocument(root) : null;
  } catch (error) {
    if (error instanceof DirectoryError && error.kind === 'Unreadable') return null;
    throw error;
  }
}

/** Returns the kind of an error by the type of the problem or, for an unknown type, by the HTTP status. */
export function problemKind(problem: Document | null, status: number): DirectoryErrorKind {
  const type = typeof problem?.['type'] === 'string' ? problem['type'] : '';
  const named = problemKinds.find((kind) => type.endsWith(`/${kind}`));
  return named ?? kindsByStatus.get(status) ?? (status >= 500 ? 'ServiceUnavailable' : 'BadRequest');
}
