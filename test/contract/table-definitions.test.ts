/** Test that a dropped column of a table definition does not compile. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { randomOf } from '../support/random.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Member {
  readonly file: string;
  readonly table: string;
  readonly member: string;
  /** Text of the file without this column. */
  readonly without: string;
}

/** Where the calls that define a table have its name and its columns. */
const DEFINERS: Readonly<Record<string, number>> = { table: 0, subjectTable: 1 };

/** Returns every column of every `table('…', { … })` and `subjectTable('…', '…', { … })` of a program. */
function columnsOf(program: ts.Program): Member[] {
  const members: Member[] = [];
  for (const source of program.getSourceFiles()) {
    if (!source.fileName.startsWith(join(ROOT, 'server')) || source.fileName.endsWith('.test.ts')) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
        const at = DEFINERS[node.expression.text];
        const [name, columns] = at === undefined ? [] : node.arguments.slice(at);
        if (
          name !== undefined &&
          ts.isStringLiteral(name) &&
          columns !== undefined &&
          ts.isObjectLiteralExpression(columns)
        ) {
          for (const column of columns.properties) {
            const { text } = source;
            members.push({
              file: source.fileName,
              table: name.text,
              member: column.name?.getText(source) ?? '',
              without: text.slice(0, column.getStart(source)) + text.slice(column.end + 1),
            });
          }
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return members;
}

/**
 * Number of columns to check, because the types of the service are checked again for each one: in `make soak` all of
 * several hundred, otherwise a few that the seed selects.
 */
const SAMPLE = process.env['SOAK'] === 'true' ? Infinity : 5;

it('does not compile if a column is dropped from a table definition', { timeout: 3_600_000 }, () => {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
    ts.sys,
    ROOT,
  );
  const changed = new Map<string, string>();
  const versions = new Map<string, number>();
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames.filter((file) => file.startsWith(join(ROOT, 'server'))),
    getScriptVersion: (file) => String(versions.get(file) ?? 0),
    getScriptSnapshot: (file) =>
      ts.sys.fileExists(file)
        ? ts.ScriptSnapshot.fromString(changed.get(file) ?? readFileSync(file, 'utf8'))
        : undefined,
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
  });
  const program = service.getProgram() as ts.Program;
  const files = program
    .getSourceFiles()
    .map(({ fileName }) => fileName)
    .filter((file) => file.startsWith(join(ROOT, 'server')) && !file.includes('generated'));
  const all = columnsOf(program);
  expect(all.length).toBeGreaterThan(100);
  const random = randomOf(Number(process.env['SEED'] ?? 20261121));
  const members = all
    .map((member) => ({ member, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, SAMPLE)
    .map(({ member }) => member);
  const unnoticed = members.filter(({ file, member, without }) => {
    const touch = (): unknown => versions.set(file, (versions.get(file) ?? 0) + 1);
    changed.set(file, without);
    touch();
    // The file itself and those that name the column are checked first: as a rule one of them does not compile.
    const named = new RegExp(`\\b${member}\\b`);
    const readers = [...files].sort((a, b) => rank(b) - rank(a));
    function rank(reader: string): number {
      return (reader === file ? 2 : 0) + (named.test(readFileSync(reader, 'utf8')) ? 1 : 0);
    }
    const noticed = readers.some((reader) => service.getSemanticDiagnostics(reader).length > 0);
    changed.delete(file);
    touch();
    return !noticed;
  });
  expect(unnoticed.map(({ table, member }) => `${table}.${member}`)).toEqual([]);
});
