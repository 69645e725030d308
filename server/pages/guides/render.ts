/**
 * Turns the Markdown of a guide into a page. Used by guides.ts; the types by the pages and the search. Markup in a
 * guide is shown as text, so that a guide cannot run anything.
 */
import { posix } from 'node:path';
import { Marked, Renderer, type Token, type Tokens } from 'marked';
import { html, Html } from '../../base/html.ts';
import { code as codeBlock } from '../code.ts';

/** A guide as shown on the site. */
export interface Guide {
  /** Name of its file, which is also its path below `/guides`. */
  readonly name: string;
  readonly title: string;
  readonly body: Html;
  /** Headings of the table of contents. */
  readonly contents: readonly { readonly id: string; readonly text: string }[];
  /** Searchable text below each heading. The first section is below the title and has no id. */
  readonly sections: readonly Section[];
}

export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

/** Folder of the guides in the project, to which their links are relative. */
const FOLDER = 'docs/guides';
const LABELS: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  yaml: 'YAML',
  json: 'JSON',
  console: 'Output',
  java: 'Java',
  go: 'Go',
  csharp: 'C#',
  xml: 'XML',
  sql: 'SQL',
  diff: 'Diff',
};
/** Files of the project that the service serves itself. */
const SERVED: Readonly<Record<string, string>> = {
  'docs/guides/README.md': '/guides',
  'openapi.yaml': '/openapi.yaml',
  'README.md': '/',
};

export function renderGuide(name: string, markdown: string, names: ReadonlySet<string>): Guide {
  const ids = new Map<string, number>();
  const marked = new Marked({ gfm: true, renderer: rendererOf(names, ids) });
  const tokens = marked.lexer(markdown).filter((token) => !isComment(token));
  const [first] = tokens;
  const [title, rest] =
    first?.type === 'heading' ? [plain((first as Tokens.Heading).text), tokens.slice(1)] : [name, tokens];
  const headings = rest.filter(
    (token): token is Tokens.Heading => token.type === 'heading' && (token as Tokens.Heading).depth === 2,
  );
  return {
    name,
    title,
    contents: headings.map(({ text }) => ({ id: slugOf(text), text: plain(text) })),
    sections: sectionsOf(title, rest),
    body: new Html(marked.parser(rest)),
  };
}

/** Returns the anchor of a heading as repository hosts form it, so that a link works on both. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function rendererOf(names: ReadonlySet<string>, ids: Map<string, number>) {
  return {
    heading(this: Renderer, { tokens, depth, text }: Tokens.Heading): string {
      const slug = slugOf(text);
      const count = ids.get(slug) ?? 0;
      ids.set(slug, count + 1);
      const id = count === 0 ? slug : `${slug}-${count}`;
      const words = new Html(this.parser.parseInline(tokens));
      const anchor = html`<a class="anchor" href="#${id}" aria-label="Link to “${plain(text)}”">#</a>`;
      return html`<h${depth} id="${id}">${words} ${anchor}</h${depth}>\n`.text;
    },
    link(this: Renderer, { href, tokens }: Tokens.Link): string {
      const words = new Html(this.parser.parseInline(tokens));
      const target = targetOf(href, names);
      if (target.href !== null) return html`<a href="${target.href}">${words}</a>`.text;
      return target.file === null ? words.text : html`${words} <span class="source">(${target.file})</span>`.text;
    },
    code({ text, lang }: Tokens.Code): string {
      return codeBlock([{ label: LABELS[lang ?? ''] ?? (lang || 'Text'), source: text }]).text;
    },
    table(this: Renderer, token: Tokens.Table): string {
      const content = new Html(Renderer.prototype.table.call(this, token));
      return html`<div class="table" role="region" aria-label="Table" tabindex="0">${content}</div>`.text;
    },
    /** Shows markup in a guide as text. */
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      return html`${text}`.text;
    },
    image({ text }: Tokens.Image): string {
      return html`${text}`.text;
    },
  };
}

/**
 * Returns the target of a link on the site. Other files of the project have no URL here, so their path in the project
 * is returned.
 */
function targetOf(
  href: string,
  names: ReadonlySet<string>,
): { readonly href: string | null; readonly file: string | null } {
  if (/^(?:https:\/\/|#)/.test(href)) return { href, file: null };
  if (/^[a-z][a-z+.-]*:/i.test(href)) return { href: null, file: null };
  const [path = '', anchor] = href.split('#');
  const file = posix.join(FOLDER, path);
  const name = posix.dirname(file) === FOLDER ? posix.basename(file, '.md') : '';
  const page = SERVED[file] ?? (names.has(name) ? `/guides/${name}` : null);
  return page === null ? { href: null, file } : { href: anchor === undefined ? page : `${page}#${anchor}`, file: null };
}

function sectionsOf(title: string, tokens: readonly Token[]): Section[] {
  const sections: { id: string; heading: string; text: string }[] = [{ id: '', heading: title, text: '' }];
  for (const token of tokens) {
    if (token.type === 'heading')
      sections.push({
        id: slugOf((token as Tokens.Heading).text),
        heading: plain((token as Tokens.Heading).text),
        text: '',
      });
    else sections.at(-1)!.text += ` ${plain(token.raw)}`;
  }
  return sections.map((section) => ({ ...section, text: section.text.replaceAll(/\s+/g, ' ').trim() }));
}

/** Returns a text without Markdown syntax. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/^```\w*$|^ *[*-] /gm, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\*\*|`|^\|?[-| :]+\|$/gm, '')
    .replaceAll(/ *\| */g, ' ')
    .trim();
}

function isComment(token: Token): boolean {
  return token.type === 'html' && /^<!--.*-->\s*$/s.test(token.raw);
}
