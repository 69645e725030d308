/** Tests that wrong handlers (mistakes.ts) do not compile, each for its own reason. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const source = readFileSync(join(import.meta.dirname, 'mistakes.ts'), 'utf8');

interface Mistake {
  readonly title: string;
  readonly line: number;
  readonly reason: string;
}

const mistakes: readonly Mistake[] = source.split('\n').flatMap((text, index) => {
  const match = /@ts-expect-error (\d+ .*) \[(.+)\]$/.exec(text);
  return match === null ? [] : [{ title: match[1] as string, line: index + 2, reason: match[2] as string }];
});

/** Returns the compiler's messages by line, after removing the expectations. */
async function complaints(compiler: string): Promise<Map<number, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'mistakes-'));
  try {
    const file = join(folder, 'mistakes.mts');
    writeFileSync(file, source.replaceAll('@ts-expect-error', 'mistake').replaceAll("'../../", `'${root}/`));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        files: [file],
        include: [],
        compilerOptions: { typeRoots: [join(root, 'node_modules/@types')], types: ['node'] },
      }),
    );
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(root, compiler),
      '-p',
      folder,
      '--pretty',
      'false',
      '--noErrorTruncation',
    ]).catch((failure: { stdout: string }) => failure);
    const found = new Map<number, string>();
    let line = 0;
    for (const text of stdout.split('\n')) {
      const start = /mistakes\.mts\((\d+),\d+\): error/.exec(text);
      line = start === null ? line : Number(start[1]);
      found.set(line, `${found.get(line) ?? ''}${text}\n`);
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.each([
  ['TypeScript 7', 'node_modules/typescript-native/bin/tsc'],
  ['TypeScript 5.9', 'node_modules/typescript/bin/tsc'],
])('%s refuses a handler with', async (_, compiler) => {
  const found = await complaints(compiler);

  it.each(mistakes)('$title', ({ line, reason }) => {
    expect(found.get(line) ?? '(compiles)').toContain(reason);
  });

  it('nothing else wrong', () => {
    const unexpected = [...found].filter(
      ([line, text]) => text.includes('error') && !mistakes.some((mistake) => mistake.line === line),
    );
    expect(unexpected).toEqual([]);
  });

  it('at least 25 different mistakes', () => {
    expect(mistakes.length).toBeGreaterThanOrEqual(25);
  });
});
