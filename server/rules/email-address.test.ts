/** Tests of the rules for e-mail addresses. */
import { describe, expect, it } from 'vitest';
import { normalEmail } from './email-address.ts';

describe('an e-mail address', () => {
  it('is compared without case', () => {
    expect(normalEmail('Ana.Souza@Example.COM')).toBe('ana.souza@example.com');
  });

  it('is equal for both spellings of an international domain', () => {
    expect(normalEmail('ana@bücher.example')).toBe('ana@xn--bcher-kva.example');
    expect(normalEmail('ana@XN--BCHER-KVA.example')).toBe('ana@xn--bcher-kva.example');
  });

  it('keeps a domain that has no ASCII form', () => {
    expect(normalEmail('ana@exa mple')).toBe('ana@exa mple');
  });
});
