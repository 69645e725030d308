import { isMap, isNode } from 'yaml';
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
  let section: string | undefined;
  for (const member of paths.items as Member[]) {
    const key = member.key as Node & { spaceBefore?: boolean };
    key.spaceBefore = true;
    const tag = tagOf(member);
    // The empty last line of the comment prints the blank line below a banner.
    if (tag !== undefined && tag !== section)
      key.commentBefore = [` ${RULE} ${tag} ${RULE}\n`, key.commentBefore].filter(Boolean).join('\n');
    section = tag ?? section;
  }
}

/** Removes the banners. The comment before the first member belongs to the map that holds the member. */
function withoutBanners(paths: YAMLMap): void {
  const [first] = paths.items as Member[];
  if (first !== undefined && isNode(first.key)) {
    first.key.commentBefore = [paths.commentBefore, first.key.commentBefore].filter(Boolean).join('\n');
    paths.commentBefore = null;
    paths.spaceBefore = false;
  }
  for (const { key } of paths.items as Member[]) {
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
