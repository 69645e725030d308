export type Locale = 'en' | 'pt-BR';

/** The language of a tenant's mail; what has no translation is written in English. */
export function localeOf(tag: string | null | undefined): Locale {
  return tag?.toLowerCase().startsWith('pt') === true ? 'pt-BR' : 'en';
}
