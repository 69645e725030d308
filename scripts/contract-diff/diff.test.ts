/** Tests of comparing two contracts as a command: breaking changes, the needed version, and the exit status. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAtLeast, neededVersion, worst } from './change.ts';
import type { Impact } from './change.ts';
import { compare } from './compare.ts';

const root = resolve(import.meta.dirname, '../..');
const canary = {
  base: join(import.meta.dirname, 'canary/base.yaml'),
  revision: join(import.meta.dirname, 'canary/revision.yaml'),
};

function diff(base: string, revision: string, ...options: string[]) {
  return spawnSync(process.execPath, ['scripts/diff.ts', base, '--revision', revision, ...options], {
    cwd: root,
    encoding: 'utf8',
  });
}

/** Writes the canary's revision, with one text replaced, to a new file. */
function changed(from: string, to: string): { readonly file: string; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), 'canary-'));
  const file = join(folder, 'revision.yaml');
  writeFileSync(file, readFileSync(canary.revision, 'utf8').replace(from, to));
  return {
    file,
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true });
    },
  };
}

describe('the comparison of contracts', () => {
  it('reports the canary as breaking, by redocly and by the house rules', async () => {
    const breaking = (await compare(root, canary)).filter(({ impact }) => impact === 'major').map(({ rule }) => rule);
    expect(breaking).toContain('effective-security');
    expect(breaking.some((rule) => rule !== 'effective-security')).toBe(true);
  });

  it('fails on a breaking change without the needed version, and names that version', () => {
    const { status, stdout } = diff(canary.base, canary.revision);
    expect(stdout).toContain('needed: 2.0.0 or higher');
    expect(status).toBe(1);
  });

  it('accepts a breaking change with the next major version', () => {
    using revision = changed('version: 1.2.0', 'version: 2.0.0');
    expect(diff(canary.base, revision.file).status).toBe(0);
  });

  it('finds nothing between a contract and itself', async () => {
    expect(await compare(root, { base: canary.base, revision: canary.base })).toEqual([]);
  });

  it('accepts a new value of an open enumeration', async () => {
    const open = 'id: { type: string, enum: [a], x-enum-open: true }';
    using base = changed('id: { type: string }', open);
    using revision = changed('id: { type: string }', open.replace('[a]', '[a, b]'));
    expect(worst(await compare(root, { base: base.file, revision: revision.file }))).toBe('minor');
  });

  it('demands a new version also for a non-breaking change', () => {
    using base = changed('id: { type: string }', 'id: { type: string, description: Its name. }');
    using revision = changed('id: { type: string }', 'id: { type: string, description: Its only name. }');
    const { status, stdout } = diff(base.file, revision.file);
    expect([status, stdout]).toEqual([1, expect.stringContaining('needed: 1.2.1 or higher')]);
  });

  it('prints only the version on request', () => {
    expect(diff(canary.base, canary.revision, '--bump')).toMatchObject({ status: 0, stdout: '2.0.0\n' });
  });

  it('refuses an operation removed without notice, whatever the version', () => {
    using revision = changed('version: 1.2.0', 'version: 9.0.0');
    writeFileSync(revision.file, readFileSync(revision.file, 'utf8').replace('/v1/things:', '/v1/items:'));
    const { status, stdout } = diff(canary.base, revision.file);
    expect([status, stdout]).toEqual([1, expect.stringContaining('1 against the policy of sunsets')]);
  });

  it('names its formats if the requested one is unknown', () => {
    const { status, stderr } = diff(canary.base, canary.revision, '--format', 'xml');
    expect([status, stderr]).toEqual([2, expect.stringContaining('text, json, markdown, github')]);
    expect(diff(canary.base, canary.revision, '--colour').status).toBe(2);
  });

  it('ends with a different status if the base does not exist', () => {
    const { status, stderr } = diff('no-such-branch', canary.revision);
    expect(stderr).toContain('no file, commit, branch or tag no-such-branch');
    expect(status).toBe(2);
  });
});

describe('the needed version', () => {
  it.each([
    ['major', '2.0.0'],
    ['minor', '1.3.0'],
    ['patch', '1.2.4'],
    [null, '1.2.3'],
  ] as const)('after a %s change of 1.2.3 is %s', (impact, version) => {
    expect(neededVersion('1.2.3', impact)).toBe(version);
  });

  it.each([
    ['0.3.1', '0.4.0'],
    ['0.3.1', '0.3.2', 'patch'],
  ] as const)('promises less below 1.0.0: after %s comes %s', (base, version, impact: Impact = 'major') => {
    expect(neededVersion(base, impact)).toBe(version);
  });

  it('compares numbers, not text', () => {
    expect(isAtLeast('1.10.0', '1.9.0')).toBe(true);
    expect(isAtLeast('1.9.9', '2.0.0')).toBe(false);
    expect(isAtLeast('2.0.0', '2.0.0')).toBe(true);
  });
});
