import { inLanguages } from '../../app/language.ts';
import { english, type SettingsWords } from './settings-words-en.ts';
import { portuguese } from './settings-words-pt.ts';

/** All that the settings page says. */
export const settingsWords = inLanguages<SettingsWords>({ en: english, pt: portuguese });
