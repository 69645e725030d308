import { createHash, type X509Certificate } from 'node:crypto';
import type { Document, Envelope } from '../directory.ts';
import { readDocument } from './document.ts';
import { unreadable } from './unreadable.ts';
import { verifyXml } from './verify.ts';

export interface VerifiedAnswer {
  readonly envelope: Envelope;
  /** What stands beside ResponseTime and CorrelationId. */
  readonly content: Document;
}

/** An answer, once its signature is verified and it is the one that was asked for. */
export function readAnswer(xml: Buffer, root: string, signers: readonly X509Certificate[]): VerifiedAnswer {
  const element = verifyXml(xml, signers);
  if (element.localName !== root || (element.namespaceURI ?? '') !== '') throw unreadable('it answers another question');
  const { ResponseTime: responseTime, CorrelationId: correlationId, ...content } = readDocument(element);
  if (typeof responseTime !== 'string' || !isTime(responseTime)) throw unreadable('it does not say when it was given');
  if (typeof correlationId !== 'string' || !/^[\w-]{1,64}$/.test(correlationId)) throw unreadable('it has no correlation identifier');
  return { envelope: { responseTime, correlationId, xml, sha256: createHash('sha256').update(xml).digest('hex') }, content };
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** A document of the directory has at least these elements, and where it has the others, they are texts. */
export interface Shape<T extends Document> {
  readonly required: readonly (keyof T & string)[];
  readonly optional: readonly (keyof T & string)[];
}

export function documentOf<T extends Document>(content: Document, name: string, shape: Shape<T>): T {
  return shaped(content[name], shape);
}

/** A list that is empty may be left out. */
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
  return required.every((name) => typeof members.get(name) === 'string')
    && optional.every((name) => !members.has(name) || typeof members.get(name) === 'string');
}

export function pageOf(content: Document): { readonly hasMore: boolean; readonly nextCursor: string | null } {
  const { HasMoreElements: more, NextCursor: cursor } = content;
  const nextCursor = typeof cursor === 'string' && cursor !== '' ? cursor : null;
  // xsd:boolean has two ways to say true. Left out, the cursor says it.
  return { hasMore: more === undefined ? nextCursor !== null : more === 'true' || more === '1', nextCursor };
}
