/** Patterns that the definitions of the dialect share. Used by the three files that define members. */

/** JSON Schema fragments and patterns shared by the definitions of our own OpenAPI keywords (`x-…`). */
export const DATE = { type: 'string', format: 'date' } as const;
export const CAMEL_CASE = '^[a-z][a-zA-Z0-9]*$';
export const AUDIT_ACTION = '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$';
