import { inLanguages } from '../../app/language.ts';
import type { Schemas } from '../../app/api.ts';
import { english } from './settings-words-en.ts';
import { portuguese } from './settings-words-pt.ts';

/** All that the settings page says; TypeScript demands both languages. */
export interface SettingsWords {
  readonly yes: string;
  readonly no: string;
  readonly enterNumber: string;
  readonly enterColour: string;
  readonly enterValue: string;
  readonly check: string;
  readonly pick: (label: string) => string;
  readonly risk: Readonly<Record<Schemas['RiskLevelName'], string>>;
  readonly levels: Readonly<Record<keyof Schemas['RequiredChecks'], string>>;
  /** What the platform checks of people and companies, by the code. */
  readonly checks: Readonly<Record<string, string>>;
  readonly sections: typeof english.sections;
}

export const settingsWords = inLanguages<SettingsWords>({ en: english, pt: portuguese });
