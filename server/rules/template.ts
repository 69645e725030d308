/**
 * Texts with placeholders, which a tenant writes and the service fills in: `{{name}}` stands for a value, and a part
 * between `{{#list}}` and `{{/list}}` is repeated for each element of a list. There are no conditions and no
 * expressions, so a template can be checked completely when it is written.
 */

/** What a template may name: values, and lists with the values of their elements. */
export interface Vocabulary {
  readonly values: readonly string[];
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

type Piece =
  | { readonly text: string }
  | { readonly value: string }
  | { readonly list: string; readonly pieces: readonly Piece[] };

/** Values of one filling. */
export interface Values {
  readonly values: Readonly<Record<string, string>>;
  readonly lists: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;
}

const TAG = /\{\{([^{}]*)\}\}/g;

/** Returns why a template cannot be used, in words that complete "must …"; an empty list if it can. */
export function templateFaults(template: string, vocabulary: Vocabulary): string[] {
  const parsed = parse(template, vocabulary);
  return 'faults' in parsed ? parsed.faults : [];
}

/** Fills in a template that has no faults. Each value is escaped for the format of the text. */
export function fillTemplate(
  template: string,
  vocabulary: Vocabulary,
  { values, lists }: Values,
  escape: (value: string) => string,
): string {
  const parsed = parse(template, vocabulary);
  if ('faults' in parsed) throw new TypeError(`a stored template must not have faults: ${parsed.faults.join('; ')}`);
  const write = (pieces: readonly Piece[], known: Readonly<Record<string, string>>): string =>
    pieces
      .map((piece) => {
        if ('text' in piece) return piece.text;
        if ('value' in piece) return escape(known[piece.value] ?? '');
        return (lists[piece.list] ?? []).map((element) => write(piece.pieces, { ...known, ...element })).join('');
      })
      .join('');
  return write(parsed.pieces, values);
}

function parse(
  template: string,
  { values, lists }: Vocabulary,
): { readonly pieces: readonly Piece[] } | { readonly faults: string[] } {
  const faults = new Set<string>();
  const root: Piece[] = [];
  let open: { readonly name: string; readonly pieces: Piece[] } | null = null;
  let end = 0;
  const text = (part: string): void => {
    if (part.includes('{{') || part.includes('}}')) faults.add('close every placeholder with }}');
    if (part !== '') (open?.pieces ?? root).push({ text: part });
  };
  for (const { 0: tag, 1: inner = '', index } of template.matchAll(TAG)) {
    text(template.slice(end, index));
    end = index + tag.length;
    const name = inner.trim();
    if (name.startsWith('#')) {
      const list = name.slice(1);
      if (open !== null) faults.add(`end the part {{#${open.name}}} before another one begins`);
      if (!Object.hasOwn(lists, list)) faults.add(`repeat only ${named(Object.keys(lists))}, not ${list}`);
      open = { name: list, pieces: [] };
    } else if (name.startsWith('/')) {
      if (open?.name === name.slice(1)) root.push({ list: open.name, pieces: open.pieces });
      else faults.add(`begin the part that {{${name}}} ends`);
      open = null;
    } else {
      const allowed = [...values, ...(open === null ? [] : (lists[open.name] ?? []))];
      if (!allowed.includes(name)) faults.add(`name only ${named(allowed)} here, not ${name}`);
      (open?.pieces ?? root).push({ value: name });
    }
  }
  text(template.slice(end));
  if (open !== null) faults.add(`end the part {{#${open.name}}}`);
  return faults.size > 0 ? { faults: [...faults] } : { pieces: root };
}

function named(names: readonly string[]): string {
  return names.join(', ');
}
