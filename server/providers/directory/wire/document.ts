import type { Document, DocumentValue } from '../directory.ts';
import { elementsOf } from './parse.ts';

/** Elements of the directory that hold a list, and the name of one entry. An empty one is an empty list, too. */
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

/** Lists that the directory adds later keep its habit: the plural holds the singular, and nothing else. */
function isList(container: string, entries: readonly string[]): boolean {
  if (entryNames.has(container)) return true;
  return entries.length > 0 && entries.every((entry) => container === `${entry}s` || container === entry.replace(/y$/, 'ies'));
}

function entryName(container: string): string {
  return entryNames.get(container) ?? container.replace(/s$/, '');
}

/**
 * The content of an element under the names of the directory. Leaves are the strings as they were sent, blanks
 * included; a plural that holds its singular is an array. Elements of other namespaces are left out, so that nothing
 * can pass for an element of the directory.
 */
export function readDocument(element: Element): Document {
  const members = Map.groupBy(ownElements(element), ({ localName }) => localName);
  return Object.fromEntries(Array.from(members, ([name, elements]) => {
    const values = elements.map(readValue);
    const [only] = values;
    return [name, only !== undefined && values.length === 1 ? only : values];
  }));
}

function readValue(element: Element): DocumentValue {
  const children = ownElements(element);
  if (isList(element.localName, children.map(({ localName }) => localName))) return children.map(readValue);
  return elementsOf(element).length === 0 ? (element.textContent ?? '') : readDocument(element);
}

function ownElements(element: Element): readonly Element[] {
  return elementsOf(element).filter(({ namespaceURI }) => (namespaceURI ?? '') === (element.namespaceURI ?? ''));
}

/** A document as the directory writes it: no prefix, one element per member, lists in their plural. Not yet signed. */
export function buildXml(root: string, document: Document, namespace: string | null = null): string {
  const declaration = namespace === null ? '' : ` xmlns="${escapeXml(namespace)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${declaration}>${membersXml(document)}</${root}>`;
}

function membersXml(document: Document): string {
  return Object.entries(document).map(([name, value]) => (value === undefined ? '' : elementXml(name, value))).join('');
}

function elementXml(name: string, value: DocumentValue): string {
  return `<${name}>${contentXml(name, value)}</${name}>`;
}

function contentXml(name: string, value: DocumentValue): string {
  if (typeof value === 'string') return escapeXml(value);
  return isArray(value) ? value.map((entry) => elementXml(entryName(name), entry)).join('') : membersXml(value);
}

/** `Array.isArray` does not narrow a readonly array. */
function isArray(value: Document | readonly DocumentValue[]): value is readonly DocumentValue[] {
  return Array.isArray(value);
}

/** A carriage return would be read back as a line feed (XML 1.0 §2.11) unless it is a character reference. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\r', '&#xD;');
}
