/**
 * Prints the contract as text: what stands on one line and what in a block. Used by `make format`. Printing twice must
 * give the same text.
 */
import { YAMLMap, isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import type { Document, ToStringOptions, YAMLSeq } from 'yaml';
import { childrenOf, isCollection, membersOf } from './nodes.ts';

/**
 * Longest line: content that fits is written on one line, because a contract of 160 operations is read by scanning its
 * columns.
 */
const WIDTH = 140;

/** Deepest nesting on one line, because deeper nesting is hard to read however short it is. */
const DEEPEST = 3;

/** Members that always list their content one below the other. */
const LISTS: ReadonlySet<string> = new Set([
  'content',
  'examples',
  'links',
  'parameters',
  'properties',
  'responses',
  'x-audit-actions',
  'x-problems',
]);

const OPTIONS: ToStringOptions = { lineWidth: 0, singleQuote: true };

/** Returns the text of a contract: block style, but one line for what fits and for what was written on one line. */
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

/**
 * Returns whether a node is always a block: the document, its sections, paths, operations and named components, and a
 * reference in a list.
 */
function isList(key: string, path: readonly string[]): boolean {
  const named = (path[0] === 'components' || path[0] === 'paths') && path.length <= 3;
  return path.length <= 1 || named || LISTS.has(key) || (key === '' && path.at(-2) === 'parameters');
}

/**
 * Returns the length of a node on one line; null for a node that cannot be on one line, because of a comment, an anchor
 * or a block of text.
 */
function lengthOf(node: unknown): number | null {
  if (node === null || node === undefined) return 0;
  if (isAlias(node)) return node.source.length + 1;
  if (!isNode(node) || hasComment(node) || ('anchor' in node && node.anchor !== undefined)) return null;
  // Counts every text as if it were quoted, so that the result is the same before and after quoting.
  if (isScalar(node))
    return node.type?.startsWith('BLOCK') === true
      ? null
      : String(node.value).length + (typeof node.value === 'string' ? 2 : 0);
  if (!isCollection(node)) return null;
  let length = isSeq(node) ? 2 : 4;
  for (const { key, child } of childrenOf(node)) {
    const own = lengthOf(child);
    if (own === null) return null;
    length += own + key.length + (key === '' ? 2 : 4);
  }
  return membersOf(node).some(({ key }) => isNode(key) && hasComment(key)) ? null : length - 2;
}

function hasComment(node: {
  readonly comment?: string | null;
  readonly commentBefore?: string | null;
  readonly spaceBefore?: boolean;
}): boolean {
  return Boolean(node.comment) || Boolean(node.commentBefore) || node.spaceBefore === true;
}

function depthOf(node: unknown): number {
  return isCollection(node) ? 1 + Math.max(0, ...childrenOf(node).map(({ child }) => depthOf(child))) : 0;
}

type Stringify = (context: object, ...rest: unknown[]) => string;

/**
 * Sets the padding of each bracket for `{ a: 1 }` and `[a, b]`, because the printer has only one padding for both
 * kinds.
 */
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
    value: (context?: object, ...rest: unknown[]) =>
      stringify.call(node, { ...context, flowCollectionPadding }, ...rest),
  });
}
