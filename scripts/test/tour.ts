import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run, tail } from './command.ts';
import type { LiveService } from './live-service.ts';
import type { Result } from './result.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The three scripts of the README, byte for byte as it prints them. */
function scriptsOfReadme(): Readonly<Record<'sh' | 'mjs' | 'py', string>> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const block = (language: string, marker: string) => {
    const found = [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text]) => text!).filter((text) => text.includes(marker));
    if (found.length !== 1) throw new Error(`README.md has ${found.length} ${language} blocks with "${marker}", not one`);
    return found[0]!;
  };
  return { sh: block('sh', 'oauth/token'), mjs: block('js', 'new ComplianceOnboarding'), py: block('python', 'import ComplianceOnboarding') };
}

/**
 * Takes the tour as its reader would: in an empty folder, with the built packages installed, each script as printed.
 * Each must end with 0, store a document and read events; as one consumer, the later ones find what is not acknowledged yet.
 */
export async function liveTour(service: LiveService): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'onboarding-tour-'));
  try {
    cpSync(service.demo, join(folder, 'demo.json'));
    cpSync(join(ROOT, 'docs/tour/proof-of-address.pdf'), join(folder, 'proof-of-address.pdf'));
    for (const [extension, text] of Object.entries(scriptsOfReadme())) writeFileSync(join(folder, `tour.${extension}`), text);
    const packages = readdirSync(join(ROOT, 'build/packages')).map((name) => join(ROOT, 'build/packages', name));
    const tarball = packages.find((path) => path.endsWith('.tgz'))!;
    const wheel = packages.find((path) => path.endsWith('.whl'))!;
    const steps = [
      ['tour-curl', 'sh tour.sh'],
      ['tour-typescript', `npm init --yes >/dev/null && npm install --no-audit --no-fund --loglevel=error ${tarball} >/dev/null && node tour.mjs`],
      ['tour-python', `${join(ROOT, '.venv/bin/python')} -m venv --without-pip venv && ${join(ROOT, '.venv/bin/python')} -m pip --python venv install -q --disable-pip-version-check ${wheel} && venv/bin/python tour.py`],
    ] as const;
    const failures: string[] = [];
    for (const [name, script] of steps) {
      const { code, output } = await run(name, 'sh', ['-ec', `cd ${folder}\n${script}`]);
      const events = output.match(/FUNDS_RECOVERY_\w+/g) ?? [];
      if (code !== 0 || events.length === 0 || !/^uploaded$/m.test(output)) failures.push(`    ✗ ${name}\n${tail(output, 25)}`);
    }
    return { passed: steps.length - failures.length, failed: failures.length, complaint: failures.join('\n') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
