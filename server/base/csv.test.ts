/** Tests of writing CSV. */
import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';

describe('a line of CSV', () => {
  it('has the values in order, empty cells for missing values, and JSON for values that are not text', () => {
    expect(csvLine(['a', null, undefined, 12, false, { b: 1 }])).toBe('a,,,12,false,"{""b"":1}"\r\n');
  });

  it('quotes characters that would end a cell or a line', () => {
    expect(csvLine(['a,b', 'a"b', 'a\r\nb'])).toBe('"a,b","a""b","a\r\nb"\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('makes no formula of %j', (text) => {
    expect(csvLine([text])).toBe(text.includes('\r') ? `"'${text}"\r\n` : `'${text}\r\n`);
  });
});
