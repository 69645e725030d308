/**
 * Reads records from large XML files without holding them in memory. Used by the XML readers. Entities, deep nesting
 * and huge records are refused.
 */
import { SaxesParser } from 'saxes';
import { textOf } from './file-text.ts';
import { type Bytes, SourceFileError } from './source-file.ts';

/** One element with its content. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

export interface XmlFormat {
  /** Root element of the document. */
  readonly root: string;
  /** Elements that are yielded, at any depth. All other elements are discarded when they end. */
  readonly records: readonly string[];
  /** Receives each element outside of records when it begins. */
  readonly onElement?: (element: XmlElement) => void;
}

/**
 * Many times what the published lists have: their largest records have some hundred elements in less than ten levels.
 */
const MOST_LEVELS = 32;
const MOST_ATTRIBUTES = 100;
/** Limits of one record, or of an element outside of records. */
const LARGEST_RECORD = { elements: 20_000, characters: 2_000_000 };

/**
 * Yields the records of an XML document one after the other, without holding the document in memory. Rejects entities
 * other than those of XML itself.
 */
export async function* xmlRecords(file: Bytes, { root, records, onElement }: XmlFormat): AsyncGenerator<XmlElement> {
  const parser = new SaxesParser({ position: true });
  const open: XmlElement[] = [];
  let found: XmlElement[] = [];
  let within = 0;
  let isRoot = true;
  let attributesHere = 0;
  const size = { elements: 0, characters: 0 };
  const grow = (what: keyof typeof size, by: number): void => {
    size[what] += by;
    if (size[what] > LARGEST_RECORD[what])
      throw new SourceFileError(`one record has more than ${LARGEST_RECORD[what]} ${what} (line ${parser.line})`);
  };
  const addText = (text: string): void => {
    // Text between records is white space and is not read.
    if (open.length === 0 || (within === 0 && text.trim() === '')) return;
    grow('characters', text.length);
    open.at(-1)!.text += text;
  };
  parser.on('attribute', ({ name, value }) => {
    if (++attributesHere > MOST_ATTRIBUTES)
      throw new SourceFileError(`one element has more than ${MOST_ATTRIBUTES} attributes (line ${parser.line})`);
    grow('characters', name.length + value.length);
  });
  const local = (name: string): string => name.slice(name.indexOf(':') + 1);
  parser.on('error', (error) => {
    throw new SourceFileError(`the file is not well-formed XML: ${error.message}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = {
      name: local(name),
      attributes: attributes as Record<string, string>,
      children: [],
      text: '',
    };
    if (isRoot && element.name !== root)
      throw new SourceFileError(`the file begins with <${element.name}>, and not with <${root}>`);
    isRoot = false;
    attributesHere = 0;
    if (open.length >= MOST_LEVELS)
      throw new SourceFileError(`elements are nested in more than ${MOST_LEVELS} levels (line ${parser.line})`);
    if (within === 0) Object.assign(size, { elements: 0, characters: 0 });
    grow('elements', 1);
    if (within > 0) open.at(-1)!.children.push(element);
    else onElement?.(element);
    if (within > 0 || records.includes(element.name)) within++;
    open.push(element);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
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

export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);
/** Returns the trimmed text of a child, empty if there is none. */
export const textIn = (element: XmlElement, name: string): string =>
  element.children.find((child) => child.name === name)?.text.trim() ?? '';
/** Returns the elements in a list element: `akaList` has `aka`. */
export const itemsOf = (element: XmlElement, list: string): XmlElement[] =>
  element.children.find((child) => child.name === list)?.children ?? [];
