import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDev } from './testing.ts';

/** What the service says of a password of 40 characters; the length that it allows, if that is less. */
async function allowedBy(url: string): Promise<number | null> {
  const answer = await fetch(`${url}/v1/auth/login`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email: 'someone@example.com', password: 'p'.repeat(40) }),
  });
  const [, length] = /at most (\d+) characters/.exec(await answer.text()) ?? [];
  return length === undefined ? null : Number(length);
}

it('make dev: what is saved is enforced and can be read, what is broken is reported and changes nothing, and nothing is left behind', { timeout: 300_000 }, async () => {
  using dev = await startDev();
  /** The contract with another limit, which the service shows, and another title, which the reference shows. */
  const edited = (limit: number): string => dev.contract
    .replace(/( {4}LoginRequest:\n(?:.*\n)*?.*format: password\n(?:.*\n)*?.*maxLength: )\d+/, `$1${limit}`)
    .replace('title: Compliance Onboarding API', `title: Limit ${limit}`);
  const reads = async (path: string, text: string): Promise<boolean> => (await (await fetch(dev.url + path)).text()).includes(text);

  await dev.sees('contract enforced');
  // Whoever starts with an empty folder is told how to sign in, once: by the service, which may speak before or after `make dev` does.
  await dev.until('how to sign in', () => /Sign in +owner-\w+@demo\.example/.test(dev.output()));
  expect(await allowedBy(dev.url)).toBeNull();
  await dev.sees('SDKs and pages generated');

  dev.save(edited(32));
  await dev.sees('contract enforced');
  expect(await allowedBy(dev.url)).toBe(32);
  await dev.until('the reference shows the edit', () => reads('/reference', 'Limit 32'));
  await dev.until('the explorer shows it', () => reads('/explorer/openapi.json', 'Limit 32'));

  // The linter refuses the first, nobody can read the second; the service never hears of either.
  dev.save(edited(33).replace('operationId: login', 'operationId: sign-in'));
  await dev.sees(/openapi\.yaml:\d+:\d+ house\/operation-id: /);
  await dev.sees('not enforced: the linter refuses the contract');
  await dev.sees('the service goes on with the last sound one');
  dev.save(edited(33).replace("#/components/schemas/LoginRequest'", "#/components/schemas/LoginRequset'"));
  await dev.sees(/openapi\.yaml:\d+:\d+ there is no #\/components\/schemas\/LoginRequset; did you mean #\/components\/schemas\/LoginRequest\?/);
  await dev.sees('the contract cannot be read; the service goes on with the last sound one');
  dev.save(`${edited(33)}\n  broken: [`);
  await dev.sees(/openapi\.yaml:\d+:\d+ (?!house)/);
  await dev.sees('the service goes on with the last sound one');
  expect(await allowedBy(dev.url)).toBe(32);

  // A sound contract with an operation that nobody handles: what follows from it is generated, so that somebody can.
  dev.save(edited(34).replace('operationId: login', 'operationId: signIn'));
  await dev.sees('signIn has no handler: write one in server/groups/auth/handlers.ts');
  await dev.sees('the one before goes on');
  expect(await allowedBy(dev.url)).toBe(32);
  expect(readFileSync(join(dev.root, 'server/contract/generated/operations.ts'), 'utf8')).toContain('signIn');

  dev.save(edited(35));
  await dev.sees('contract enforced');
  expect(await allowedBy(dev.url)).toBe(35);

  // The source: the same, with the contract as it is.
  const source = readFileSync(join(dev.root, 'server/http/problem-document.ts'), 'utf8');
  dev.save('import "./nowhere.ts";', 'server/http/problem-document.ts');
  await dev.sees('the one before goes on');
  expect(await allowedBy(dev.url)).toBe(35);
  dev.save(source.replace('`/problems/', '`/changed/'), 'server/http/problem-document.ts');
  await dev.sees('contract enforced');
  expect(await reads('/v1/applications', '/changed/')).toBe(true);

  expect(dev.output()).not.toContain('ended by itself');
  expect(dev.output().match(/Sign in +owner/g)).toHaveLength(1);
  expect(dev.output()).not.toContain('bind.ts:');
  expect(await dev.interrupt()).toEqual({ status: 0, left: [] });
});
