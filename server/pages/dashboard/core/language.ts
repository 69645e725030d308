/**
 * The language of the dashboard, and how every file defines its words in English and Portuguese. Used by every
 * component with text. A word that lacks a language does not compile.
 */
import { useSyncExternalStore } from 'react';
import { storedChoice } from './stored-choice.ts';

export type Language = 'en' | 'pt';

const choice = storedChoice<Language>('language', ['en', 'pt'], () =>
  navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en',
);

/** Returns the current language of the page. Components use `useWords`, which also follows a change. */
export const language = choice.get;

export function chooseLanguage(to: Language): void {
  choice.set(to);
  markDocument();
}

export function useLanguage(): Language {
  return useSyncExternalStore(choice.subscribe, choice.get);
}

/** Sets the language of the document, by which assistive technology reads the page. */
export function markDocument(): void {
  document.documentElement.lang = choice.get() === 'pt' ? 'pt-BR' : 'en';
}

/**
 * Defines the words of a page in both languages: texts, and functions for texts with parameters. TypeScript requires
 * the same members in both languages.
 */
export function inLanguages<Words>(words: Readonly<Record<Language, Words>>): Readonly<Record<Language, Words>> {
  return words;
}

export function useWords<Words>(words: Readonly<Record<Language, Words>>): Words {
  return words[useLanguage()];
}
