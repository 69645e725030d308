/** Tests of limiting bodies while they are read. */
import { describe, expect, it } from 'vitest';
import { bodyLimitsOf } from './body-limits.ts';
import { checkJsonLimits } from './json-limits.ts';

const { shape } = bodyLimitsOf('createApplication') as NonNullable<ReturnType<typeof bodyLimitsOf>>;

function refused(text: string): readonly string[] | string {
  const measured = checkJsonLimits(text, shape);
  return measured.verdict === 'holds too much'
    ? measured.errors.map(({ pointer, code }) => `${pointer} ${code}`)
    : measured.verdict;
}

const many = (count: number, item: string | ((i: number) => string)): string =>
  Array.from({ length: count }, (_, i) => (typeof item === 'string' ? item : item(i))).join(',');

describe('the limits of a body', () => {
  it.each([
    ['an array', `{"productCodes":[${many(1000, '""')}]}`, ['/productCodes too_many_items']],
    [
      'an array of objects',
      `{"applicant":{"taxResidencies":[${many(1000, '{}')}]}}`,
      ['/applicant/taxResidencies too_many_items'],
    ],
    [
      'an array of full objects',
      `{"applicant":{"taxResidencies":[${many(1000, '{"country":"BR","tin":"1"}')}]}}`,
      ['/applicant/taxResidencies too_many_items'],
    ],
    ['a map', `{"metadata":{${many(1000, (i) => `"m${i}":0`)}}}`, ['/metadata too_many_members']],
    ['an unknown array', `{"colour":[${many(1000, '{}')}]}`, ['/colour unknown_field']],
    [
      'an unknown object',
      `{"applicant":{"colours":{${many(1000, (i) => `"m${i}":{}`)}}}}`,
      ['/applicant/colours unknown_field'],
    ],
    ['an array where there is none', `{"purpose":[${many(1000, '[]')}]}`, ['/purpose type']],
    ['an object where an array is', `{"productCodes":{${many(1000, (i) => `"m${i}":0`)}}}`, ['/productCodes type']],
    ['an array in place of the body', `[${many(1000, '0')}]`, [' type']],
    [
      'an array in an item',
      `{"applicant":{"taxResidencies":[{},[${many(1000, '0')}]]}}`,
      ['/applicant/taxResidencies/1 type'],
    ],
    [
      'two arrays',
      `{"productCodes":[${many(60, '""')}],"applicant":{"taxResidencies":[${many(60, '{}')}]}}`,
      ['/productCodes too_many_items', '/applicant/taxResidencies too_many_items'],
    ],
    ['a name that is escaped', `{"\\u0070roductCodes":[${many(1000, '""')}]}`, ['/productCodes too_many_items']],
    ['a name of no use', `{"a/b~c\\u0000\\ud800":[${many(1000, '""')}]}`, ['/a~1b~0c� unknown_field']],
  ])('stop the reading of %s that is far too large, and name it', (_, text, errors) => {
    expect(refused(text)).toEqual(errors);
  });

  it('stop the reading of a text that is too long to be matched against a pattern, however it is escaped', () => {
    expect(refused(`{"externalId":"${'x'.repeat(128 * 12 + 1)}"}`)).toEqual(['/externalId too_long']);
    expect(refused(`{"externalId":"${'\\ud83d\\ude00'.repeat(128)}"}`)).toBe('fits');
    expect(refused(`{"metadata":{"a":"${'x'.repeat(6001)}"}}`)).toEqual(['/metadata/a too_long']);
  });

  it('report a hundred unknown members, and stop reading', () => {
    const errors = refused(`{${many(5000, (i) => `"m${i}":0`)},"productCodes":[${many(1000, '""')}]}`);
    expect(errors).toEqual(Array.from({ length: 100 }, (_, i) => `/m${i} unknown_field`));
  });

  it('leave a few excess values to the validator, which reports them with the other errors', () => {
    expect(refused(`{"productCodes":[${many(110, '""')}]}`)).toBe('fits');
    expect(refused(`{${many(100, (i) => `"m${i}":0`)}}`)).toBe('fits');
    expect(refused(`{${many(101, (i) => `"m${i}":0`)}}`)).toHaveLength(100);
  });

  it.each([
    `{${many(1000, '"purpose":"other"')}}`,
    '{"purpose":1,"\\u0070urpose":2}',
    '{"metadata":{"a":1,"b":2,"a":3}}',
    '{"applicant":{"taxResidencies":[{},{"tin":1,"tin":2}]}}',
  ])('end where a name stands twice: %.60s', (text) => {
    expect(refused(text)).toBe('repeats a name');
  });

  it('leave text that is not JSON to the parser', () => {
    for (const text of [
      '',
      '{',
      '"',
      '"\\',
      '{"purpose":"',
      ']]]]',
      '}{',
      ',,,,',
      '::::',
      '{"purpose"',
      'x'.repeat(1000),
      `"${'\\'.repeat(1001)}"`,
    ])
      expect(refused(text)).toBe('fits');
  });

  it('treat names as different that differ only in characters that are refused later', () => {
    expect(refused('{"purpose":1,"purpose\\u0000":2}')).toBe('fits');
  });

  it('distinguish names from other text', () => {
    const text = JSON.stringify(
      {
        purpose: 'a:b,"purpose":{}',
        applicant: { fullName: '\\', taxId: { type: 'fullName' } },
        productCodes: ['[', '{', '"level"', 'level'],
      },
      null,
      '\t',
    );
    expect(refused(text)).toBe('fits');
  });
});

describe('the most bytes of an object', () => {
  const recursive = bodyLimitsOf('create', {
    bodyLimits: { create: { bytes: 4096, shape: 'Body' } },
    shapes: {
      Body: { members: { rule: 'Expression', note: { text: 100 } } },
      Expression: {
        members: { and: { items: 9, each: 'Expression' }, is: { text: 100 } },
        entries: 2,
        each: 'Map',
        bytes: 40,
      },
      Map: { entries: 9, each: 'Map', bytes: 20 },
    },
  });
  const errorsOf = (text: string) => {
    const measured = checkJsonLimits(text, (recursive as NonNullable<typeof recursive>).shape);
    return measured.verdict === 'holds too much' ? measured.errors : measured.verdict;
  };
  const tooLong = (pointer: string, most: number) => ({
    pointer,
    code: 'too_long',
    message: `must have at most ${most} bytes of JSON`,
  });
  const rule = (text: string) => `{"note": "a", "rule": ${text} }`;

  it.each([
    ['letters of one byte', `{"is":"${'x'.repeat(31)}"}`],
    ['letters of two bytes', `{"is":"${'é'.repeat(15)}x"}`],
    ['letters of four bytes', `{"is":"${'😀'.repeat(7)}xyz"}`],
    ['escapes', `{"is":"${'\\u00e9'.repeat(5)}x"}`],
    ['white space', `{${' '.repeat(31)}"is":""}`],
    ['objects of the same schema', `{"and":[{"and":[{"is":"xxxxxxxxxxx"}]}]}`],
  ])('are counted as they were sent: %s', (_, text) => {
    expect(Buffer.byteLength(text)).toBe(40);
    expect(errorsOf(rule(text))).toBe('fits');
    expect(errorsOf(rule(text.replace('{', '{ ')))).toEqual([tooLong('/rule', 40)]);
  });

  it('are counted again in an object with a lower limit, at any depth', () => {
    expect(errorsOf(rule('{"a":{"b":{"c":{}}}}'))).toBe('fits');
    expect(errorsOf(rule('{"a":{"b":{"c":{"dd":{}}}}}'))).toEqual([tooLong('/rule/a', 20)]);
    expect(errorsOf(rule('{"is":"xxxxxxxxxxxxxx","a":{"b":{"c":{"dd":{}}}}}'))).toEqual([
      tooLong('/rule/a', 20),
      tooLong('/rule', 40),
    ]);
  });

  it('do not let a schema hold what it does not have, however deep', () => {
    expect(errorsOf(rule(`{"and":[{"and":[${many(200, '0')}]}]}`))).toContainEqual(
      expect.objectContaining({ pointer: '/rule/and/0/and', code: 'too_many_items' }),
    );
  });

  it('leave objects without an end to the parser', () => {
    expect(errorsOf('{"rule":{"is":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')).toBe('fits');
  });
});
