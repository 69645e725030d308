/** Puts the words of the settings in both languages together. Used by settings-page.tsx and section-form.tsx. */
import { inLanguages } from '../../core/language.ts';
import { english, type SettingsWords } from './settings-words-en.ts';
import { portuguese } from './settings-words-pt.ts';

/** All words of the settings page. */
export const settingsWords = inLanguages<SettingsWords>({ en: english, pt: portuguese });
