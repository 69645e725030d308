import { DOMParser } from '@xmldom/xmldom';
import { scanXml } from './scan.ts';
import { unreadable } from './unreadable.ts';

/** The root element of a well-formed document. Whatever the parser would mend or only warn of is refused. */
export function parseXml(text: string): Element {
  scanXml(text);
  const refuse = (): never => {
    throw unreadable('it is not well-formed XML');
  };
  const root = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } }).parseFromString(text, 'text/xml').documentElement;
  if (root === null) return refuse();
  for (const element of [root, ...Array.from(root.getElementsByTagName('*'))]) {
    const isUnbound = ({ prefix, namespaceURI }: Element | Attr): boolean => (prefix ?? '') !== '' && (namespaceURI ?? '') === '';
    if (isUnbound(element) || Array.from(element.attributes).some(isUnbound)) throw unreadable('it has a prefix that is not bound to a namespace');
  }
  return root;
}

export function elementsOf(parent: Node): readonly Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === 1);
}
