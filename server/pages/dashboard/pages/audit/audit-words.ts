import { inLanguages } from '../../app/language.ts';
import { english } from './action-words-en.ts';
import { portuguese } from './action-words-pt.ts';
import type { ActionWords } from './action-words.ts';

export const actionWords = inLanguages<ActionWords>({ en: english, pt: portuguese });
