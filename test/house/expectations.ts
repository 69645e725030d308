import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** A function of the tests, or the value of a constant. */
type Meaning = ts.FunctionLikeDeclaration | ts.Expression;

/** Methods that call a function once for each element, so not at all for an empty list. */
const ONCE_FOR_EACH = new Set([
  'map',
  'forEach',
  'filter',
  'flatMap',
  'some',
  'every',
  'find',
  'findLast',
  'findIndex',
  'reduce',
  'sort',
  'toSorted',
  'catch',
  'replace',
  'replaceAll',
]);
/** Methods whose result has an element if their receiver has one. */
const KEEPS_ELEMENTS = new Set([
  'map',
  'toSorted',
  'sort',
  'toReversed',
  'reverse',
  'entries',
  'keys',
  'values',
  'concat',
  'split',
  'with',
]);

const sources = new Map<string, ts.SourceFile>();
const sourceOf = (path: string): ts.SourceFile => {
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

const bare = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ||
  ts.isAsExpression(node) ||
  ts.isSatisfiesExpression(node) ||
  ts.isNonNullExpression(node) ||
  ts.isAwaitExpression(node)
    ? bare(node.expression)
    : node;
const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration => ts.isFunctionLike(node) && 'body' in node;

/** Returns what a name refers to: looks in the enclosing blocks, then in the module that it is imported from. */
function meaningOf(name: string, from: ts.Node): Meaning | undefined {
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
const membersNamed = (name: string, source: ts.SourceFile): Meaning[] =>
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

/** Returns whether a list, a map or a text certainly has an element, judging by the surrounding code. */
export function hasElements(given: ts.Expression, seen = new Set<ts.Node>()): boolean {
  const node = bare(given);
  if (seen.has(node)) return false;
  const inside = new Set(seen).add(node);
  const has = (one: ts.Expression): boolean => hasElements(one, inside);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.some((element) => (ts.isSpreadElement(element) ? has(element.expression) : true));
  if (ts.isObjectLiteralExpression(node))
    return node.properties.some((property) => (ts.isSpreadAssignment(property) ? has(property.expression) : true));
  if (ts.isStringLiteralLike(node)) return node.text !== '';
  if (ts.isIdentifier(node)) {
    const meaning = meaningOf(node.text, node);
    return meaning !== undefined && !isFunction(meaning) && has(meaning as ts.Expression);
  }
  if (ts.isNewExpression(node))
    return (
      /^(?:Set|Map)$/.test(node.expression.getText()) && node.arguments?.[0] !== undefined && has(node.arguments[0])
    );
  if (!ts.isCallExpression(node)) return false;
  const callee = node.expression.getText();
  const [first] = node.arguments;
  if (callee === 'each') return true;
  if (
    /^(?:Object\.(?:keys|values|entries)|Array\.from|Promise\.all|Object\.fromEntries)$/.test(callee) &&
    first !== undefined
  )
    return (has(first) && !isLengthOf(bare(first))) || isLengthOf(bare(first));
  if (callee === 'Array' && first !== undefined) return isNumber(first);
  return (
    ts.isPropertyAccessExpression(node.expression) &&
    KEEPS_ELEMENTS.has(node.expression.name.text) &&
    has(node.expression.expression)
  );
}

/** Returns whether the node is `{ length: 3 }`. */
function isLengthOf(node: ts.Expression): boolean {
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some(
      (one) => ts.isPropertyAssignment(one) && one.name.getText() === 'length' && isNumber(one.initializer),
    )
  );
}

function isNumber(given: ts.Expression): boolean {
  const node = bare(given);
  if (ts.isNumericLiteral(node)) return Number(node.text) > 0;
  const meaning = ts.isIdentifier(node) ? meaningOf(node.text, node) : undefined;
  return meaning !== undefined && !isFunction(meaning) && isNumber(meaning as ts.Expression);
}

/** Returns whether running this node always calls `expect`; code that throws before has failed the test anyway. */
export function expects(node: ts.Node, seen: ReadonlySet<ts.Node> = new Set()): boolean {
  const inside = (one: ts.Node | undefined): boolean => one !== undefined && expects(one, seen);
  const both = (one: ts.Node | undefined, other: ts.Node | undefined): boolean => inside(one) && inside(other);
  if (ts.isBlock(node)) return sequence(node.statements, seen);
  if (ts.isIfStatement(node)) return inside(node.expression) || both(node.thenStatement, node.elseStatement);
  if (ts.isConditionalExpression(node)) return inside(node.condition) || both(node.whenTrue, node.whenFalse);
  if (ts.isBinaryExpression(node) && /^(?:&&|\|\||\?\?)=?$/.test(node.operatorToken.getText()))
    return inside(node.left);
  if (ts.isForOfStatement(node))
    return inside(node.expression) || (hasElements(node.expression) && inside(node.statement));
  if (ts.isForInStatement(node)) return hasElements(node.expression) && inside(node.statement);
  if (ts.isForStatement(node)) return inside(node.initializer) || (counts(node) && inside(node.statement));
  if (ts.isWhileStatement(node)) return inside(node.expression);
  if (ts.isSwitchStatement(node))
    return (
      inside(node.expression) ||
      (node.caseBlock.clauses.some(ts.isDefaultClause) &&
        node.caseBlock.clauses.every((clause) => clause.statements.length === 0 || sequence(clause.statements, seen)))
    );
  if (ts.isTryStatement(node)) return inside(node.tryBlock) || inside(node.finallyBlock);
  if (ts.isCallExpression(node)) return calls(node, seen);
  if (isFunction(node) || ts.isClassLike(node) || ts.isTypeNode(node)) return false;
  return ts.forEachChild(node, (child) => inside(child) || undefined) ?? false;
}

/** Returns whether the loop has the form `for (let i = 0; i < 3; i++)`. */
const counts = ({ condition }: ts.ForStatement): boolean =>
  condition !== undefined &&
  ts.isBinaryExpression(condition) &&
  (isNumber(condition.right) ||
    (ts.isPropertyAccessExpression(condition.right) &&
      condition.right.name.text === 'length' &&
      hasElements(condition.right.expression)));

function sequence(statements: readonly ts.Statement[], seen: ReadonlySet<ts.Node>): boolean {
  for (const statement of statements) {
    if (expects(statement, seen)) return true;
    // A branch that returns here has already called `expect`.
    if (ts.isIfStatement(statement) && statement.elseStatement === undefined && expects(statement.thenStatement, seen))
      continue;
    if (leaves(statement)) return false;
  }
  return false;
}

/** Returns whether the statement can skip those after it. */
function leaves(node: ts.Node): boolean {
  if (isFunction(node)) return false;
  if (ts.isReturnStatement(node) || ts.isBreakStatement(node) || ts.isContinueStatement(node)) return true;
  const inLoop = ts.isIterationStatement(node, false);
  return ts.forEachChild(node, (child) => (inLoop ? returns(child) : leaves(child)) || undefined) ?? false;
}

const returns = (node: ts.Node): boolean =>
  !isFunction(node) &&
  (ts.isReturnStatement(node) || (ts.forEachChild(node, (child) => returns(child) || undefined) ?? false));

function calls(node: ts.CallExpression, seen: ReadonlySet<ts.Node>): boolean {
  const callee = node.expression;
  if (ts.isIdentifier(callee) && callee.text === 'expect') return true;
  if (ts.isPropertyAccessExpression(callee) && callee.expression.getText() === 'expect')
    return /^(?:poll|soft|fail|unreachable)$/.test(callee.name.text);
  if (expects(callee, seen)) return true;
  const method = ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
  const runs =
    !ONCE_FOR_EACH.has(method) ||
    (ts.isPropertyAccessExpression(callee) && method !== 'catch' && hasElements(callee.expression));
  const given = node.arguments.filter(
    (argument) => !(callee.getText() === 'Array.from' && !hasElements(node) && isFunction(argument)),
  );
  if (method === 'then' && given.length === 2) return given.every((argument) => runsAndExpects(argument, seen));
  if (
    given.some((argument) =>
      isFunction(bare(argument)) || ts.isIdentifier(argument)
        ? runs && runsAndExpects(argument, seen)
        : expects(argument, seen),
    )
  )
    return true;
  if (ts.isIdentifier(callee)) return runsAndExpects(callee, seen);
  return method !== '' && membersNamed(method, node.getSourceFile()).some((member) => runsAndExpects(member, seen));
}

/** Verdicts on functions, except those cut short because the function calls itself. */
const verdicts = new WeakMap<ts.Node, boolean>();
let cuts = 0;

/** Returns whether the function that the node is, or names, calls `expect` when it runs. */
function runsAndExpects(given: ts.Node, seen: ReadonlySet<ts.Node>): boolean {
  const node = ts.isExpression(given) ? bare(given) : given;
  const known = verdicts.get(node);
  if (known !== undefined) return known;
  if (seen.has(node)) {
    cuts++;
    return false;
  }
  const before = cuts;
  const verdict = judge(node, new Set(seen).add(node));
  if (verdict || cuts === before) verdicts.set(node, verdict);
  return verdict;
}

function judge(node: ts.Node, inside: ReadonlySet<ts.Node>): boolean {
  if (ts.isIdentifier(node)) {
    const meaning = meaningOf(node.text, node);
    return meaning !== undefined && runsAndExpects(meaning, inside);
  }
  if (isFunction(node))
    return (
      node.body !== undefined &&
      (expects(node.body, inside) ||
        node.parameters.some(({ initializer }) => initializer !== undefined && expects(initializer, inside)))
    );
  // A function that another function returns.
  if (ts.isCallExpression(node))
    return (
      node.arguments.some((argument) => isFunction(argument) && runsAndExpects(argument, inside)) ||
      (ts.isIdentifier(node.expression) && makes(node.expression, inside))
    );
  return false;
}

/** Returns whether a function that this one returns calls `expect`. */
function makes(name: ts.Identifier, seen: ReadonlySet<ts.Node>): boolean {
  const maker = meaningOf(name.text, name);
  if (maker === undefined || !isFunction(maker) || maker.body === undefined) return false;
  if (!ts.isBlock(maker.body)) return runsAndExpects(maker.body, seen);
  const last = maker.body.statements.findLast(ts.isReturnStatement)?.expression;
  return last !== undefined && runsAndExpects(last, seen);
}

/** Returns whether the node is `it`, `it.concurrent` or `it.each(…)`. */
function isTest(node: ts.Expression): boolean {
  if (ts.isIdentifier(node)) return node.text === 'it';
  if (ts.isPropertyAccessExpression(node))
    return /^(?:concurrent|sequential|only|skip|fails|todo)$/.test(node.name.text) && isTest(node.expression);
  const made =
    ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)
      ? ts.isCallExpression(node)
        ? node.expression
        : node.tag
      : undefined;
  return (
    made !== undefined &&
    ts.isPropertyAccessExpression(made) &&
    /^(?:each|for|runIf|skipIf)$/.test(made.name.text) &&
    isTest(made.expression)
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

/** Returns whether a test calls `expect` in every run. */
export const isCertain = ({ run }: WrittenTest): boolean => runsAndExpects(run, new Set());

/** Returns whether a test runs concurrently with others of its file. */
export function isConcurrent({ call }: WrittenTest): boolean {
  for (let node: ts.Node | undefined = call; node !== undefined; node = node.parent) {
    if (ts.isCallExpression(node) && /^(?:it|describe)\.concurrent\b/.test(node.expression.getText())) return true;
  }
  return false;
}
