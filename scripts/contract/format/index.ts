/**
 * `make format`: completes openapi.yaml. A designer writes what is particular about an operation, for short where the dialect has a
 * short form; what follows is written out, so that the file is a whole OpenAPI document for everybody who reads it.
 *
 *     text → document → shorthand and implied members (complete.ts, by the table in implied.ts) → sections and map → layout → text
 *
 * Formatting twice gives the same bytes. Nothing that a designer wrote is replaced: only what is missing is added, and what is there is put in order.
 */
import { LineCounter, parseDocument } from 'yaml';
import { completeOperations } from './complete.ts';
import { FormatError } from './error.ts';
import { print } from './layout.ts';
import { refuseMisplaced } from './misplaced.ts';
import { completeProblemCodes } from './problems.ts';
import { arrangeSections, writeMap } from './sections.ts';

/** Where the editor finds the schema of the dialect, seen from openapi.yaml. */
export const EDITOR_SCHEMA = './scripts/contract/generated/editor.schema.json';

export type Formatted = { readonly text: string } | { readonly line: number; readonly column: number; readonly message: string };

/** The completed text, or the first thing that stands in the way. */
export function formatContract(text: string): Formatted {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const refused = (offset: number, message: string): Formatted => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, message };
  };
  const [broken] = document.errors;
  if (broken !== undefined) return refused(broken.pos[0], broken.message);
  try {
    refuseMisplaced(document);
    completeProblemCodes(document);
    completeOperations(document);
    arrangeSections(document);
    writeMap(document, EDITOR_SCHEMA);
    return { text: print(document) };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return refused(error.offset, error.message);
  }
}

/** The number of the first line in which two texts differ. */
export function firstDifference(text: string, other: string): number {
  const [lines, others] = [text.split('\n'), other.split('\n')];
  return lines.findIndex((line, index) => line !== others[index]) + 1;
}
