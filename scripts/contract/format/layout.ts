import { YAMLMap, isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import type { Document, ToStringOptions, YAMLSeq } from 'yaml';
import { childrenOf, isCollection, membersOf } from './nodes.ts';

/** What is short enough stands on one line: a contract of 160 operations is read by looking down its columns. */
const WIDTH = 140;

/** More nesting than this does not read well on one line, however short it is. */
const DEEPEST = 3;

/** Members that list things one below the other, however few they are. */
const LISTS: ReadonlySet<string> = new Set(['content', 'examples', 'links', 'parameters', 'properties', 'responses', 'x-audit-actions', 'x-problems']);

const OPTIONS: ToStringOptions = { lineWidth: 0, singleQuote: true };

/** The text of a contract: block style, but one line for what fits and for what was written on one line. */
export function print(document: Document): string {
  arrange(document.contents, '', -2, []);
  pad(document.contents, false);
  return document.toString(OPTIONS);
}

function arrange(node: unknown, key: string, indent: number, path: readonly string[]): void {
  if (!isCollection(node) || node.flow === true) return;
  const fits = (): boolean => indent + key.length + 2 + (lengthOf(node) ?? Infinity) <= WIDTH;
  if (!isList(key, path) && node.items.length > 0 && depthOf(node) <= DEEPEST && fits()) {
    node.flow = true;
    return;
  }
  for (const { key: below, child } of childrenOf(node)) arrange(child, below, indent + 2, [...path, below]);
}

/** The document, its sections, paths, operations and named components are blocks; so is a reference in a list. */
function isList(key: string, path: readonly string[]): boolean {
  const named = (path[0] === 'components' || path[0] === 'paths') && path.length <= 3;
  return path.length <= 1 || named || LISTS.has(key) || (key === '' && path.at(-2) === 'parameters');
}

/** How long a node is on one line; null for one that cannot stand on one, because of a comment, an anchor or a block of text. */
function lengthOf(node: unknown): number | null {
  if (node === null || node === undefined) return 0;
  if (isAlias(node)) return node.source.length + 1;
  if (!isNode(node) || hasComment(node) || ('anchor' in node && node.anchor !== undefined)) return null;
  // Counted as if every text were quoted, so that the outcome is the same before and after it is.
  if (isScalar(node)) return node.type?.startsWith('BLOCK') === true ? null : String(node.value).length + (typeof node.value === 'string' ? 2 : 0);
  if (!isCollection(node)) return null;
  let length = isSeq(node) ? 2 : 4;
  for (const { key, child } of childrenOf(node)) {
    const own = lengthOf(child);
    if (own === null) return null;
    length += own + key.length + (key === '' ? 2 : 4);
  }
  return membersOf(node).some(({ key }) => isNode(key) && hasComment(key)) ? null : length - 2;
}

function hasComment(node: { readonly comment?: string | null; readonly commentBefore?: string | null; readonly spaceBefore?: boolean }): boolean {
  return Boolean(node.comment) || Boolean(node.commentBefore) || node.spaceBefore === true;
}

function depthOf(node: unknown): number {
  return isCollection(node) ? 1 + Math.max(0, ...childrenOf(node).map(({ child }) => depthOf(child))) : 0;
}

type Stringify = (context: object, ...rest: unknown[]) => string;

/** `{ a: 1 }` and `[a, b]`: the printer knows one padding for both kinds of bracket, so each is told its own. */
function pad(node: unknown, isWithin: boolean): void {
  if (!isCollection(node)) return;
  const onOneLine = isWithin || node.flow === true;
  if (onOneLine) padded(node);
  for (const { child } of childrenOf(node)) pad(child, onOneLine);
}

function padded(node: YAMLMap | YAMLSeq): void {
  const stringify = (Object.getPrototypeOf(node) as { toString: Stringify }).toString;
  const flowCollectionPadding = isMap(node) ? ' ' : '';
  Object.defineProperty(node, 'toString', {
    configurable: true,
    value: (context?: object, ...rest: unknown[]) => stringify.call(node, { ...context, flowCollectionPadding }, ...rest),
  });
}
