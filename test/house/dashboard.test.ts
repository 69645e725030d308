/** Tests of the rules for the dashboard's code. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../server/pages/dashboard');

/** Files that may send requests: with the session, about the session, and to check if the service is reachable. */
const SENDERS = ['core/send.ts', 'core/session.ts', 'core/reachability.ts'];
/** Functions that take a path of the contract, and reject any other at compile time. */
const TYPED_CALL = /^(?:client|plain)\.[A-Z]+$|^api\.(?:use\w+|queryOptions)$/;

const files = globSync('**/*.{ts,tsx}', { cwd: FOLDER, exclude: (path) => path.toString().endsWith('vite.config.ts') });
const sources = files.map((path) => ({
  path,
  source: ts.createSourceFile(path, readFileSync(join(FOLDER, path), 'utf8'), ts.ScriptTarget.Latest, true),
}));

/** Returns the places of the nodes that match a rule, as `file:line text`. */
function found(rule: (node: ts.Node, path: string) => boolean): string[] {
  return sources.flatMap(({ path, source }) => {
    const places: string[] = [];
    const visit = (node: ts.Node): void => {
      if (rule(node, path))
        places.push(
          `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText().slice(0, 80)}`,
        );
      ts.forEachChild(node, visit);
    };
    visit(source);
    return places;
  });
}

/** Returns the components that render an element of this name, with their source text. */
function componentsWith(tag: RegExp): readonly { readonly name: string; readonly text: string }[] {
  return sources.flatMap(({ path, source }) =>
    source.statements.filter(ts.isFunctionDeclaration).flatMap((component) => {
      let renders = false;
      const visit = (node: ts.Node): void => {
        if ((ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) && tag.test(node.tagName.getText()))
          renders = true;
        ts.forEachChild(node, visit);
      };
      visit(component);
      return renders ? [{ name: `${path}#${component.name?.text ?? ''}`, text: component.getText() }] : [];
    }),
  );
}

const isConstAssertion = (node: ts.AsExpression): boolean => node.type.getText() === 'const';

describe('The dashboard', () => {
  it('is seen whole', () => {
    expect(sources.length).toBeGreaterThan(40);
  });

  it('has no casts, so that a member that was renamed in the contract breaks its compilation', () => {
    expect(
      found(
        (node) =>
          (ts.isAsExpression(node) && !isConstAssertion(node)) ||
          ts.isTypeAssertionExpression(node) ||
          ts.isNonNullExpression(node),
      ),
    ).toEqual([]);
    expect(found((node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([]);
  });

  it('names a path of the API only in calls that are compiled against the contract', () => {
    const isPath = (node: ts.Node): boolean =>
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && /^\/(?:v1|oauth)\b/.test(node.text);
    expect(
      found(
        (node) =>
          isPath(node) && !(ts.isCallExpression(node.parent) && TYPED_CALL.test(node.parent.expression.getText())),
      ),
    ).toEqual([]);
  });

  it('sends requests from one module', () => {
    expect(
      found(
        (node, path) =>
          ts.isCallExpression(node) &&
          /^(?:window\.|globalThis\.)?fetch$/.test(node.expression.getText()) &&
          !SENDERS.includes(path),
      ),
    ).toEqual([]);
    expect(
      found(
        (node) =>
          ts.isNewExpression(node) &&
          ['XMLHttpRequest', 'WebSocket', 'EventSource'].includes(node.expression.getText()),
      ),
    ).toEqual([]);
  });

  it('shows the refusal of every dialog by one component, which leads to the remedy and takes the focus', () => {
    const dialogs = componentsWith(/^(?:Dialog|ConfirmDialog)$/);
    expect(dialogs.length).toBeGreaterThan(45);
    // A change in a dialog is sent by a form or a confirmation, or its refusal is passed to the component explicitly.
    const senders = dialogs.filter(({ text }) => /\bclient\.(?:POST|PUT|PATCH|DELETE)\b|\buseForm\(/.test(text));
    expect(
      senders.filter(({ text }) => !/<(?:Form|ConfirmDialog|Problems)\b/.test(text)).map(({ name }) => name),
    ).toEqual([]);
    for (const path of ['ui/form.tsx', 'ui/dialog.tsx'])
      expect(sources.find((one) => one.path === path)?.source.text, path).toContain('<Problems ');
  });

  it('words refusals in that component alone; a failed load is reported in place of its content', () => {
    const words = ['ui/problems.tsx', 'ui/notice.tsx', 'pages/funds-recovery/funds-recovery-page.tsx'];
    expect(
      found(
        (node, path) => ts.isCallExpression(node) && node.expression.getText() === 'explain' && !words.includes(path),
      ),
    ).toEqual([]);
    const isAlert = (node: ts.Node): boolean =>
      ts.isJsxOpeningElement(node) &&
      node.tagName.getText() === 'Notice' &&
      /tone="error"/.test(node.getText()) &&
      /role="alert"/.test(node.getText());
    expect(
      found(
        (node, path) =>
          isAlert(node) && !['ui/notice.tsx', 'pages/applications/form/application-fields.tsx'].includes(path),
      ),
    ).toEqual([]);
  });

  it('checks the input of a filter of recoveries by the patterns of the contract', () => {
    const contract = readFileSync(join(FOLDER, '../../../openapi.yaml'), 'utf8');
    const patterns = found(
      (node, path) =>
        ts.isRegularExpressionLiteral(node) && path.endsWith('recovery-search.ts') && node.text.startsWith('/^'),
    ).map((place) => place.split(' ')[1]!.slice(1, -1));
    expect(patterns).toHaveLength(2);
    expect(patterns.filter((pattern) => !contract.includes(`pattern: '${pattern}'`))).toEqual([]);
  });

  it('starts every verdict with nothing selected', () => {
    const verdicts = [
      'pages/screenings/decide-dialog.tsx',
      'pages/applications/decisions/make-decision.tsx',
      'pages/applications/decisions/review-decision.tsx',
      'pages/monitoring/triage-dialog.tsx',
      'pages/applications/attest.tsx',
      'pages/applications/waive.tsx',
      'pages/cases/resolve-case.tsx',
      'pages/cases/review-resolution.tsx',
      'pages/cases/reopen-case.tsx',
      'pages/risk/review-activation.tsx',
      'pages/risk/override.tsx',
    ];
    const members = ['status', 'choice', 'verdict', 'outcome', 'reasonCode'];
    const preselected = found(
      (node, path) =>
        verdicts.includes(path) &&
        ts.isPropertyAssignment(node) &&
        members.includes(node.name.getText()) &&
        ts.isObjectLiteralExpression(node.parent) &&
        ts.isVariableDeclaration(node.parent.parent) &&
        /^initial$/i.test(node.parent.parent.name.getText()) &&
        node.initializer.getText() !== "''",
    );
    expect(preselected).toEqual([]);
    expect(
      found(
        (node, path) =>
          verdicts.includes(path) && ts.isVariableDeclaration(node) && /^initial$/i.test(node.name.getText()),
      ),
    ).toHaveLength(verdicts.length);
  });

  it('has files of 300 lines at most', () => {
    expect(
      sources
        .filter(({ source }) => source.getLineAndCharacterOfPosition(source.getEnd()).line > 300)
        .map(({ path }) => path),
    ).toEqual([]);
  });
});
