/** Tests of who publishes and hears events about subjects. */
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { modules } from '../../server/modules.ts';
import type { Module } from '../../server/tasks/module.ts';
import type { SubjectListener } from '../../server/modules/subject-events/index.ts';
import { sourceOf } from './declarations.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = 'server/modules/subject-events';

const moduleOf = (path: string): string => /^server\/modules\/([^/]+)\//.exec(relative(ROOT, path))?.[1] ?? path;

const sources = globSync('server/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.test\.ts$|\/testing\/|\/generated\//.test(path))
  .map((path) => sourceOf(join(ROOT, path)));

/** Returns the modules that a module imports, even if only types. */
function importsOf(name: string): Set<string> {
  const imported = sources
    .filter(({ fileName }) => moduleOf(fileName) === name)
    .flatMap((source) => source.statements.filter((one) => ts.isImportDeclaration(one) || ts.isExportDeclaration(one)))
    .flatMap(({ moduleSpecifier, parent }) =>
      moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)
        ? moduleOf(join(parent.getSourceFile().fileName, '..', moduleSpecifier.text))
        : [],
    );
  return new Set(imported);
}

/** Returns the types that `event.ts` declares: the members of its interface `Members`. */
function declaredTypes(): string[] {
  const found = sourceOf(join(ROOT, FOLDER, 'event.ts')).statements.find(
    (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && one.name.text === 'Members',
  );
  return found!.members.map(({ name }) => (name as ts.StringLiteral).text);
}

interface Publication {
  readonly publisher: string;
  /** Null if the call does not name the type literally. */
  readonly type: string | null;
}

/** Returns every call of `publish`, of the files that import it from the module. */
function publications(): Publication[] {
  return sources.flatMap((source) => {
    if (!/import \{[^}]*\bpublish\b[^}]*\} from '[./]+\/subject-events\/index\.ts'/.test(source.text)) return [];
    const found: Publication[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'publish')
        found.push({ publisher: moduleOf(source.fileName), type: typeOf(node.arguments[1]) });
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

function typeOf(event: ts.Expression | undefined): string | null {
  if (event === undefined || !ts.isObjectLiteralExpression(event)) return null;
  for (const member of event.properties)
    if (ts.isPropertyAssignment(member) && member.name.getText() === 'type' && ts.isStringLiteral(member.initializer))
      return member.initializer.text;
  return null;
}

const published = publications();
const all: readonly Module<never, never, SubjectListener>[] = modules;
const heard = all.flatMap(({ name, listeners = [] }) => listeners.map(({ event }) => ({ listener: name, event })));

describe('Events about subjects', () => {
  it('are published by calls that name the type, so that this test finds them', () => {
    expect(published.length).toBeGreaterThan(5);
    expect(published.filter(({ type }) => type === null)).toEqual([]);
  });

  it('have a publisher for each declared type', () => {
    expect([...new Set(published.map(({ type }) => type))].sort()).toEqual(declaredTypes().sort());
  });

  it('are heard by modules that their publishers do not import', () => {
    expect(heard.length).toBeGreaterThan(0);
    expect(
      heard.flatMap(({ listener, event }) =>
        published
          .filter(({ type, publisher }) => type === event && importsOf(publisher).has(listener))
          .map(({ publisher }) => `${publisher} publishes ${event} to ${listener} and imports it`),
      ),
    ).toEqual([]);
  });

  it('do not depend on the modules that publish or hear them', () => {
    const others = all.map(({ name }) => name).filter((name) => name !== 'subject-events');
    expect(others.filter((name) => importsOf('subject-events').has(name))).toEqual([]);
  });
});
