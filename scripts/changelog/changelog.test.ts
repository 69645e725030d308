/** Tests of the changelogs: their sections, the version that changes need, and refusals. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { impactOfEntries, SDKS, versionIn } from './sdk.ts';
import type { Sdk } from './sdk.ts';
import { entryOf, insert, newest } from './section.ts';

const here = resolve(import.meta.dirname, '..');
let project: string;

/** A separate project with its own history. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'changelog-'));
  for (const folder of ['docs', 'sdks/typescript', 'sdks/python/src/compliance_onboarding'])
    mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, SDKS.typescript.file), '{\n  "name": "x",\n  "version": "1.0.0"\n}\n');
  writeFileSync(join(project, SDKS.python.file), '__version__: Final = "1.0.0"\n');
  cpSync(join(here, 'generate/fixtures/contract.yaml'), join(project, 'openapi.yaml'));
  git('init', '--quiet');
});
afterAll(() => {
  rmSync(project, { recursive: true });
});

function git(...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], { cwd: project });
}
function run(...args: string[]) {
  return spawnSync(process.execPath, [join(here, 'changelog.ts'), '--root', project, '--date', '2026-11-21', ...args], {
    encoding: 'utf8',
  });
}
const versionOf = (sdk: Sdk): string => versionIn(sdk, read(sdk.file));
const read = (file: string) => readFileSync(join(project, file), 'utf8');
const version = () => /version: (\S+)/.exec(read('openapi.yaml'))?.[1] ?? '';
function edit(change: (text: string) => string): void {
  writeFileSync(join(project, 'openapi.yaml'), change(read('openapi.yaml')));
}

describe('the changelogs', () => {
  it('begin with the first release, and say so once', () => {
    expect(run().status).toBe(0);
    expect(run().status).toBe(0);
    for (const file of ['docs/changelog.md', 'sdks/typescript/CHANGELOG.md', 'sdks/python/CHANGELOG.md']) {
      expect(read(file).split('First release.')).toHaveLength(2);
    }
    expect(run('--check').status).toBe(0);
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    for (const tag of [`v${version()}`, 'typescript-v1.0.0', 'python-v1.0.0']) git('tag', tag);
  });

  it('include a fix of one runtime, which raises the version of neither the contract nor the other SDK', () => {
    const { changelog } = SDKS.typescript;
    writeFileSync(
      join(project, changelog),
      read(changelog).replace('## 1.0.0', '## Unreleased\n\n### Fixed\n\n- A stalled download ends.\n\n## 1.0.0'),
    );
    expect(run('--propose').stdout).toBe(
      'sdks/typescript: 1.0.0 → 1.0.1 (contract: unchanged; runtime: patch)\n' +
        'sdks/python: nothing to release since 1.0.0\n',
    );
    expect(versionOf(SDKS.typescript)).toBe('1.0.0');
    const before = read('docs/changelog.md');
    expect(run().status).toBe(0);
    expect(run().status).toBe(0);
    expect([versionOf(SDKS.typescript), versionOf(SDKS.python)]).toEqual(['1.0.1', '1.0.0']);
    expect(read(changelog)).toMatch(
      /## 1\.0\.1 – 2026-11-21\n\n### Fixed\n\n- A stalled download ends\.\n\n## 1\.0\.0/,
    );
    expect(read('docs/changelog.md').match(/^## /gm)).toEqual(before.match(/^## /gm));
    expect(run('--check').status).toBe(0);
    git('add', '.');
    git('commit', '--quiet', '-m', 'A fix');
    git('tag', 'typescript-v1.0.1');
  });

  it('are not written if the version is too low for the changes', () => {
    edit((text) => text.replace('method: create', 'method: begin'));
    const { status, stderr } = run();
    expect([status, stderr]).toEqual([1, expect.stringContaining('the changes need')]);
  });

  it('name changes in the terms of their readers', () => {
    edit((text) => text.replace(/version: \S+/, 'version: 9.0.0'));
    expect(run('--check').status).toBe(1);
    expect(run().stdout).toContain('sdks/typescript: 1.0.1 → 2.0.0 (contract: breaking; runtime: unchanged)\n');
    expect([versionOf(SDKS.typescript), versionOf(SDKS.python)]).toEqual(['2.0.0', '2.0.0']);
    expect(run('--check').status).toBe(0);
    expect(newest(read('docs/changelog.md'))).toBe('9.0.0');
    expect(read('docs/changelog.md')).toMatch(
      /### Added\n\n- `POST \/[^`]+`: SDK method [a-z.]+\.begin is new\n\n### Removed\n\n- \*\*Breaking:\*\* `POST \/[^`]+`: SDK method/,
    );
    expect(read('sdks/python/CHANGELOG.md')).toMatch(/`client\.[a-z_.]+\.begin`: SDK method/);
    expect(read('sdks/python/CHANGELOG.md')).toContain('First release.');
  });

  it('refuse a base that does not exist', () => {
    expect(run('--base', 'nowhere').status).toBe(2);
  });
});

describe('the entries of a runtime', () => {
  const told = (entries: string) =>
    impactOfEntries(`# Changelog\n\n## Unreleased\n\n${entries}\n\n## 1.0.0\n\n### Removed\n\n- Long ago.\n`);

  it.each([
    ['nothing', '', null],
    ['a fix', '### Fixed\n\n- It.', 'patch'],
    ['an addition beside a fix', '### Fixed\n\n- It.\n\n### Added\n\n- More.', 'minor'],
    ['what is taken away', '### Removed\n\n- It.', 'major'],
    ['a fix that breaks', '### Fixed\n\n- **Breaking:** it throws.', 'major'],
    ['an empty heading', '### Removed\n', null],
  ])('ask for a version: %s', (_, entries, impact) => {
    expect(told(entries)).toBe(impact);
  });

  it('stand under a heading of keepachangelog.com', () => {
    expect(() => told('- Loose.')).toThrow('stands under no heading');
    expect(() => told('### Improved\n\n- It.')).toThrow('"### Improved" below "## Unreleased" is none of Added');
  });
});

describe('a section', () => {
  it('sorts changes under the headings of keepachangelog.com and leaves prose out', () => {
    const change = (rule: string, impact: 'major' | 'minor' | 'patch', message: string) => ({
      rule,
      impact,
      message,
      place: 'GET /v1/things',
    });
    const section = entryOf(
      [
        change('operation-removed', 'major', 'Operation was removed.'),
        change('member-added', 'minor', 'member `color` was added'),
        change('roles-changed', 'minor', 'also for viewer'),
        change('deprecation-changed', 'minor', 'is deprecated'),
        change('summary-changed', 'patch', '`summary` changed'),
      ],
      (place) => place,
    );
    expect(section.match(/^###? .*/gm)).toEqual(['### Added', '### Deprecated', '### Removed', '### Security']);
    expect(section).not.toContain('summary');
  });

  it('keeps what people wrote and replaces what was generated', () => {
    const before = '# Changelog\n\n## 1.1.0\n\nBy hand.\n\n## 1.0.0 – long ago\n\nFirst.\n';
    const once = insert(before, '## 1.1.0 – now', 'New.');
    expect(once).toBe(before.replace('By hand.', 'By hand.\n\n<!-- from the contract -->\nNew.\n<!-- end of it -->'));
    expect(insert(once, '## 1.1.0 – now', 'Newer.')).toBe(once.replace('New.', 'Newer.'));
  });

  it('of a new version comes before the older ones', () => {
    expect(insert('# Changelog\n\n## 1.0.0\n\nFirst.\n', '## 1.2.0 – now', 'New.').match(/^## .*/gm)).toEqual([
      '## 1.2.0 – now',
      '## 1.0.0',
    ]);
  });
});
