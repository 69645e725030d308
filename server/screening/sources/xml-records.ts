import { SaxesParser } from 'saxes';
import { type Bytes, SourceFileError, textOf } from './source-file.ts';

/** One element with all that is in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

export interface XmlFormat {
  /** The element that the document is. */
  readonly root: string;
  /** The elements that are yielded, wherever they are; everything else is forgotten as soon as it ends. */
  readonly records: readonly string[];
  /** Told of each element outside of records when it begins. */
  readonly onElement?: (element: XmlElement) => void;
}

/** The records of an XML document, one after the other, without the document ever being in memory. Entities other than those of XML itself are refused. */
export async function* xmlRecords(file: Bytes, { root, records, onElement }: XmlFormat): AsyncGenerator<XmlElement> {
  const parser = new SaxesParser({ position: true });
  const open: XmlElement[] = [];
  let found: XmlElement[] = [];
  let within = 0;
  let isRoot = true;
  const local = (name: string): string => name.slice(name.indexOf(':') + 1);
  parser.on('error', (error) => {
    throw new SourceFileError(`the file is not well-formed XML: ${error.message}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name: local(name), attributes: attributes as Record<string, string>, children: [], text: '' };
    if (isRoot && element.name !== root) throw new SourceFileError(`the file begins with <${element.name}>, and not with <${root}>`);
    isRoot = false;
    if (within > 0) open.at(-1)!.children.push(element);
    else onElement?.(element);
    if (within > 0 || records.includes(element.name)) within++;
    open.push(element);
  });
  parser.on('text', (text) => {
    if (open.length > 0) open.at(-1)!.text += text;
  });
  parser.on('cdata', (text) => {
    if (open.length > 0) open.at(-1)!.text += text;
  });
  parser.on('closetag', () => {
    const element = open.pop()!;
    if (within > 0 && --within === 0) found.push(element);
  });
  for await (const text of textOf(file, 'utf-8')) {
    parser.write(text);
    yield* found;
    found = [];
  }
  parser.close();
  yield* found;
}

export const childrenOf = (element: XmlElement, name: string): XmlElement[] => element.children.filter((child) => child.name === name);
/** The trimmed text of a child, empty when there is none. */
export const textIn = (element: XmlElement, name: string): string => element.children.find((child) => child.name === name)?.text.trim() ?? '';
/** The elements in a list element: `akaList` has `aka`. */
export const itemsOf = (element: XmlElement, list: string): XmlElement[] => element.children.find((child) => child.name === list)?.children ?? [];
