/** Tests of the Content-Type and Accept fields. */
import { describe, expect, it } from 'vitest';
import { accepts, isUtf8Declared, mediaTypeOf } from './media-type.ts';

describe('a Content-Type field', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    [' text/plain ;x=y', 'text/plain'],
    ['application/merge-patch+json;x', 'application/merge-patch+json'],
  ])('%j names %s', (field, type) => {
    expect(mediaTypeOf(field)).toBe(type);
  });

  it.each([
    '',
    'json',
    'application/',
    '/json',
    'application/json/x',
    'a b/c',
    ';application/json',
    `${'a'.repeat(200)}/json`,
  ])('%j names nothing', (field) => {
    expect(mediaTypeOf(field)).toBeNull();
  });

  it('may name the charset UTF-8 or none', () => {
    for (const field of [
      'application/json',
      'application/json; charset=UTF-8',
      'application/json; charset="utf-8"',
      'a/b; Charset = utf8',
    ])
      expect(isUtf8Declared(field)).toBe(true);
    for (const field of ['application/json; charset=latin1', 'application/json;charset=utf-16'])
      expect(isUtf8Declared(field)).toBe(false);
  });
});

describe('an Accept field', () => {
  const json = ['application/json'];
  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/*',
    'text/html, */*;q=0.1',
    'APPLICATION/JSON;q=0.5',
    'text/html,application/json',
  ])('%j takes JSON', (accept) => {
    expect(accepts(accept, json)).toBe(true);
  });

  it.each([
    'text/html',
    'application/xml',
    'application/json;q=0',
    'application/json;q=0, */*',
    'text/*',
    'application/problem+json',
    'nonsense',
    '*/*;q=0',
  ])('%j takes no JSON', (accept) => {
    expect(accepts(accept, json)).toBe(false);
  });

  it('accepts a response without a body whatever it contains', () => {
    expect(accepts('text/html', [])).toBe(true);
  });
});
