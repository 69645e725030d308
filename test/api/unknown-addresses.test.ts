/** API tests of addresses that do not exist: a page for a browser, a problem document for a program. */
import { describe, expect, it } from 'vitest';
import { useService } from '../support/service.ts';

const service = await useService();
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

async function ask(path: string, accept: string | null, method = 'GET') {
  const response = await fetch(service.url + path, { method, headers: accept === null ? {} : { Accept: accept } });
  return {
    status: response.status,
    type: response.headers.get('content-type')?.split(';')[0],
    headers: response.headers,
    text: await response.text(),
  };
}

describe('An address that there is not', () => {
  const addresses = ['/nowhere', '/v1/nowhere', '/guides/nowhere', '/assets/x/nowhere.js', '/api/v2'];

  it.each(addresses)('answers a browser with a page that leads on, %s', async (path) => {
    const { status, type, text, headers } = await ask(path, BROWSER);
    expect([status, type]).toEqual([404, 'text/html']);
    expect(text).toContain('href="/reference"');
    expect(text).toContain(headers.get('x-request-id'));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
  });

  it.each(addresses)('answers a program with a problem document, %s', async (path) => {
    for (const accept of [
      null,
      '*/*',
      'application/json',
      'application/problem+json',
      'application/json, text/html;q=0.5',
      'text/csv',
    ]) {
      const { status, type, text } = await ask(path, accept);
      expect([status, type, (JSON.parse(text) as { code: string }).code], String(accept)).toEqual([
        404,
        'application/problem+json',
        'not_found',
      ]);
    }
  });

  it('answers every request with a body with a problem document, whatever it accepts', async () => {
    expect(await ask('/nowhere', BROWSER, 'POST')).toMatchObject({ status: 404, type: 'application/problem+json' });
  });

  it('is not repeated on the page', async () => {
    expect((await ask('/%3Cscript%3Ealert(1)', BROWSER)).text).not.toContain('alert(1)');
  });
});

describe('An address that a browser cannot read', () => {
  it('says what it takes instead', async () => {
    const { status, type, text, headers } = await ask('/v1/auth/login', BROWSER);
    expect([status, type, headers.get('allow')]).toEqual([405, 'text/html', 'POST']);
    expect(text).toContain('It takes POST.');
  });

  it('says that it is not valid if its escapes are malformed', async () => {
    expect(await ask('/problems/%ff', BROWSER)).toMatchObject({ status: 400, type: 'text/html' });
    expect(await ask('/problems/%ff', '*/*')).toMatchObject({ status: 400, type: 'application/problem+json' });
  });
});

describe('An operation', () => {
  it('answers a browser as it answers every client', async () => {
    expect(await ask('/v1/applications', BROWSER)).toMatchObject({ status: 401, type: 'application/problem+json' });
  });
});
