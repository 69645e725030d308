/**
 * This file converts between the XML of the directory and plain objects with the names of its elements. Used by
 * answers.ts, signature.ts and the simulator.
 */
import type { Document, DocumentValue } from '../directory.ts';
import { elementsOf } from './parse.ts';

/** Elements that hold a list, with the name of one entry. They are lists even if they are empty. */
const entryNames: ReadonlyMap<string, string> = new Map([
  ['EventNotifications', 'EventNotification'],
  ['InfractionReports', 'InfractionReport'],
  ['Refunds', 'Refund'],
  ['Persons', 'Person'],
  ['Accounts', 'Account'],
  ['Transactions', 'Transaction'],
  ['Policies', 'Policy'],
  ['violations', 'violation'],
]);

/**
 * Returns whether an element is a list. Unknown lists are recognised by the naming rule of the directory: a plural that
 * contains only its singular.
 */
function isList(container: string, entries: readonly string[]): boolean {
  if (entryNames.has(container)) return true;
  return (
    entries.length > 0 &&
    entries.every((entry) => container === `${entry}s` || container === entry.replace(/y$/, 'ies'))
  );
}

function entryName(container: string): string {
  return entryNames.get(container) ?? container.replace(/s$/, '');
}

/**
 * Reads the content of an element. Text elements become strings, with their white space; lists become arrays. Elements
 * of other namespaces are omitted, so that they cannot be mistaken for elements of the directory.
 */
export function readDocument(element: Element): Document {
  const members = Map.groupBy(ownElements(element), ({ localName }) => localName);
  return Object.fromEntries(
    Array.from(members, ([name, elements]) => {
      const values = elements.map(readValue);
      const [only] = values;
      return [name, only !== undefined && values.length === 1 ? only : values];
    }),
  );
}

function readValue(element: Element): DocumentValue {
  const children = ownElements(element);
  if (
    isList(
      element.localName,
      children.map(({ localName }) => localName),
    )
  )
    return children.map(readValue);
  return elementsOf(element).length === 0 ? (element.textContent ?? '') : readDocument(element);
}

function ownElements(element: Element): readonly Element[] {
  return elementsOf(element).filter(({ namespaceURI }) => (namespaceURI ?? '') === (element.namespaceURI ?? ''));
}

/**
 * Writes an unsigned document in the form of the directory: no prefixes, one element per member,
 * lists inside their plural.
 */
export function buildXml(root: string, document: Document, namespace: string | null = null): string {
  const declaration = namespace === null ? '' : ` xmlns="${escapeXml(namespace)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${declaration}>${membersXml(document)}</${root}>`;
}

function membersXml(document: Document): string {
  return Object.entries(document)
    .map(([name, value]) => (value === undefined ? '' : elementXml(name, value)))
    .join('');
}

function elementXml(name: string, value: DocumentValue): string {
  return `<${name}>${contentXml(name, value)}</${name}>`;
}

function contentXml(name: string, value: DocumentValue): string {
  if (typeof value === 'string') return escapeXml(value);
  return isArray(value) ? value.map((entry) => elementXml(entryName(name), entry)).join('') : membersXml(value);
}

/** Narrows a readonly array, which `Array.isArray` does not. */
function isArray(value: Document | readonly DocumentValue[]): value is readonly DocumentValue[] {
  return Array.isArray(value);
}

/**
 * Escapes text. A carriage return becomes a character reference, because parsers read a literal one as a
 * line feed (XML 1.0 §2.11).
 */
export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#xD;');
}
