import { assertionChanged } from './assertion.ts';

/** What must not be, or must be only in some case. */
export const conditionChanged = assertionChanged(['not', 'if', 'then', 'else']);
