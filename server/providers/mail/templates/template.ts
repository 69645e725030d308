import type { Locale } from '../locale.ts';

/** A sentence or a few, or a link that stands alone. */
export type Paragraph = string | { readonly label: string; readonly url: string };

export interface Content {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
}

/** What a template needs besides its values. */
export interface Pen {
  /** To a page of the service. The token stands in the fragment, which browsers send to nobody, so it reaches no log. */
  readonly link: (label: string, path: string, token?: string) => Paragraph;
  readonly time: (instant: Date) => string;
}

/** One kind of mail: what it says in each language. */
export type Template<Values> = Readonly<Record<Locale, (values: Values, pen: Pen) => Content>>;
