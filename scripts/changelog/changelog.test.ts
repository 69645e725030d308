import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryOf, insert, newest } from './section.ts';

const here = resolve(import.meta.dirname, '..');
let project: string;

/** A project of its own, with a history of its own. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'changelog-'));
  for (const folder of ['docs', 'sdks/typescript', 'sdks/python']) mkdirSync(join(project, folder), { recursive: true });
  cpSync(join(here, 'generate/fixtures/contract.yaml'), join(project, 'openapi.yaml'));
  git('init', '--quiet');
});
afterAll(() => { rmSync(project, { recursive: true }); });

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], { cwd: project });
}
function run(...args: string[]) {
  return spawnSync(process.execPath, [join(here, 'changelog.ts'), '--root', project, '--date', '2026-11-21', ...args], { encoding: 'utf8' });
}
const read = (file: string) => readFileSync(join(project, file), 'utf8');
const version = () => /version: (\S+)/.exec(read('openapi.yaml'))?.[1] ?? '';
function edit(change: (text: string) => string): void {
  writeFileSync(join(project, 'openapi.yaml'), change(read('openapi.yaml')));
}

describe('the changelogs', { timeout: 60_000 }, () => {
  it('begin with the first release, and say so once', () => {
    expect(run().status).toBe(0);
    expect(run().status).toBe(0);
    for (const file of ['docs/changelog.md', 'sdks/typescript/CHANGELOG.md', 'sdks/python/CHANGELOG.md']) {
      expect(read(file).split('First release.')).toHaveLength(2);
    }
    expect(run('--check').status).toBe(0);
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    git('tag', `v${version()}`);
  });

  it('are not written while the version is too low for the changes', () => {
    edit((text) => text.replace('method: create', 'method: begin'));
    const { status, stderr } = run();
    expect([status, stderr]).toEqual([1, expect.stringContaining('the changes need')]);
  });

  it('name what changed as their readers call it', () => {
    edit((text) => text.replace(/version: \S+/, 'version: 9.0.0'));
    expect(run('--check').status).toBe(1);
    expect(run().status).toBe(0);
    expect(newest(read('docs/changelog.md'))).toBe('9.0.0');
    expect(read('docs/changelog.md')).toMatch(/### Changed\n\n- \*\*Breaking:\*\* `POST \/[^`]+`: SDK method/);
    expect(read('sdks/python/CHANGELOG.md')).toMatch(/`client\.[a-z_.]+\.begin`: SDK method/);
    expect(read('sdks/python/CHANGELOG.md')).toContain('First release.');
  });

  it('refuse a base that does not exist', () => {
    expect(run('--base', 'nowhere').status).toBe(2);
  });
});

describe('a section', () => {
  it('sorts changes under the headings of keepachangelog.com and leaves prose out', () => {
    const change = (rule: string, impact: 'major' | 'minor' | 'patch', message: string) => ({ rule, impact, message, place: 'GET /v1/things' });
    const section = entryOf([
      change('operation-removed', 'major', 'Operation was removed.'), change('member-added', 'minor', 'member `color` was added'), change('roles-changed', 'minor', 'also for viewer'),
      change('deprecation-changed', 'minor', 'is deprecated'), change('summary-changed', 'patch', '`summary` changed'),
    ], (place) => place);
    expect(section.match(/^###? .*/gm)).toEqual(['### Added', '### Deprecated', '### Removed', '### Security']);
    expect(section).not.toContain('summary');
  });

  it('keeps what people wrote and replaces what was generated', () => {
    const before = '# Changelog\n\n## 1.1.0\n\nBy hand.\n\n## 1.0.0 – long ago\n\nFirst.\n';
    const once = insert(before, '## 1.1.0 – now', 'New.');
    expect(once).toBe(before.replace('By hand.', 'By hand.\n\n<!-- from the contract -->\nNew.\n<!-- end of it -->'));
    expect(insert(once, '## 1.1.0 – now', 'Newer.')).toBe(once.replace('New.', 'Newer.'));
  });

  it('of a new version stands before the older ones', () => {
    expect(insert('# Changelog\n\n## 1.0.0\n\nFirst.\n', '## 1.2.0 – now', 'New.').match(/^## .*/gm)).toEqual(['## 1.2.0 – now', '## 1.0.0']);
  });
});
