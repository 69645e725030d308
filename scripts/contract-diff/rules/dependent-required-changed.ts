import { assertionChanged } from './assertion.ts';

/** Members that are demanded because of another member. */
export const dependentRequiredChanged = assertionChanged(['dependentRequired', 'dependentSchemas']);
