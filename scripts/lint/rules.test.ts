/** Tests of each rule for the contract with its fixtures. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { jsonPointer } from '../../server/base/json-pointer.ts';
import { inAnyState } from '../contract/contract.ts';
import type { Contract } from '../contract/contract.ts';
import { lint } from '../generate/tools.ts';
import type { Rule } from './rule.ts';
import { rules } from './rules/index.ts';

export interface LintFixture {
  readonly contract: Contract;
  /** Findings of the rule, one line each: `/paths/~1v1~1things/get message`. */
  readonly expected: readonly string[];
}

export function lintFixture(rule: string, kind: 'pass' | 'fail'): LintFixture {
  const text = readFileSync(new URL(`fixtures/${rule}.${kind}.yaml`, import.meta.url), 'utf8');
  const { 'x-expected': expected = [], ...contract } = parse(text) as Partial<Contract> & {
    'x-expected'?: readonly string[];
  };
  return { contract: inAnyState(contract), expected };
}

export function findings(rule: Rule, contract: Contract): string[] {
  const found: string[] = [];
  rule(contract, (pointer, message) => found.push(`${jsonPointer(pointer)} ${message}`));
  return found;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

describe.each(Object.entries(rules))('the lint rule %s', (name, rule) => {
  it('accepts the passing fixture', () => {
    expect(findings(rule, lintFixture(name, 'pass').contract)).toEqual([]);
  });

  it('says what is wrong with the failing fixture, and where', () => {
    const { contract, expected } = lintFixture(name, 'fail');
    expect(expected).not.toEqual([]);
    expect(findings(rule, contract)).toEqual(expected);
  });
});

describe('the lint rules', () => {
  it('have a fixture pair each, and there are no other fixtures', () => {
    const files = readdirSync(new URL('fixtures/', import.meta.url));
    expect(files.sort()).toEqual(
      Object.keys(rules)
        .flatMap((name) => [`${name}.fail.yaml`, `${name}.pass.yaml`])
        .sort(),
    );
  });

  it('run inside the linter, all of them, and report file, line and column', async () => {
    const found = await lint(
      root,
      Object.keys(rules).map((name) => `scripts/lint/fixtures/${name}.fail.yaml`),
    );
    const reporting = new Set(found.map(({ rule }) => rule));
    expect(Object.keys(rules).filter((name) => !reporting.has(`house/${name}`))).toEqual([]);
    const closed = found.find(
      ({ rule, place }) => rule === 'house/requests-closed' && place.includes('requests-closed.fail.yaml'),
    );
    expect(closed?.place).toMatch(/^scripts\/lint\/fixtures\/requests-closed\.fail\.yaml:\d+:\d+$/);
  });

  it('report one error for a value of a wrong form', async () => {
    const contract = readFileSync(join(root, 'openapi.yaml'), 'utf8');
    const folder = mkdtempSync(join(tmpdir(), 'lint-'));
    const wrong = [
      'x-roles: owner',
      'x-sdk: things.list',
      'x-pagination: true',
      'x-audit-events: auth.login',
      'x-follow: null',
      'x-state-transitions: closed',
    ];
    try {
      const files = wrong.map((member, index) => {
        const name = member.split(':')[0] ?? '';
        const file = join(folder, `${index}.yaml`);
        writeFileSync(
          file,
          contract.replace(new RegExp(`^      ${name}:.*\\n(?:       .*\\n)*`, 'm'), `      ${member}\n`),
        );
        return file;
      });
      const found = await lint(root, files);
      expect(found.map(({ rule, message }) => [rule, message.split(' ')[0]])).toEqual(
        wrong.map((member) => ['house/extension-values', `\`${member.split(':')[0]}\``]),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('report once that they cannot read a document without the structure of OpenAPI, and the linter reports where it is broken', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lint-'));
    try {
      const file = join(folder, 'broken.yaml');
      writeFileSync(
        file,
        'openapi: 3.1.1\n' +
          'info: { title: Broken, version: 1.0.0 }\n' +
          'paths:\n' +
          '  /v1/things: { parameters: none, get: { responses: {} } }\n',
      );
      const found = await lint(root, [file]);
      expect(found.filter(({ message }) => message.includes('rules of the house cannot read'))).toHaveLength(1);
      expect(found.filter(({ rule }) => rule === 'struct').map(({ place }) => place)).toEqual([
        expect.stringMatching(/broken\.yaml:4:29$/),
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
