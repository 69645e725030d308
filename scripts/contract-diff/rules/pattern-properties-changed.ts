import { assertionChanged } from './assertion.ts';

/** What members must be because of their names. */
export const patternPropertiesChanged = assertionChanged(['patternProperties']);
