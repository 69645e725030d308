import { useSyncExternalStore } from 'react';
import { storedChoice } from './stored-choice.ts';

export type Language = 'en' | 'pt';

const choice = storedChoice<Language>('language', ['en', 'pt'], () => (navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en'));

/** The language of the page, now. Components use `useWords`, which also follows a change. */
export const language = choice.get;

export function chooseLanguage(to: Language): void {
  choice.set(to);
  markDocument();
}

export function useLanguage(): Language {
  return useSyncExternalStore(choice.subscribe, choice.get);
}

/** Assistive technology reads a page by the language that the document names. */
export function markDocument(): void {
  document.documentElement.lang = choice.get() === 'pt' ? 'pt-BR' : 'en';
}

/**
 * The words of a page in both languages: texts, and functions where something is put into them. TypeScript demands that
 * both languages have the same members.
 */
export function inLanguages<Words>(words: Readonly<Record<Language, Words>>): Readonly<Record<Language, Words>> {
  return words;
}

export function useWords<Words>(words: Readonly<Record<Language, Words>>): Words {
  return words[useLanguage()];
}
