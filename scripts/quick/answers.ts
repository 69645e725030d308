/**
 * Determines which test file calls which operations, and its cost: from the recording of the last `make test`, else
 * from the sources.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Operation } from '../../server/contract/operation.ts';
import { Routes } from '../../server/request/routes.ts';
import type { Recording } from '../../test/support/recordings.ts';
import type { Imports } from './imports.ts';

/** Responses that a test file received, by operation, and its duration in seconds. */
export interface Answers {
  readonly seconds: number;
  readonly operations: Readonly<Record<string, number>>;
}

export type AnswersOfFiles = Readonly<Record<string, Answers>>;

/** Written by the coverage step of `make test` and not committed; a clone without it reads the sources instead. */
const RECORDED = 'build/quick/answers.json';

export function writeAnswers(
  root: string,
  recordings: readonly Recording[],
  seconds: ReadonlyMap<string, number>,
): void {
  const files: Record<string, { seconds: number; operations: Record<string, number> }> = {};
  for (const [file, time] of seconds) files[file] = { seconds: time, operations: {} };
  for (const { file, answers } of recordings) {
    if (file === null) continue;
    const { operations } = (files[file] ??= { seconds: 0, operations: {} });
    for (const { operation, count } of answers) operations[operation] = (operations[operation] ?? 0) + count;
  }
  const path = join(root, RECORDED);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(files, null, 1)}\n`);
}

/** Returns the recorded responses. Test files that are newer than the recording are read from their sources. */
export function answersOf(
  root: string,
  tests: readonly string[],
  operations: readonly Operation[],
  imports: Imports,
): { readonly answers: ReadonlyMap<string, Answers>; readonly recorded: number } {
  const recorded = readRecorded(root);
  const routes = new Routes<string>();
  for (const { method, path, operationId } of operations) routes.add(method.toUpperCase(), path, operationId);
  const answers = tests.map((file) => [file, recorded[file] ?? fromSources(imports, file, routes)] as const);
  return { answers: new Map(answers), recorded: tests.filter((file) => recorded[file] !== undefined).length };
}

const TYPED_CALL = /\.(GET|PUT|POST|PATCH|DELETE)\('(\/[^']*)'/g;
const FREE_CALL = /'(GET|PUT|POST|PATCH|DELETE)', [`'](\/[^`'?]*)/g;

/** Returns the calls whose method and path appear in the text of a file or of the world files beside it. */
function fromSources(imports: Imports, file: string, routes: Routes<string>): Answers {
  const worlds = imports
    .of(file)
    .map(({ from }) => from)
    .filter((from) => from.startsWith('test/api/'));
  const operations: Record<string, number> = {};
  for (const one of new Set([file, ...worlds])) {
    for (const pattern of [TYPED_CALL, FREE_CALL]) {
      for (const [, method = '', path = ''] of imports.text(one).matchAll(pattern)) {
        const operation = routes.find(path.replace(/\$?\{[^}]*\}/g, 'x'))?.methods.get(method);
        if (operation !== undefined) operations[operation] = (operations[operation] ?? 0) + (one === file ? 2 : 1);
      }
    }
  }
  return { seconds: estimate(imports.text(file)), operations };
}

/**
 * Estimates the seconds of a test file: most of a second to start a service, about a third for a test, and several
 * times that for a table of tests.
 */
function estimate(text: string): number {
  const tests = text.match(/\bit[(<]/g)?.length ?? 0;
  const tables = text.match(/\b(?:it|describe)\.each[(<]/g)?.length ?? 0;
  return (/\b(?:useService|startTestService|start\w+World)\(/.test(text) ? 0.8 : 0.2) + tests * 0.3 + tables * 1.5;
}

function readRecorded(root: string): AnswersOfFiles {
  try {
    return JSON.parse(readFileSync(join(root, RECORDED), 'utf8')) as AnswersOfFiles;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
