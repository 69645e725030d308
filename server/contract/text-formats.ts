/**
 * The text formats of the contract: what people may write for people, without hidden characters. Used by the validators
 * and by lint. A format that is too loose lets texts deceive their readers.
 */

/**
 * Invisible characters, and characters that change how their neighbours are shown: control and format characters (among
 * them line ends, zero-width characters and those that change the direction of text), separators of lines and
 * paragraphs, private-use and unassigned code points, and letters that look blank. Variation selectors are allowed,
 * because they choose between visible forms.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\u2800]|(?!\p{VS})\p{DI}/u;
const LINE_FEED = /\n/g;

/**
 * Letters and marks of the Arabic script and of the scripts of India and Sri Lanka. A zero-width joiner or non-joiner
 * between two of them selects their shape and is part of the spelling (Unicode Standard Annex #31, §2.3).
 */
const JOINED =
  '[[\\p{scx=Arab}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}]&&[\\p{L}\\p{M}]]';
const JOINER = new RegExp(`(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`, 'gv');

interface TextFormat {
  readonly type: 'string';
  readonly validate: (text: string) => boolean;
  /** Message that explains the format to the author of a text. */
  readonly message: string;
}

/**
 * Formats of text that people write for people. The accompanying patterns in the contract express the same rule for
 * 16-bit characters, in the syntax that all languages of regular expressions share; these functions also cover the rest
 * of Unicode.
 */
export const textFormats: Readonly<Record<'single-line' | 'multi-line', TextFormat>> = {
  'single-line': {
    type: 'string',
    validate: (text) => !/^\s/u.test(text) && !hides(text),
    message:
      'must be one line that begins with no space, without control, zero-width, text-direction or other invisible ' +
      'characters, except joiners between letters of Arabic and Indic scripts',
  },
  'multi-line': {
    type: 'string',
    validate: (text) => !hides(text.replace(LINE_FEED, ' ')),
    message:
      'must have no control characters but line feeds, and no zero-width, text-direction or other invisible ' +
      'characters, except joiners between letters of Arabic and Indic scripts',
  },
};

function hides(text: string): boolean {
  return HIDDEN.test(text) && HIDDEN.test(text.replace(JOINER, ''));
}

export function isTextFormat(format: unknown): format is keyof typeof textFormats {
  return typeof format === 'string' && Object.hasOwn(textFormats, format);
}
