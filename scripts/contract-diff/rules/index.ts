/**
 * All rules by which contract-diff judges a change of the contract, beside those of `redocly diff`. Used by the
 * comparison (compare.ts). A rule that is not listed judges nothing.
 */
import type { DiffRule } from '../change.ts';
import { dialect } from './dialect.ts';
import { names } from './names.ts';
import { operations } from './operations.ts';
import { schemas } from './schemas.ts';

/**
 * Rules of this project by name, from one module for each subject; each has fixtures
 * `../fixtures/<name>.{base,revision,harmless}.yaml`.
 */
export const rules: Readonly<Record<string, DiffRule>> = {
  ...dialect,
  ...names,
  ...operations,
  ...schemas,
};
