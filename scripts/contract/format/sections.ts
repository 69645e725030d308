/**
 * Sorts paths, schemas and examples below banners, and writes the table of contents. Used by `make format`. The order
 * that a designer chose within a section is kept.
 */
import { isMap, isNode, isScalar, visit } from 'yaml';
import type { Document, Node, YAMLMap } from 'yaml';
import { METHODS } from '../contract.ts';
import { at, keyOf, listOf, membersOf, sortMembers, textAt } from './nodes.ts';
import type { Member } from './nodes.ts';

const RULE = '─────────────────────────────';
const BANNER = new RegExp(`^ ${RULE} (.+) ${RULE}$`);
const WIDTH = 140;

const FIRST = ' The contract of the service';
const LAST = ' ── end of the map ──';

/**
 * Sorts the paths below the banner of their tag, in the order of `tags`; within a section, the designer's order is
 * kept.
 */
export function arrangeSections(document: Document): void {
  const paths = at(document.contents, 'paths');
  if (!isMap(paths)) return;
  withoutBanners(paths as YAMLMap);
  const tags = tagNames(document);
  // A path that has no operations yet stays behind the path before it.
  let rank = 0;
  const ranks = new Map(
    (paths.items as Member[]).map((member) => {
      const tag = tagOf(member);
      if (tag !== undefined) rank = tags.indexOf(tag);
      return [member, rank];
    }),
  );
  sortMembers(paths as YAMLMap, (member) => ranks.get(member) ?? 0);
  for (const { key } of paths.items as Member[]) (key as Spaced).spaceBefore = true;
  writeBanners(paths as YAMLMap, tagOf);
}

type Spaced = Node & { spaceBefore?: boolean };

/** Writes a banner above the first member of each section. A member without a section belongs to the one before it. */
function writeBanners(map: YAMLMap, sectionOf: (member: Member) => string | undefined): void {
  let current: string | undefined;
  for (const member of map.items as Member[]) {
    const key = member.key as Spaced;
    const section = sectionOf(member);
    if (section !== undefined && section !== current) {
      key.spaceBefore = true;
      // The empty last line of the comment prints the blank line below a banner.
      key.commentBefore = [` ${RULE} ${section} ${RULE}\n`, key.commentBefore].filter(Boolean).join('\n');
    }
    current = section ?? current;
  }
}

/** Removes the banners. The comment before the first member belongs to the map that holds the member. */
function withoutBanners(map: YAMLMap): void {
  const [first] = map.items as Member[];
  if (first !== undefined && isNode(first.key)) {
    first.key.commentBefore = [map.commentBefore, first.key.commentBefore].filter(Boolean).join('\n');
    map.commentBefore = null;
    map.spaceBefore = false;
  }
  for (const { key } of map.items as Member[]) {
    if (!isNode(key) || typeof key.commentBefore !== 'string') continue;
    const lines = key.commentBefore.split('\n');
    const kept = lines.filter(
      (line, index) => !BANNER.test(line) && !(line === '' && BANNER.test(lines[index - 1] ?? '')),
    );
    key.commentBefore = kept.length === 0 ? null : kept.join('\n');
  }
}

function tagNames(document: Document): string[] {
  return (listOf(document, at(document.contents, 'tags')) as { readonly name?: string }[]).map(({ name = '' }) => name);
}

function tagOf(path: Member): string | undefined {
  return METHODS.map((method) => textAt(path.value, method, 'tags', 0)).find((tag) => tag !== undefined);
}

/** Components that are many enough to need sections of their own. */
const SECTIONED = ['schemas', 'examples'] as const;

/** Section of the components that the operations of several tags use, or those of none. */
const SHARED = 'shared';

/**
 * Sorts schemas and examples below the banner of the only tag whose operations use them, directly or through other
 * components. What several tags use comes first; within a section, the designer's order is kept.
 */
export function arrangeComponents(document: Document): void {
  const users = tagsOfComponents(document);
  const sections = [SHARED, ...tagNames(document)];
  for (const kind of SECTIONED) {
    const components = at(document.contents, 'components', kind);
    if (!isMap(components)) continue;
    const map = components as YAMLMap;
    withoutBanners(map);
    const sectionOf = (member: Member): string => {
      const [tag, ...others] = users.get(`${kind}/${keyOf(member)}`) ?? [];
      // An anchor must stand before its aliases, which may be in any section.
      return tag === undefined || others.length > 0 || hasAnchor(member) ? SHARED : tag;
    };
    sortMembers(map, (member) => sections.indexOf(sectionOf(member)));
    writeBanners(map, (member) => `${kind}: ${sectionOf(member)}`);
  }
}

function hasAnchor(member: Member): boolean {
  let found = false;
  visit(member.value as Node, {
    Node: (_, node) => {
      found ||= 'anchor' in node && node.anchor !== undefined;
    },
  });
  return found;
}

/** Returns for each component, as `kind/name`, the tags whose operations use it. */
function tagsOfComponents(document: Document): ReadonlyMap<string, ReadonlySet<string>> {
  const users = new Map<string, Set<string>>();
  const visitUses = (node: unknown, tag: string): void => {
    visit(node as Node, {
      Pair: (_, { key, value }) => {
        if (!isScalar(key) || key.value !== '$ref' || !isScalar(value)) return;
        const [kind = '', name = ''] = String(value.value).split('/').slice(-2);
        const component = `${kind}/${name}`;
        const tags = users.get(component) ?? new Set();
        if (tags.has(tag)) return;
        users.set(component, tags.add(tag));
        visitUses(at(document.contents, 'components', kind, name), tag);
      },
    });
  };
  for (const path of membersOf(at(document.contents, 'paths'))) visitUses(path.value, tagOf(path) ?? SHARED);
  return users;
}

/**
 * Writes the comment at the top: the path of the editor's schema, and a table of contents in the order of the file. It
 * names no line numbers, so that it changes only if an operation is added or removed.
 */
export function writeMap(document: Document, editorSchema: string): void {
  const own = (document.commentBefore ?? '').split('\n');
  const [start, end] = [own.findIndex((line) => line.startsWith(FIRST)), own.indexOf(LAST)];
  const kept = start === -1 || end < start ? own : own.toSpliced(start, end - start + 1);
  const others = kept.filter((line) => !line.startsWith(' yaml-language-server:'));
  document.commentBefore = [
    ` yaml-language-server: $schema=${editorSchema}`,
    ...mapOf(document),
    ...others.filter((line) => line !== ''),
  ].join('\n');
}

function mapOf(document: Document): string[] {
  const operations = membersOf(at(document.contents, 'paths')).flatMap((path) =>
    membersOf(path.value).flatMap(({ value }) => {
      const id = textAt(value, 'operationId');
      return id === undefined ? [] : [{ id, tag: tagOf(path) ?? '' }];
    }),
  );
  const sections = [...new Set(operations.map(({ tag }) => tag))].map((tag) => ({
    name: tag,
    ids: operations.filter((one) => one.tag === tag).map(({ id }) => id),
  }));
  const kinds = membersOf(at(document.contents, 'components')).map(
    (kind) => `${keyOf(kind)} ${membersOf(kind.value).length}`,
  );
  return [
    `${FIRST}, with ${operations.length} operations. \`make format\` writes this map, and what follows from what ` +
      'you write below.',
    ` Search for "─ <section> ─", or for an operationId.`,
    ...sections.flatMap(({ name, ids }) => folded(`   ${name.padEnd(16)}`, ids.join(', '))),
    ...folded(`   ${'components'.padEnd(16)}`, kinds.join(', ')),
    LAST,
  ];
}

function folded(head: string, text: string): string[] {
  const lines = [head];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(`${' '.repeat(head.length)} ${word}`);
  }
  return lines;
}
