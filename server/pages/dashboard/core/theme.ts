/** Light or dark colours. Used by main.tsx and the account menu. */
import { useSyncExternalStore } from 'react';
import { storedChoice } from './stored-choice.ts';

export type Theme = 'system' | 'light' | 'dark';

const choice = storedChoice<Theme>('theme', ['system', 'light', 'dark'], () => 'system');

export function chooseTheme(theme: Theme): void {
  choice.set(theme);
  applyTheme();
}

export function useTheme(): Theme {
  return useSyncExternalStore(choice.subscribe, choice.get);
}

/**
 * Applies the theme. The colours are declared with `light-dark()`; a class on the root element overrides the system
 * setting.
 */
export function applyTheme(): void {
  const { classList } = document.documentElement;
  classList.toggle('light', choice.get() === 'light');
  classList.toggle('dark', choice.get() === 'dark');
}
