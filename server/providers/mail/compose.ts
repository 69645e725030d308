/**
 * Builds a mail as text and HTML from a template. Used by the outbox and the templates. Names are chosen by strangers:
 * they must become neither links nor paragraphs of their own.
 */
import type { Recipient } from '../../base/config.ts';
import { html, type Html } from '../../base/html.ts';
import { headerText, plainName } from './recipient.ts';

export type Locale = 'en' | 'pt-BR';

/** Returns the language of a tenant's mail. English if there is no translation. */
export function localeOf(tag: string | null | undefined): Locale {
  return tag?.toLowerCase().startsWith('pt') === true ? 'pt-BR' : 'en';
}

/** A few sentences, or a link on a line of its own. */
type Paragraph = string | { readonly label: string; readonly url: string };

interface Content {
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
}

/** Helpers of a template besides its values. */
export interface TemplateContext {
  /**
   * Creates a link to a page of the service. The token is in the fragment, which browsers do not send, so it reaches no
   * log.
   */
  readonly link: (label: string, path: string, token?: string) => Paragraph;
  readonly time: (instant: Date) => string;
}

/** One kind of mail, with its content in each language. */
export type Template<Values> = Readonly<Record<Locale, (values: Values, pen: TemplateContext) => Content>>;

/** A mail ready to be sent: the same words as text and as HTML. */
export interface Letter {
  readonly to: Recipient;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const PHRASES = {
  en: {
    greeting: (name: string | null) => (name === null ? 'Hello,' : `Hello ${name},`),
    footer: 'Compliance Onboarding sent this message by itself; answers are not read.',
  },
  'pt-BR': {
    greeting: (name: string | null) => (name === null ? 'Olá,' : `Olá, ${name},`),
    footer: 'O Compliance Onboarding enviou esta mensagem automaticamente; respostas não são lidas.',
  },
} as const;

const TIME_ZONE = { en: 'UTC', 'pt-BR': 'America/Sao_Paulo' } as const;

/**
 * Returns the helpers of a language. Times are in Brazilian time for readers in Brazil and in UTC, which they name, for
 * all others.
 */
export function templateContext(locale: Locale, origin: string): TemplateContext {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: TIME_ZONE[locale],
    dateStyle: 'long',
    timeStyle: 'short',
  });
  return {
    link: (label, path, token) => ({
      label,
      url: `${origin}${path}${token === undefined ? '' : `#token=${encodeURIComponent(token)}`}`,
    }),
    time: (instant) => `${format.format(instant)} ${locale === 'en' ? 'UTC' : '(horário de Brasília)'}`,
  };
}

export function compose(content: Content, recipient: Recipient, locale: Locale): Letter {
  const to = { address: recipient.address, name: recipient.name === null ? null : plainName(recipient.name) || null };
  const subject = headerText(content.subject);
  const { greeting, footer } = PHRASES[locale];
  const paragraphs: readonly Paragraph[] = [greeting(to.name), ...content.paragraphs.map(onOneLine), footer];
  return {
    to,
    subject,
    text: `${paragraphs.map(asText).join('\n\n')}\n`,
    html: asHtml(subject, paragraphs, locale),
  };
}

/** Removes line breaks, so that names chosen by people cannot begin a paragraph of their own. */
function onOneLine(paragraph: Paragraph): Paragraph {
  return typeof paragraph === 'string' ? paragraph.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ') : paragraph;
}

function asText(paragraph: Paragraph): string {
  return typeof paragraph === 'string' ? paragraph : `${paragraph.label}:\n${paragraph.url}`;
}

/** Kinds of text that mail programs must not turn into links. */
const NO_LINKS = 'telephone=no, date=no, address=no, email=no, url=no';

function asHtml(subject: string, paragraphs: readonly Paragraph[], locale: Locale): string {
  return html`<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="format-detection" content="${NO_LINKS}"><title>${subject}</title></head>
<body>
${paragraphs.map(markUp)}</body>
</html>
`.text;
}

function markUp(paragraph: Paragraph): Html {
  return typeof paragraph === 'string'
    ? html`<p>${paragraph}</p>\n`
    : html`<p><a href="${paragraph.url}">${paragraph.label}</a></p>\n`;
}
