/**
 * Finds out whether a test certainly expects something. Used by expectations.test.ts. If it cannot tell, it says no, so
 * that the test must be written plainly.
 */
import ts from 'typescript';
import { bare, meaningOf, isFunction, membersNamed } from './declarations.ts';
import { type WrittenTest } from './written-tests.ts';

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

/** Returns whether a test calls `expect` in every run. */
export const isCertain = ({ run }: WrittenTest): boolean => runsAndExpects(run, new Set());
