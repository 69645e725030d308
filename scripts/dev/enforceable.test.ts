/** Tests that `make dev` can replace every generated table in a running process. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { enforceable, GENERATED, replaceTables, TABLES } from './enforceable.ts';

const repository = resolve(import.meta.dirname, '../..');

/** Loads the whole service with tables that throw when they are read. */
const LOADING = `
import { registerHooks } from 'node:module';
const TABLES = {
  operations: ['operations'], 'audit-actions': ['auditActions'], 'body-limits': ['bodyLimits', 'shapes'],
  masks: ['masks'], problems: ['problems'], 'record-bounds': ['recordBounds'],
};
const unreadable = (name) => \`export const \${name} = new Proxy({}, {
  get() { throw new Error('\${name} is read while modules load'); },
  ownKeys() { throw new Error('\${name} is read while modules load'); },
});\`;
registerHooks({ load(url, context, next) {
  const [, name] = /contract\\/generated\\/(\\S+)\\.ts$/.exec(url) ?? [];
  if (name === undefined) return next(url, context);
  return { format: 'module', source: TABLES[name].map(unreadable).join('\\n'), shortCircuit: true };
} });
await import('./server/run.ts');
console.log('loaded');
`;

describe('the generated tables', () => {
  it('are not read by any module while the service loads, so that make dev may replace them afterwards', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', LOADING], {
      cwd: repository,
      encoding: 'utf8',
    });
    expect(stderr).not.toContain('is read while modules load');
    expect(stdout).toBe('loaded\n');
  });

  it('are all derived for the next service of make dev: whatever is generated for the server, except its types', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tables-'));
    try {
      const generated = readdirSync(join(repository, GENERATED))
        .filter((name) => !name.endsWith('types.ts'))
        .sort();
      expect(readdirSync(enforceable(repository, folder).folder).sort()).toEqual(generated);
      expect([...TABLES].sort()).toEqual(
        generated.filter((name) => name.endsWith('.ts')).map((name) => name.slice(0, -'.ts'.length)),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('become equal to those of another folder and stay the same object', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tables-'));
    try {
      writeFileSync(
        join(folder, 'body-limits.ts'),
        'export const bodyLimits = { stays: { bytes: 2 }, comes: {} }; export const shapes = { comes: {} };',
      );
      const loaded = { bodyLimits: { stays: { bytes: 1 }, goes: {} }, shapes: {} };
      const { bodyLimits, shapes } = loaded;
      await replaceTables(loaded, folder, 'body-limits');
      expect([bodyLimits, shapes]).toEqual([{ stays: { bytes: 2 }, comes: {} }, { comes: {} }]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
