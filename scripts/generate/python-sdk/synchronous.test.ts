/** Tests of deriving the synchronous Python from the asynchronous one. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, describe, it } from 'vitest';
import { deriveSynchronous } from './index.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'synchronous-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function synchronous(source: string): Promise<string> {
  const [from, to] = [join(folder, 'async.py'), join(folder, 'sync.py')];
  writeFileSync(from, source);
  await deriveSynchronous(ROOT, [[from, to, '']]);
  return readFileSync(to, 'utf8');
}

describe('the synchronous form of an asynchronous module', () => {
  it('has no async and no await', async () => {
    expect(await synchronous('async def a(self) -> int:\n    return await b()\n')).toBe(
      'def a(self) -> int:\n    return b()\n',
    );
    expect(
      await synchronous(
        'async with x as y:\n    async for z in y:\n        pass\nall([a async for a in (await b()).c])\n',
      ),
    ).toBe('with x as y:\n    for z in y:\n        pass\nall([a for a in b().c])\n');
  });

  it('loses the prefix of names and keeps what only looks like it', async () => {
    expect(await synchronous('class AsyncPage(AsyncIterator[T]): asyncio, Asynchronous\n')).toBe(
      'class Page(Iterator[T]): asyncio, Asynchronous\n',
    );
  });

  it('keeps strings, docstrings and comments', async () => {
    const text = '"""Say "await" to AsyncPage."""\nx = f"async {y}"  # await AsyncPage\n';
    expect(await synchronous(text)).toBe(text);
  });

  it('shows the example of a docstring without await', async () => {
    const of = (await_: string, async_: string): string =>
      'class A:\n' +
      '    def a(self) -> int:\n' +
      '        """Do a.\n\n' +
      '        It may await.\n\n' +
      '        Example:\n' +
      `            x = ${await_}client.a(\n` +
      '                "await",\n' +
      '            )\n' +
      `            ${async_}for y in client.b():\n` +
      `                ${await_}download.read()\n` +
      '        """\n';
    expect(await synchronous(of('await ', 'async '))).toBe(of('', ''));
  });

  it('imports what is derived as well, and other modules from where they are', async () => {
    const pairs = [
      [
        'compliance_onboarding._resource import AsyncResource',
        'compliance_onboarding._generated.sync._resource import Resource',
      ],
      [
        'compliance_onboarding._response import async_with_response',
        'compliance_onboarding._response import with_response',
      ],
      [
        'compliance_onboarding._generated.resources.auth import AsyncAuth',
        'compliance_onboarding._generated.sync.resources.auth import Auth',
      ],
      ['compliance_onboarding._generated import models', 'compliance_onboarding._generated import models'],
      ['collections.abc import AsyncIterator', 'collections.abc import Iterator'],
    ];
    const lines = (index: 0 | 1): string => pairs.map((pair) => `from ${pair[index]}\n`).join('');
    expect(await synchronous(lines(0))).toBe(lines(1));
  });

  it('exchanges the methods of asynchronous protocols', async () => {
    expect(await synchronous('await http.aclose()\nasync def __aenter__(self): ...\n')).toBe(
      'http.close()\ndef __enter__(self): ...\n',
    );
  });
});
