/**
 * `make format`: completes openapi.yaml. A designer writes what is particular about an operation, for short
 * where the dialect has a short form; what follows is written out, so that the file is a whole OpenAPI document
 * for everybody who reads it.
 *
 *     text → document → shorthand and implied members (complete.ts, by the table in implied.ts) →
 *     sections and map → layout → text
 *
 * Formatting twice gives the same bytes. Nothing that a designer wrote is replaced: only what is missing is added, and
 * what is there is put in order. The members of a schema with `x-merge-patch-of` are the exception: they are written
 * anew from the schema that it names (merge-patches.ts).
 */
import { isDeepStrictEqual } from 'node:util';
import { LineCounter, parseDocument } from 'yaml';
import { completeOperations } from './complete.ts';
import { print } from './layout.ts';
import { completeMergePatches } from './merge-patches.ts';
import { refuseMisplaced } from './misplaced.ts';
import { FormatError } from './nodes.ts';
import { completeProblemCodes } from './problems.ts';
import { arrangeComponents, arrangeSections, writeMap } from './sections.ts';

/** Path of the editor's schema of the dialect, relative to openapi.yaml. */
export const EDITOR_SCHEMA = './docs/editor.schema.json';

export type Formatted =
  /** `adds`: whether the text gained content and was not only rearranged. */
  | { readonly text: string; readonly adds: boolean }
  /** `isYaml`: whether the text could be parsed as YAML. */
  | {
      readonly line: number;
      readonly column: number;
      readonly message: string;
      readonly isYaml: boolean;
    };

/** Returns the completed text, or the first error that prevents completing it. */
export function formatContract(text: string): Formatted {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const refused = (offset: number, message: string, isYaml: boolean): Formatted => {
    const { line, col } = lines.linePos(offset);
    return {
      line,
      column: col,
      message,
      isYaml,
    };
  };
  const [broken] = document.errors;
  if (broken !== undefined) return refused(broken.pos[0], broken.message, false);
  const before: unknown = document.toJS({ maxAliasCount: -1 });
  try {
    refuseMisplaced(document);
    completeProblemCodes(document);
    completeMergePatches(document);
    completeOperations(document);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return refused(error.offset, error.message, true);
  }
  arrangeSections(document);
  arrangeComponents(document);
  writeMap(document, EDITOR_SCHEMA);
  return { text: print(document), adds: !isDeepStrictEqual(before, document.toJS({ maxAliasCount: -1 })) };
}

/** What the linter reports about a contract that `make format` would change or cannot complete. */
export interface Unformatted {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** Whether something is missing, in which case other rules would only report consequences of that. */
  readonly isIncomplete: boolean;
}

/**
 * Returns null for a formatted contract, and for a text that is not YAML, because reading the contract reports that
 * error.
 */
export function unformatted(text: string): Unformatted | null {
  const formatted = formatContract(text);
  if ('message' in formatted) return formatted.isYaml ? { ...formatted, isIncomplete: true } : null;
  if (formatted.text === text) return null;
  const [lines, others] = [text.split('\n'), formatted.text.split('\n')];
  const line = lines.findIndex((own, index) => own !== others[index]) + 1 || lines.length;
  const what = formatted.adds
    ? 'something that follows from what is written is missing'
    : 'members, sections or lines are arranged otherwise';
  return {
    line,
    column: 1,
    message: `not formatted from here on (${what}): run make format`,
    isIncomplete: formatted.adds,
  };
}
