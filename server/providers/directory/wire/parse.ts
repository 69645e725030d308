/**
 * This file parses XML from the directory strictly: it rejects XML that parsers could read differently or that is too
 * expensive to parse. Used by the other files of this folder and by transport.ts.
 */
import { DOMParser } from '@xmldom/xmldom';
import { unreadable } from '../directory.ts';

/**
 * Protects U+0085 and U+2028, which XML 1.0 leaves unchanged but this parser converts to line feeds, as XML 1.1 does.
 * As character references they survive, so the text keeps its bytes and its digest.
 */
export function keepLineEnds(text: string): string {
  return text.replaceAll('\u0085', '&#x85;').replaceAll('\u2028', '&#x2028;');
}

/** Size limit, checked before parsing. A page of 200 notifications has about 80 KiB. */
export const mostXmlBytes = 8 * 1024 * 1024;

/**
 * Characters that XML 1.0 §2.2 (Char) forbids. Surrogates are not listed, because a strict UTF-8 decoder never returns
 * them.
 */
const noXmlCharacter = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;
const declaration =
  /^<\?xml[ \t\r\n]+version[ \t\r\n]*=[ \t\r\n]*(?:"1\.[01]"|'1\.[01]')(?:[ \t\r\n]+encoding[ \t\r\n]*=[ \t\r\n]*(?:"([\w.-]{1,40})"|'([\w.-]{1,40})'))?(?:[ \t\r\n]+standalone[ \t\r\n]*=[ \t\r\n]*(?:"(?:yes|no)"|'(?:yes|no)'))?[ \t\r\n]*\?>/;

/**
 * Returns the text of a document without its XML declaration. Accepts only UTF-8, because parsers could disagree about
 * a document in another encoding, or one that declares another.
 */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes.byteLength > mostXmlBytes) throw unreadable('it is larger than 8 MiB');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('it is not UTF-8');
  }
  if (noXmlCharacter.test(text)) throw unreadable('it has characters that XML does not allow');
  const [whole = '', quoted, apostrophed] = declaration.exec(text) ?? [];
  const encoding = quoted ?? apostrophed ?? 'UTF-8';
  if (encoding.toUpperCase() !== 'UTF-8') throw unreadable('it declares another encoding than UTF-8');
  return keepLineEnds(text.slice(whole.length));
}

/**
 * Limits on the markup, because a parser's tree is many times the size of the text. A page of 200
 * reports has 5,000 elements.
 */
const markupLimits = {
  depth: 32,
  tags: 50_000,
  attributesOfElement: 16,
  tagCharacters: 8192,
} as const;

const xmlName = '[A-Z_a-z\\u00C0-\\uFFFD][-.\\w:\\u00B7-\\uFFFD]{0,255}';
const startTag = new RegExp(`^<(${xmlName})((?:\\s+${xmlName}\\s*=\\s*(?:"[^<"]*"|'[^<']*'))*)\\s*(/?)>`);
const endTag = new RegExp(`^</(${xmlName})\\s*>`);
const attribute = new RegExp(`\\s(${xmlName})\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'g');

/**
 * Scans the markup once, before a parser builds anything from it, and rejects what only an attacker sends: document
 * types (so no entity can be declared), processing instructions, references to anything but the five entities of XML
 * and characters, a second root, tags that do not nest, and more depth, elements or attributes than any answer has.
 * What passes means the same to every XML parser.
 */
function scanXml(text: string): void {
  const open: string[] = [];
  let tags = 0;
  let roots = 0;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    checkText(text.slice(at, end), open.length);
    if (next === -1) break;
    if (++tags > markupLimits.tags) throw unreadable('it has too many elements');
    if (text.startsWith('<!--', next)) at = endOfComment(text, next);
    else if (text.startsWith('<![CDATA[', next) && open.length > 0) at = endOf(text, ']]>', next + 9);
    else if (text[next + 1] === '!') throw unreadable('it has a document type or another declaration');
    else if (text[next + 1] === '?') throw unreadable('it has a processing instruction');
    else if (text[next + 1] === '/') {
      const [whole, closed] = endTag.exec(text.slice(next, next + 600)) ?? [];
      if (whole === undefined || closed !== open.pop()) throw unreadable('its tags do not nest');
      at = next + whole.length;
    } else {
      const [whole, opened, attributes, empty] =
        startTag.exec(text.slice(next, next + markupLimits.tagCharacters)) ?? [];
      if (whole === undefined || opened === undefined || attributes === undefined)
        throw unreadable('a tag is malformed or too long');
      checkAttributes(attributes);
      if (open.length === 0 && ++roots > 1) throw unreadable('it has more than one root element');
      if (empty === '') open.push(opened);
      if (open.length > markupLimits.depth) throw unreadable('it is nested too deeply');
      at = next + whole.length;
    }
  }
  if (roots === 0 || open.length > 0) throw unreadable('it ends too early');
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found === -1) throw unreadable('it ends too early');
  return found + mark.length;
}

function endOfComment(text: string, start: number): number {
  const end = endOf(text, '--', start + 4);
  if (text[end] !== '>') throw unreadable('a comment is malformed');
  return end + 1;
}

function checkText(text: string, depth: number): void {
  if (depth === 0 && /[^ \t\r\n]/.test(text)) throw unreadable('it has text outside of the root element');
  if (text.includes(']]>')) throw unreadable('it has the end of a section that never began');
  checkReferences(text);
}

function checkAttributes(attributes: string): void {
  if (attributes === '') return;
  const names = Array.from(attributes.matchAll(attribute), ([, found]) => found);
  if (names.length > markupLimits.attributesOfElement) throw unreadable('an element has too many attributes');
  if (new Set(names).size < names.length) throw unreadable('an element has one attribute twice');
  checkReferences(attributes);
}

function checkReferences(text: string): void {
  if (!text.includes('&')) return;
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/.test(text))
    throw unreadable('it refers to an entity that XML does not define');
  for (const [, hexadecimal, digits = ''] of text.matchAll(/&#(x?)([\dA-Fa-f]+);/g)) {
    if (!isXmlCharacter(Number.parseInt(digits, hexadecimal === 'x' ? 16 : 10)))
      throw unreadable('it refers to a character that XML does not allow');
  }
}

/** Tests for Char of XML 1.0 §2.2. */
function isXmlCharacter(code: number): boolean {
  return (
    code === 0x9 ||
    code === 0xa ||
    code === 0xd ||
    (code >= 0x20 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd) ||
    (code >= 0x1_0000 && code <= 0x10_ffff)
  );
}

/** Parses a well-formed document and returns its root. Rejects what the parser would repair or only warn about. */
export function parseXml(text: string): Element {
  scanXml(text);
  const refuse = (): never => {
    throw unreadable('it is not well-formed XML');
  };
  const root = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } }).parseFromString(
    text,
    'text/xml',
  ).documentElement;
  if (root === null) return refuse();
  for (const element of [root, ...Array.from(root.getElementsByTagName('*'))]) {
    const isUnbound = ({ prefix, namespaceURI }: Element | Attr): boolean =>
      (prefix ?? '') !== '' && (namespaceURI ?? '') === '';
    if (isUnbound(element) || Array.from(element.attributes).some(isUnbound))
      throw unreadable('it has a prefix that is not bound to a namespace');
  }
  return root;
}

export function elementsOf(parent: Node): readonly Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === 1);
}
