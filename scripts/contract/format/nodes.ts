/**
 * Reading and changing the nodes of a YAML document. Used by all files of the formatter. Comments belong to nodes, so
 * nodes are changed in place and not replaced.
 */
import { Pair, YAMLMap, YAMLSeq, isMap, isNode, isPair, isScalar, isSeq, visit } from 'yaml';
import type { Document } from 'yaml';
import { nearestName } from '../read.ts';

/** Text that YAML 1.1 parsers read as an instant, a number of base 60 or a boolean. */
const OTHERWISE_READ = /^(\d{4}-\d\d?-\d\d?([Tt\s].*)?|[-+\d][\d_:.]*|y|n|yes|no|on|off)$/i;

export type Member = Pair<unknown, unknown>;

export function membersOf(node: unknown): Member[] {
  return isMap(node) ? node.items : [];
}

/** Returns the key of a member as text, because a status may be written as a number. */
export function keyOf(member: Member): string {
  return String(isScalar(member.key) ? member.key.value : member.key);
}

/** Returns the node at a path, or undefined. */
export function at(node: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((reached, step) => {
    if (isSeq(reached)) return reached.items[Number(step)];
    return membersOf(reached).find((member) => keyOf(member) === String(step))?.value;
  }, node);
}

export function textAt(node: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(node, ...path);
  return isScalar(found) && typeof found.value === 'string' ? found.value : undefined;
}

export function isTrue(node: unknown): boolean {
  return isScalar(node) && node.value === true;
}

/** Returns the entries of a sequence as plain values. */
export function listOf(document: Document, node: unknown): unknown[] {
  return isSeq(node) ? (node.toJS(document) as unknown[]) : [];
}

/** Adds a member at the end, or changes the value of the existing one. */
export function put(document: Document, map: YAMLMap, key: string, value: unknown): void {
  putBehind(document, map, { key, value, behind: undefined });
}

interface Put {
  readonly key: string;
  readonly value: unknown;
  /** Key of the member after which the new one is added. */
  readonly behind: string | undefined;
}

/** Adds a member behind another one, or changes the value of the existing one. */
export function putBehind(document: Document, map: YAMLMap, { key, value, behind }: Put): void {
  const node = document.createNode(value);
  visit(node, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === 'string' && OTHERWISE_READ.test(scalar.value)) scalar.type = 'QUOTE_SINGLE';
    },
  });
  const place = (name: string | undefined) => map.items.findIndex((member) => keyOf(member as Member) === name);
  const found = map.items[place(key)] as Member | undefined;
  if (found !== undefined) found.value = node;
  else map.items.splice(place(behind) + 1 || map.items.length, 0, new Pair(document.createNode(key), node));
}

/** Returns the map at a member, after adding it if missing. */
export function mapAt(document: Document, map: YAMLMap, key: string): YAMLMap {
  const found = at(map, key);
  if (isMap(found)) return found;
  put(document, map, key, {});
  const made = at(map, key) as YAMLMap;
  made.flow = false;
  return made;
}

/** Returns `{ $ref: '#/components/<kind>/<name>' }`. */
export function reference(kind: string, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

/** Returns the name of the component that a node refers to, or null. */
export function referenced(node: unknown): string | null {
  return textAt(node, '$ref')?.split('/').at(-1) ?? null;
}

/** Sorts members by rank; members of the same rank keep their order. */
export function sortMembers(map: YAMLMap, rank: (member: Member) => number): void {
  const items = map.items as Member[];
  const ranks = new Map(items.map((member) => [member, rank(member)]));
  const sorted = items.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  map.items = sorted as typeof map.items;
}

/** Returns whether a node is a map or a sequence. */
export function isCollection(node: unknown): node is YAMLMap | YAMLSeq {
  return isMap(node) || isSeq(node);
}

/** Returns the nodes within a collection, each with its key. */
export function childrenOf(node: YAMLMap | YAMLSeq): { readonly key: string; readonly child: unknown }[] {
  return node.items.map((item: unknown) =>
    isPair(item) ? { key: keyOf(item), child: item.value } : { key: '', child: item },
  );
}

/** Error that prevents completing the contract, with the node that causes it. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly offset: number;

  constructor(node: unknown, message: string) {
    super(message);
    this.offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  }
}

/**
 * Returns the end of a sentence about an unknown name: the known name that was probably meant, or where the known names
 * are listed.
 */
export function oneOf(name: string, known: readonly string[], otherwise: string): string {
  const meant = nearestName(name, known);
  return meant === null ? `; ${otherwise}` : `; did you mean \`${meant}\`?`;
}
