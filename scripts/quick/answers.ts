/** Says which file of tests asks for which operations, and what it costs: as the last `make test` recorded it, else as the sources say. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Operation } from '../../server/contract/operation.ts';
import { Routes } from '../../server/request/routes.ts';
import type { Recording } from '../../test/support/recordings.ts';
import type { Imports } from './imports.ts';

/** The answers that a file of tests was given, by operation, and the seconds that it took. */
export interface Answers {
  readonly seconds: number;
  readonly operations: Readonly<Record<string, number>>;
}

export type AnswersOfFiles = Readonly<Record<string, Answers>>;

/** Written by the step of `make test` that judges the coverage, and not committed: a clone without it reads the sources. */
const RECORDED = 'build/quick/answers.json';

export function writeAnswers(root: string, recordings: readonly Recording[], seconds: ReadonlyMap<string, number>): void {
  const files: Record<string, { seconds: number; operations: Record<string, number> }> = {};
  for (const [file, time] of seconds) files[file] = { seconds: time, operations: {} };
  for (const { file, answers } of recordings) {
    if (file === null) continue;
    const { operations } = files[file] ??= { seconds: 0, operations: {} };
    for (const { operation, count } of answers) operations[operation] = (operations[operation] ?? 0) + count;
  }
  const path = join(root, RECORDED);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(files, null, 1)}\n`);
}

/** Files that came after the recording are read as in a clone without one. */
export function answersOf(root: string, tests: readonly string[], operations: readonly Operation[], imports: Imports): { readonly answers: ReadonlyMap<string, Answers>; readonly recorded: number } {
  const recorded = readRecorded(root);
  const routes = new Routes<string>();
  for (const { method, path, operationId } of operations) routes.add(method.toUpperCase(), path, operationId);
  const answers = tests.map((file) => [file, recorded[file] ?? fromSources(imports, file, routes)] as const);
  return { answers: new Map(answers), recorded: tests.filter((file) => recorded[file] !== undefined).length };
}

const TYPED_CALL = /\.(GET|PUT|POST|PATCH|DELETE)\('(\/[^']*)'/g;
const FREE_CALL = /'(GET|PUT|POST|PATCH|DELETE)', [`'](\/[^`'?]*)/g;

/** What a file and the worlds beside it say: calls whose method and path stand in the text. */
function fromSources(imports: Imports, file: string, routes: Routes<string>): Answers {
  const worlds = imports.of(file).map(({ from }) => from).filter((from) => from.startsWith('test/api/'));
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

/** A service of its own costs most of a second, a test about a third, and a table of tests the time of several. */
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
