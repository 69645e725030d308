import type { X509Certificate } from 'node:crypto';
import { DirectoryError, type DirectoryErrorKind, type Document } from '../directory.ts';
import { buildXml } from './build.ts';
import { decodeXml } from './decode.ts';
import { readDocument } from './document.ts';
import { parseXml } from './parse.ts';
import { verifyXml } from './verify.ts';

/** RFC 7807 §A. */
const problemNamespace = 'urn:ietf:rfc:7807';
const typePrefix = 'https://dict.pi.rsfn.net.br/api/v2/error/';

const kinds = ['RateLimited', 'ServiceUnavailable', 'Forbidden', 'NotFound', 'BadRequest'] as const satisfies readonly DirectoryErrorKind[];
const kindsByStatus: ReadonlyMap<number, DirectoryErrorKind> = new Map([[403, 'Forbidden'], [404, 'NotFound'], [410, 'NotFound'], [429, 'RateLimited']]);

export interface DirectoryProblem {
  /** Last part of the problem's type. */
  readonly name: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly correlationId?: string;
}

export function buildProblem({ name, title, status, detail, correlationId }: DirectoryProblem): string {
  return buildXml('problem', { type: `${typePrefix}${name}`, title, status: String(status), detail, correlationId }, problemNamespace);
}

/**
 * A problem need not be signed; one that is signed must be signed well. It is only asked for its kind: nothing else of
 * it is used. Null where the body is no problem, as when a proxy answers in the directory's stead.
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

/** The type decides; one that we do not know is of the kind that its status says. */
export function problemKind(problem: Document | null, status: number): DirectoryErrorKind {
  const type = typeof problem?.['type'] === 'string' ? problem['type'] : '';
  const named = kinds.find((kind) => type.endsWith(`/${kind}`));
  return named ?? kindsByStatus.get(status) ?? (status >= 500 ? 'ServiceUnavailable' : 'BadRequest');
}
