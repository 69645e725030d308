/** Tests of skipping steps whose inputs have not changed. A step that is skipped wrongly hides a failure. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command, verdict } from './command.ts';
import { Inputs, PassedSteps } from './inputs.ts';
import { inOrder, runRemembering, type Step, unchangedSteps } from './steps.ts';

let root: string;
let passed: PassedSteps;
const put = (file: string, text: string): void => {
  mkdirSync(join(root, file, '..'), { recursive: true });
  writeFileSync(join(root, file), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'steps-'));
  passed = new PassedSteps(join(root, 'build/passed.json'));
  execFileSync('git', ['init', '-q', root]);
  put('.gitignore', 'build/\n');
  put('server/a.ts', '1');
  put('docs/a.md', '1');
  execFileSync('git', ['-C', root, 'add', '-A']);
});
afterEach(() => rmSync(root, { recursive: true }));

/** Runs the steps as `make test` does, and returns the names of those that ran. */
async function run(steps: readonly Step[], env = {}): Promise<readonly string[]> {
  const inputs = new Inputs(root, env);
  const unchanged = unchangedSteps(steps, inputs, passed, root);
  const ran = steps.filter(({ name }) => !unchanged.has(name));
  for (const step of ran) await runRemembering(step, inputs, passed, root);
  return ran.map(({ name }) => name);
}

/** Returns a step that passes if a shell command in the folder of the project succeeds. */
const shell = (name: string, line: string, more: Partial<Step> = {}): Step => ({
  name,
  run: command(`steps-test-${name}`, 'sh', ['-c', `cd "${root}" && ${line}`]),
  ...more,
});

describe('a step that passed', () => {
  it('is skipped until one of its inputs changes, appears, becomes executable or is deleted', async () => {
    const steps = [shell('service', 'test -d server', { inputs: ['server'] }), shell('everything', 'true')];
    expect(await run(steps)).toEqual(['service', 'everything']);
    expect(await run(steps)).toEqual([]);
    put('docs/a.md', '2');
    expect(await run(steps)).toEqual(['everything']);
    put('server/a.ts', '2');
    expect(await run(steps)).toEqual(['service', 'everything']);
    put('server/untracked.ts', '1');
    expect(await run(steps)).toEqual(['service', 'everything']);
    execFileSync('chmod', ['+x', join(root, 'server/a.ts')]);
    expect(await run(steps)).toEqual(['service', 'everything']);
    rmSync(join(root, 'server/untracked.ts'));
    expect(await run(steps)).toEqual(['service', 'everything']);
  });

  it('does not depend on what git ignores, and depends on the variables that change it', async () => {
    const steps = [shell('everything', 'true')];
    await run(steps, { SEED: '1' });
    put('build/other', '1');
    expect(await run(steps, { SEED: '1' })).toEqual([]);
    expect(await run(steps, { SEED: '2' })).toEqual(['everything']);
  });

  it('runs again if its product was deleted or changed', async () => {
    const steps = [shell('pages', 'mkdir -p build/pages && echo 1 > build/pages/a', { makes: ['build/pages'] })];
    expect([await run(steps), await run(steps)]).toEqual([['pages'], []]);
    put('build/pages/a', 'by somebody else');
    expect([await run(steps), await run(steps)]).toEqual([['pages'], []]);
    rmSync(join(root, 'build/pages'), { recursive: true });
    expect(await run(steps)).toEqual(['pages']);
  });

  it('runs again if its input changed while it ran, because it may have read either version', async () => {
    const steps = [shell('service', 'echo 3 >> server/a.ts', { inputs: ['server'] })];
    expect([await run(steps), await run(steps)]).toEqual([['service'], ['service']]);
  });

  it('runs every time if it is marked so, and together with the step that judges it', async () => {
    const steps = [
      shell('tools', 'true', { always: true }),
      shell('service', 'true'),
      shell('coverage', 'test -e build/recorded', { judges: 'service' }),
    ];
    expect(await run(steps)).toEqual(['tools', 'service', 'coverage']);
    expect(await run(steps)).toEqual(['tools', 'service', 'coverage']);
    put('build/recorded', '');
    expect(await run(steps)).toEqual(['tools', 'service', 'coverage']);
    expect(await run(steps)).toEqual(['tools']);
  });
});

describe('a step that did not pass', () => {
  it('is never skipped, not even with the inputs with which it passed before', async () => {
    const steps = [shell('service', 'test ! -e build/broken', { inputs: ['server'] })];
    expect([await run(steps), await run(steps)]).toEqual([['service'], []]);
    put('server/a.ts', '2');
    put('build/broken', '');
    expect(await run(steps)).toEqual(['service']);
    put('server/a.ts', '1');
    expect(await run(steps)).toEqual(['service']);
    expect(await run(steps)).toEqual(['service']);
  });

  it('is one that threw, or one that was interrupted', async () => {
    const thrown: Step = { name: 'thrown', run: () => Promise.reject(new Error('no tool')) };
    expect(await runRemembering(thrown, new Inputs(root), passed, root)).toMatchObject({
      failed: 1,
      complaint: '    no tool',
    });
    expect(await run([thrown])).toEqual(['thrown']);
    const steps = [shell('service', 'true')];
    await run(steps);
    passed.forget('service');
    expect(await run(steps)).toEqual(['service']);
  });
});

describe('the record of what passed', () => {
  it('is ignored if it is damaged', async () => {
    const steps = [shell('service', 'true')];
    await run(steps);
    put('build/passed.json', '{"service":');
    expect(await run(steps)).toEqual(['service']);
  });

  it('refuses inputs that name nothing', () => {
    expect(() => new Inputs(root).of(['server', 'serve'])).toThrow(
      'The inputs of a step name serve, where no file is.',
    );
  });
});

describe('steps', () => {
  it('begin in their order, as soon as a lane is free and the step that they depend on has ended', async () => {
    const events: string[] = [];
    const ends = new Map<string, () => void>();
    const step = (name: string, more: Partial<Step> = {}): Step => ({
      name,
      run: async () => verdict(true, ''),
      ...more,
    });
    const all = inOrder(
      [step('a'), step('b', { lanes: 2 }), step('c'), step('d', { after: 'a' })],
      ({ name }) =>
        new Promise((resolve) => {
          events.push(name);
          ends.set(name, resolve);
        }),
    );
    const end = async (name: string): Promise<void> => {
      ends.get(name)?.();
      await new Promise(setImmediate);
    };
    expect(events).toEqual(['a', 'b']);
    await end('b');
    expect(events).toEqual(['a', 'b', 'c']);
    await end('c');
    expect(events).toEqual(['a', 'b', 'c']);
    await end('a');
    expect(events).toEqual(['a', 'b', 'c', 'd']);
    await end('d');
    await all;
  });
});
