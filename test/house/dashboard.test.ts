import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../server/pages/dashboard');

/** Where requests leave the page: with the session, about the session, and whether anybody answers. */
const SENDERS = ['app/send.ts', 'app/session.ts', 'app/reachability.ts'];
/** The functions that take a path of the contract, and refuse any other at compile time. */
const TYPED_CALL = /^(?:client|plain)\.[A-Z]+$|^api\.(?:use\w+|queryOptions)$/;

const files = globSync('**/*.{ts,tsx}', { cwd: FOLDER, exclude: (path) => path.toString().endsWith('vite.config.ts') });
const sources = files.map((path) => ({ path, source: ts.createSourceFile(path, readFileSync(join(FOLDER, path), 'utf8'), ts.ScriptTarget.Latest, true) }));

/** The places of nodes that a rule finds, as `file:line text`. */
function found(rule: (node: ts.Node, path: string) => boolean): string[] {
  return sources.flatMap(({ path, source }) => {
    const places: string[] = [];
    const visit = (node: ts.Node): void => {
      if (rule(node, path)) places.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText().slice(0, 80)}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return places;
  });
}

const isConstAssertion = (node: ts.AsExpression): boolean => node.type.getText() === 'const';

describe('The dashboard', () => {
  it('is seen whole', () => {
    expect(sources.length).toBeGreaterThan(40);
  });

  it('casts nothing, so that a member that was renamed in the contract breaks its compilation', () => {
    expect(found((node) => (ts.isAsExpression(node) && !isConstAssertion(node)) || ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node))).toEqual([]);
    expect(found((node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([]);
  });

  it('names a path of the API only to what compiles it against the contract', () => {
    const isPath = (node: ts.Node): boolean => (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && /^\/(?:v1|oauth)\b/.test(node.text);
    expect(found((node) => isPath(node) && !(ts.isCallExpression(node.parent) && TYPED_CALL.test(node.parent.expression.getText())))).toEqual([]);
  });

  it('sends requests from one place', () => {
    expect(found((node, path) => ts.isCallExpression(node) && /^(?:window\.|globalThis\.)?fetch$/.test(node.expression.getText()) && !SENDERS.includes(path))).toEqual([]);
    expect(found((node) => ts.isNewExpression(node) && ['XMLHttpRequest', 'WebSocket', 'EventSource'].includes(node.expression.getText()))).toEqual([]);
  });

  it('keeps its lines within 300 a file', () => {
    expect(sources.filter(({ source }) => source.getLineAndCharacterOfPosition(source.getEnd()).line > 300).map(({ path }) => path)).toEqual([]);
  });
});
