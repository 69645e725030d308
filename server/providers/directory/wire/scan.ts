import { unreadable } from './unreadable.ts';

/** A page of 200 infraction reports has 5,000 elements; a parser's tree is many times the size of its text. */
const most = { depth: 32, tags: 50_000, attributesOfElement: 16, tagCharacters: 8192 } as const;

const name = '[A-Z_a-z\\u00C0-\\uFFFD][-.\\w:\\u00B7-\\uFFFD]{0,255}';
const startTag = new RegExp(`^<(${name})((?:\\s+${name}\\s*=\\s*(?:"[^<"]*"|'[^<']*'))*)\\s*(/?)>`);
const endTag = new RegExp(`^</(${name})\\s*>`);
const attribute = new RegExp(`\\s(${name})\\s*=\\s*(?:"[^"]*"|'[^']*')`, 'g');

/**
 * Goes over the markup once, before a parser builds anything of it, and refuses what a directory never sends and an
 * attacker does: document types (so no entity can be declared), processing instructions, references to anything but
 * the five entities of XML and characters, a second root, tags that do not nest, and more depth, elements or
 * attributes than any answer has. What passes means the same to every XML parser.
 */
export function scanXml(text: string): void {
  const open: string[] = [];
  let tags = 0;
  let roots = 0;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    checkText(text.slice(at, end), open.length);
    if (next === -1) break;
    if (++tags > most.tags) throw unreadable('it has too many elements');
    if (text.startsWith('<!--', next)) at = endOfComment(text, next);
    else if (text.startsWith('<![CDATA[', next) && open.length > 0) at = after(text, ']]>', next + 9);
    else if (text[next + 1] === '!') throw unreadable('it has a document type or another declaration');
    else if (text[next + 1] === '?') throw unreadable('it has a processing instruction');
    else if (text[next + 1] === '/') {
      const [whole, closed] = endTag.exec(text.slice(next, next + 600)) ?? [];
      if (whole === undefined || closed !== open.pop()) throw unreadable('its tags do not nest');
      at = next + whole.length;
    } else {
      const [whole, opened, attributes, empty] = startTag.exec(text.slice(next, next + most.tagCharacters)) ?? [];
      if (whole === undefined || opened === undefined || attributes === undefined) throw unreadable('a tag is malformed or too long');
      checkAttributes(attributes);
      if (open.length === 0 && ++roots > 1) throw unreadable('it has more than one root element');
      if (empty === '') open.push(opened);
      if (open.length > most.depth) throw unreadable('it is nested too deeply');
      at = next + whole.length;
    }
  }
  if (roots === 0 || open.length > 0) throw unreadable('it ends too early');
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found === -1) throw unreadable('it ends too early');
  return found + mark.length;
}

function endOfComment(text: string, start: number): number {
  const end = after(text, '--', start + 4);
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
  if (names.length > most.attributesOfElement) throw unreadable('an element has too many attributes');
  if (new Set(names).size < names.length) throw unreadable('an element has one attribute twice');
  checkReferences(attributes);
}

function checkReferences(text: string): void {
  if (!text.includes('&')) return;
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/.test(text)) throw unreadable('it refers to an entity that XML does not define');
  for (const [, hexadecimal, digits = ''] of text.matchAll(/&#(x?)([\dA-Fa-f]+);/g)) {
    if (!isXmlCharacter(Number.parseInt(digits, hexadecimal === 'x' ? 16 : 10))) throw unreadable('it refers to a character that XML does not allow');
  }
}

/** XML 1.0 §2.2, Char. */
function isXmlCharacter(code: number): boolean {
  return code === 0x9 || code === 0xa || code === 0xd || (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x1_0000 && code <= 0x10_ffff);
}
