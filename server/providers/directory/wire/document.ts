import type { Document, DocumentValue } from '../directory.ts';
import { isList } from './containers.ts';
import { elementsOf } from './parse.ts';

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
