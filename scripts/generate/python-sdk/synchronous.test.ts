import { describe, expect, it } from 'vitest';
import { synchronous } from './index.ts';

describe('the synchronous form of an asynchronous module', () => {
  it('has no async and no await', () => {
    expect(synchronous('async def a(self) -> int:\n    return await b()\n')).toBe('def a(self) -> int:\n    return b()\n');
    expect(synchronous('async with x as y:\n    async for z in y:\n        pass\n')).toBe('with x as y:\n    for z in y:\n        pass\n');
  });

  it('loses the prefix of names and keeps what only looks like it', () => {
    expect(synchronous('class AsyncPage(AsyncIterator[T]): asyncio, Asynchronous')).toBe('class Page(Iterator[T]): asyncio, Asynchronous');
  });

  it('keeps strings, docstrings and comments', () => {
    const text = '"""Say "await" to AsyncPage."""\nx = f"async {y}"  # await AsyncPage\n';
    expect(synchronous(text)).toBe(text);
  });

  it('drops the await of an example', () => {
    expect(synchronous('"""\n    x = await client.a()\n    async for y in client.b():\n        await download.read()\n"""')).toBe('"""\n    x = client.a()\n    for y in client.b():\n        download.read()\n"""');
  });

  it('imports the derived twins, and other modules from where they are', () => {
    expect(synchronous('from compliance_onboarding._resource import AsyncResource\n')).toBe('from compliance_onboarding._generated.sync._resource import Resource\n');
    expect(synchronous('from compliance_onboarding._response import async_with_response\n')).toBe('from compliance_onboarding._response import with_response\n');
    expect(synchronous('from compliance_onboarding._generated.resources.auth import AsyncAuth\n')).toBe('from compliance_onboarding._generated.sync.resources.auth import Auth\n');
  });

  it('exchanges the methods of asynchronous protocols', () => {
    expect(synchronous('await http.aclose()\nasync def __aenter__(self): ...\n')).toBe('http.close()\ndef __enter__(self): ...\n');
  });
});
