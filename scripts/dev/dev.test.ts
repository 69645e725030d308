import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { workspace } from '../generate/fixtures/workspace.ts';

/** Stands for the service: it says which operations it enforces, and ends on SIGTERM. */
const SERVICE = `
import { readFileSync } from 'node:fs';
const { paths } = JSON.parse(readFileSync('server/contract/generated/contract.runtime.json', 'utf8'));
console.log('serving ' + JSON.stringify(paths['/v1/auth/login'].post.operationId));
setInterval(() => {}, 1000);
`;

function start(root: string) {
  const script = resolve(import.meta.dirname, '../dev.ts');
  const child = spawn(process.execPath, [script, '--root', root, '--command', `${process.execPath} service.mjs`], { cwd: root });
  let output = '';
  child.stdout.on('data', (data: Buffer) => { output += data.toString(); });
  child.stderr.on('data', (data: Buffer) => { output += data.toString(); });
  return {
    child,
    output: () => output,
    async sees(text: string | RegExp): Promise<void> {
      const end = performance.now() + 20_000;
      while (!(typeof text === 'string' ? output.includes(text) : text.test(output))) {
        if (performance.now() > end) throw new Error(`not seen: ${String(text)}\n${output}`);
        await sleep(10);
      }
    },
  };
}

async function end(child: ChildProcess): Promise<number | null> {
  const gone = new Promise<number | null>((done) => { child.once('exit', done); });
  child.kill('SIGTERM');
  return gone;
}

describe('make dev', { timeout: 60_000 }, () => {
  it('enforces a saved contract, survives a broken one and says where it is broken', async () => {
    using place = workspace();
    mkdirSync(join(place.root, 'server'));
    writeFileSync(join(place.root, 'service.mjs'), SERVICE);
    const contract = readFileSync(place.contractFile, 'utf8');
    /** As editors save: a new file takes the place of the old one. */
    const save = (text: string): void => {
      writeFileSync(`${place.contractFile}.new`, text);
      renameSync(`${place.contractFile}.new`, place.contractFile);
    };
    const dev = start(place.root);
    try {
      await dev.sees('serving "login"');
      await dev.sees('SDKs and pages generated');

      save(contract.replace('operationId: login', 'operationId: signIn'));
      await dev.sees('serving "signIn"');

      save(contract.replace('operationId: login', 'operationId: sign-in'));
      await dev.sees(/openapi\.yaml:\d+:\d+ house\/operation-id: /);
      await dev.sees('the service goes on with the last sound one');

      save(`${contract}\n  broken: [`);
      await dev.sees(/openapi\.yaml:\d+:\d+ (?!house)/);
      expect(dev.output()).not.toContain('serving "sign-in"');
      expect(dev.output()).not.toContain('ended by itself');

      save(contract.replace('operationId: login', 'operationId: signInAgain'));
      await dev.sees('serving "signInAgain"');
    } finally {
      expect(await end(dev.child)).toBe(0);
    }
  });
});
