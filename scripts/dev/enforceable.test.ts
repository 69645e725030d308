import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceTable } from './enforceable.ts';

const repository = resolve(import.meta.dirname, '../..');

/** Loads the whole service with tables that cannot be read. */
const LOADING = `
import { registerHooks } from 'node:module';
const unreadable = (name) => \`export const \${name} = new Proxy({}, {
  get() { throw new Error('\${name} is read while modules load'); }, ownKeys() { throw new Error('\${name} is read while modules load'); },
});\`;
registerHooks({ load(url, context, next) {
  const [, name] = /contract\\/generated\\/(operations|problems)\\.ts$/.exec(url) ?? [];
  return name === undefined ? next(url, context) : { format: 'module', source: unreadable(name), shortCircuit: true };
} });
await import('./server/run.ts');
console.log('loaded');
`;

describe('the generated tables', () => {
  it('are not read by any module of the service while it loads, so that make dev may replace them afterwards', { timeout: 60_000 }, () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', LOADING], { cwd: repository, encoding: 'utf8' });
    expect(stderr).not.toContain('is read while modules load');
    expect(stdout).toBe('loaded\n');
  });

  it('become equal to those of another folder and stay the same object', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tables-'));
    try {
      writeFileSync(join(folder, 'operations.ts'), 'export const operations = { stays: { status: 2 }, comes: {} } as const;');
      const table = { stays: { status: 1 }, goes: {} };
      await replaceTable(table, folder, 'operations');
      expect(table).toEqual({ stays: { status: 2 }, comes: {} });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
