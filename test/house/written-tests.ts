/** The tests of a file as they are written. */
import ts from 'typescript';
import { sourceOf } from './declarations.ts';

/** Returns whether the node is `it`, `it.concurrent` or `it.each(…)`. */
function isTest(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return node.text === 'it';
  if (ts.isPropertyAccessExpression(node))
    return /^(?:concurrent|sequential|only|skip|fails|todo)$/.test(node.name.text) && isTest(node.expression);
  if (!ts.isCallExpression(node) && !ts.isTaggedTemplateExpression(node)) return false;
  const made = ts.isCallExpression(node) ? node.expression : node.tag;
  return (
    ts.isPropertyAccessExpression(made) && /^(?:each|for|runIf|skipIf)$/.test(made.name.text) && isTest(made.expression)
  );
}

/** A test as written: its title, its place, its function, and the call that defines it. */
export interface WrittenTest {
  readonly title: string;
  readonly line: number;
  readonly run: ts.Node;
  readonly call: ts.CallExpression;
}

/** Returns the tests of a module. */
export const testsOf = (path: string): WrittenTest[] => testsWithin(sourceOf(path));

/** Returns the tests of a module given as text, which imports nothing. */
export const testsIn = (text: string): WrittenTest[] =>
  testsWithin(ts.createSourceFile('tests.ts', text, ts.ScriptTarget.Latest, true));

function testsWithin(source: ts.SourceFile): WrittenTest[] {
  const tests: WrittenTest[] = [];
  const visit = (node: ts.Node): void => {
    const run =
      ts.isCallExpression(node) && isTest(node.expression)
        ? node.arguments.find((one, index) => index > 0 && !ts.isObjectLiteralExpression(one))
        : undefined;
    if (run !== undefined)
      tests.push({
        title: (node as ts.CallExpression).arguments[0]!.getText(),
        line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        run,
        call: node as ts.CallExpression,
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return tests;
}

/** Returns whether a test runs concurrently with others of its file. */
export function isConcurrent({ call }: WrittenTest): boolean {
  for (let node: ts.Node | undefined = call; node !== undefined; node = node.parent) {
    if (ts.isCallExpression(node) && /^(?:it|describe)\.concurrent\b/.test(node.expression.getText())) return true;
  }
  return false;
}
