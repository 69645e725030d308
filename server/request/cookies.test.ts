/** Tests of deciding whether a request comes from a page of the service itself. */
import { describe, expect, it } from 'vitest';
import { assertOwnPage } from './cookies.ts';

const isOwn = (origin: string, host: string | undefined, publicUrl: string | null): boolean => {
  try {
    assertOwnPage({ origin, ...(host !== undefined && { host }) }, publicUrl);
    return true;
  } catch {
    return false;
  }
};

describe('a page belongs to the service', () => {
  it.each([
    ['http://localhost:3000', 'localhost:3000', null],
    ['http://example.com', 'example.com:80', null],
    ['http://example.com', 'EXAMPLE.com', null],
    ['http://[::1]:3000', '[::1]:3000', null],
    ['https://compliance.example', 'compliance.example', 'https://compliance.example/'],
    ['https://compliance.example', '10.0.0.5:3000', 'https://compliance.example'],
    ['http://10.0.0.5:3000', '10.0.0.5:3000', 'https://compliance.example'],
    ['http://compliance.example', 'compliance.example', 'http://compliance.example'],
  ])('if it comes from %s, is requested at %s, and the public address is %s', (origin, host, publicUrl) => {
    expect(isOwn(origin, host, publicUrl)).toBe(true);
  });

  it.each([
    ['https://localhost:3000', 'localhost:3000', null],
    ['http://localhost:3001', 'localhost:3000', null],
    ['http://compliance.example', 'compliance.example', 'https://compliance.example'],
    ['http://compliance.example:443', 'compliance.example:443', 'https://compliance.example'],
    ['https://compliance.example:8443', 'compliance.example', 'https://compliance.example'],
    ['null', 'localhost:3000', null],
    ['http://undefined', undefined, null],
    ['', 'localhost:3000', null],
  ])('not if it comes from %s, is requested at %s, and the public address is %s', (origin, host, publicUrl) => {
    expect(isOwn(origin, host, publicUrl)).toBe(false);
  });
});
