import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

interface Member {
  readonly file: string;
  readonly table: string;
  readonly member: string;
  /** The text of the file without this column. */
  readonly without: string;
}

/** Every column of every `table('…', { … })` of a program. */
function columnsOf(program: ts.Program): Member[] {
  const members: Member[] = [];
  for (const source of program.getSourceFiles()) {
    if (!source.fileName.startsWith(join(ROOT, 'server')) || source.fileName.endsWith('.test.ts')) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'table') {
        const [name, columns] = node.arguments;
        if (name !== undefined && ts.isStringLiteral(name) && columns !== undefined && ts.isObjectLiteralExpression(columns)) {
          for (const column of columns.properties) {
            const { text } = source;
            members.push({ file: source.fileName, table: name.text, member: column.name?.getText(source) ?? '', without: text.slice(0, column.getStart(source)) + text.slice(column.end + 1) });
          }
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return members;
}

/** Only in `make soak`: the types of the service are checked anew for each of some hundred columns. */
it.runIf(process.env['SOAK'] === 'true')('does not compile when a column is dropped from a table definition', { timeout: 3_600_000 }, () => {
  const { options, fileNames } = ts.parseJsonConfigFileContent(ts.readConfigFile(join(ROOT, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config, ts.sys, ROOT);
  const changed = new Map<string, string>();
  const versions = new Map<string, number>();
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames.filter((file) => file.startsWith(join(ROOT, 'server'))),
    getScriptVersion: (file) => String(versions.get(file) ?? 0),
    getScriptSnapshot: (file) => (ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(changed.get(file) ?? readFileSync(file, 'utf8')) : undefined),
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
  });
  const program = service.getProgram() as ts.Program;
  const files = program.getSourceFiles().map(({ fileName }) => fileName).filter((file) => file.startsWith(join(ROOT, 'server')) && !file.includes('generated'));
  const members = columnsOf(program);
  expect(members.length).toBeGreaterThan(100);
  const unnoticed = members.filter(({ file, without }) => {
    const touch = (): unknown => versions.set(file, (versions.get(file) ?? 0) + 1);
    changed.set(file, without);
    touch();
    const readers = [...files].sort((a, b) => Number(b === file) - Number(a === file) || Number(/store|handlers/.test(b)) - Number(/store|handlers/.test(a)));
    const noticed = readers.some((reader) => service.getSemanticDiagnostics(reader).length > 0);
    changed.delete(file);
    touch();
    return !noticed;
  });
  expect(unnoticed.map(({ table, member }) => `${table}.${member}`)).toEqual([]);
});
