/** Test that runs the beginning of the README against the running service. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { live, png } from './support/live.ts';

const here = resolve(import.meta.dirname, '..');

/** The first program of the README, byte for byte as it prints it. */
function program(): string {
  return /^```ts\n(.*?)^```/ms.exec(readFileSync(join(here, 'README.md'), 'utf8'))?.[1] ?? '';
}

it('the sixty seconds of the README run as they are printed, with the built package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sdk-readme-'));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(here, join(folder, 'node_modules/compliance-onboarding'));
    writeFileSync(join(folder, 'passport.jpg'), png());
    writeFileSync(join(folder, 'start.mjs'), program());
    const env = { ...process.env, COMPLIANCE_BASE_URL: live.baseUrl, COMPLIANCE_API_KEY: live.apiKey };
    const printed = execFileSync(process.execPath, ['start.mjs'], { cwd: folder, encoding: 'utf8', env });
    const lines = printed.split('\n').filter(Boolean);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^\w+ \S+$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
