import type { Document, DocumentValue } from '../directory.ts';
import { entryName } from './containers.ts';

/** A document as the directory writes it: no prefix, one element per member, lists in their plural. Not yet signed. */
export function buildXml(root: string, document: Document, namespace: string | null = null): string {
  const declaration = namespace === null ? '' : ` xmlns="${escapeXml(namespace)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${declaration}>${members(document)}</${root}>`;
}

function members(document: Document): string {
  return Object.entries(document).map(([name, value]) => (value === undefined ? '' : element(name, value))).join('');
}

function element(name: string, value: DocumentValue): string {
  return `<${name}>${content(name, value)}</${name}>`;
}

function content(name: string, value: DocumentValue): string {
  if (typeof value === 'string') return escapeXml(value);
  return isArray(value) ? value.map((entry) => element(entryName(name), entry)).join('') : members(value);
}

/** `Array.isArray` does not narrow a readonly array. */
function isArray(value: Document | readonly DocumentValue[]): value is readonly DocumentValue[] {
  return Array.isArray(value);
}

/** A carriage return would be read back as a line feed (XML 1.0 §2.11) unless it is a character reference. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\r', '&#xD;');
}
