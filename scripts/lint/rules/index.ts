/** The list of lint rules by name. Used by the plugin and by the test that demands fixtures for each. */
import type { Rule } from '../rule.ts';
import { access } from './access.ts';
import { behaviour } from './behaviour.ts';
import { bounds } from './bounds.ts';
import { dialect } from './dialect.ts';
import { operations } from './operations.ts';
import { responses } from './responses.ts';
import { schemas } from './schemas.ts';
import { sdks } from './sdks.ts';
import { texts } from './texts.ts';

/**
 * Lint rules of this project by name, from one module for each subject; each has a passing and a failing fixture of its
 * name in `../fixtures/`.
 */
export const rules: Readonly<Record<string, Rule>> = {
  ...access,
  ...behaviour,
  ...bounds,
  ...dialect,
  ...operations,
  ...responses,
  ...schemas,
  ...sdks,
  ...texts,
};
