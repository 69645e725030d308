import type { Rule } from '../rule.ts';

/** The version that every tool of the chain reads alike. */
export const openapiVersion: Rule = ({ openapi }, report) => {
  if (openapi !== '3.1.1') report(['openapi'], 'Write `openapi: 3.1.1`.');
};
