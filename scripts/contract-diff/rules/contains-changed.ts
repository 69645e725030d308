import { assertionChanged } from './assertion.ts';

/** What a list has to contain, and how often. */
export const containsChanged = assertionChanged(['contains', 'minContains', 'maxContains']);
