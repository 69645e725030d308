/**
 * What a name stands for: its declaration in the same file, or in one that the file imports. Used by the house tests
 * about expectations and events.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** A function of the tests, or the value of a constant. */
type Meaning = ts.FunctionLikeDeclaration | ts.Expression;

const sources = new Map<string, ts.SourceFile>();

export const sourceOf = (path: string): ts.SourceFile => {
  const known =
    sources.get(path) ?? ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  sources.set(path, known);
  return known;
};

function remembered<Of extends object, T>(make: (of: Of) => T): (of: Of) => T {
  const known = new Map<Of, T>();
  return (of) => {
    if (!known.has(of)) known.set(of, make(of));
    return known.get(of) as T;
  };
}

export const bare = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ||
  ts.isAsExpression(node) ||
  ts.isSatisfiesExpression(node) ||
  ts.isNonNullExpression(node) ||
  ts.isAwaitExpression(node)
    ? bare(node.expression)
    : node;

export const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && 'body' in node;

/** Returns what a name refers to: looks in the enclosing blocks, then in the module that it is imported from. */
export function meaningOf(name: string, from: ts.Node): Meaning | undefined {
  for (let around: ts.Node | undefined = from; around !== undefined; around = around.parent) {
    if (!ts.isBlock(around) && !ts.isSourceFile(around)) continue;
    const found = declared(name, around.statements);
    if (found !== undefined) return found;
  }
  return imported(name, from.getSourceFile());
}

function declared(name: string, statements: readonly ts.Statement[]): Meaning | undefined {
  for (const statement of statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement;
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: one, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(one) && one.text === name && initializer !== undefined) return initializer;
  }
  return undefined;
}

function imported(name: string, source: ts.SourceFile): Meaning | undefined {
  for (const statement of source.statements) {
    const specifier =
      (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) && statement.moduleSpecifier;
    if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) continue;
    const path = join(dirname(source.fileName), specifier.text);
    if (!path.endsWith('.ts') || !existsSync(path)) continue;
    const named = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : statement.exportClause;
    const element =
      named !== undefined && (ts.isNamedImports(named) || ts.isNamedExports(named))
        ? [...named.elements].find((one) => one.name.text === name)
        : undefined;
    if (element === undefined && !(ts.isExportDeclaration(statement) && named === undefined)) continue;
    const original = (element?.propertyName ?? element?.name)?.text ?? name;
    const found = declared(original, sourceOf(path).statements) ?? imported(original, sourceOf(path));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the functions of this name that are members of an object or a class, in this module and in the test modules
 * that it imports.
 */
export const membersNamed = (name: string, source: ts.SourceFile): Meaning[] =>
  reachedFrom(source).flatMap((one) => membersOf(one).get(name) ?? []);

const reachedFrom = remembered((source: ts.SourceFile): readonly ts.SourceFile[] => {
  const reached = new Set([source]);
  for (const one of reached) {
    for (const statement of one.statements) {
      const specifier =
        (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) && statement.moduleSpecifier;
      const path =
        specifier && ts.isStringLiteral(specifier) && specifier.text.startsWith('.')
          ? join(dirname(one.fileName), specifier.text)
          : '';
      if (/\/(?:tests?|support)\//.test(path) && path.endsWith('.ts') && existsSync(path)) reached.add(sourceOf(path));
    }
  }
  return [...reached];
});

const membersOf = remembered((source: ts.SourceFile): ReadonlyMap<string, readonly Meaning[]> => {
  const found = new Map<string, Meaning[]>();
  const add = (name: string, meaning: Meaning | undefined): void => {
    if (meaning !== undefined) found.set(name, [...(found.get(name) ?? []), meaning]);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) add(node.name.text, node.initializer);
    if (ts.isMethodDeclaration(node) && ts.isIdentifier(node.name)) add(node.name.text, node);
    if (ts.isShorthandPropertyAssignment(node)) add(node.name.text, meaningOf(node.name.text, node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
});
