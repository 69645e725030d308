/** API tests of bodies that are not JSON, or that parsers read differently, at every operation that takes JSON. */
import { describe, expect, it } from 'vitest';
import { exampleCall } from '../support/calls.ts';
import { everyOperation } from '../support/contract.ts';
import { credentialOf } from '../support/credentials.ts';
import { shared } from '../support/service.ts';
import { CANARY, startBadInputWorld } from './bad-input-world.ts';

const world = await shared(startBadInputWorld());

const post = (body: string | Buffer) =>
  world.refused('POST', '/v1/applications', { body, headers: { 'Content-Type': 'application/json' } });
const start = `{"purpose":"other","applicant":{"fullName":"${CANARY}"}`;
const withMetadata = (metadata: string): string => `${start},"metadata":${metadata}}`;

describe('a body that is not JSON', () => {
  it.each([
    ['stops too early', start, `is not JSON at character ${start.length}`],
    ['has a comma too many', `${start},}`, `is not JSON at character ${start.length + 1}`],
    ['has single quotes', `{'purpose':"${CANARY}"}`, 'is not JSON at character 1'],
    ['has a comment', `{/* ${CANARY} */}`, 'is not JSON at character 1'],
    ['has names without quotes', `{purpose:"${CANARY}"}`, 'is not JSON at character 1'],
    ['goes on behind its end', `${start}} ${CANARY}`, `goes on after the JSON value at character ${start.length + 2}`],
    ['is two values', '{}{}', 'goes on after the JSON value at character 2'],
    ['has NaN', withMetadata('{"a":NaN}'), 'is not JSON'],
    ['has a number with a leading zero', withMetadata('{"a":01}'), 'is not JSON'],
    ['has a raw line break in a string', withMetadata(`{"a":"${CANARY}\n"}`), 'is not JSON'],
    ['has an escape that does not exist', withMetadata(`{"a":"${CANARY}\\x41"}`), 'is not JSON'],
    ['is empty', '', 'is missing'],
    ['is white space', ' \n', 'is not JSON at character 2'],
    ['is a form', `purpose=${CANARY}`, 'is not JSON at character 0'],
    ['is XML', `<purpose>${CANARY}</purpose>`, 'is not JSON at character 0'],
  ])('is refused with the place of the fault: it %s', async (_, body, detail) => {
    const answer = await post(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
    expect(answer.body.detail).toContain(detail);
  });
});

describe('JSON that parsers interpret differently', () => {
  const utf8 = (before: string, bytes: number[], after: string) =>
    Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);

  it.each([
    ['repeats a name', `${start},"purpose":"${CANARY}"}`, 'repeats a member name'],
    ['repeats a name deep inside', withMetadata(`{"a":1,"b":2,"a":"${CANARY}"}`), 'repeats a member name'],
    ['repeats a name in other letters', withMetadata(`{"a":1,"\\u0061":"${CANARY}"}`), 'repeats a member name'],
    ['repeats __proto__', withMetadata(`{"__proto__":1,"__proto__":"${CANARY}"}`), 'repeats a member name'],
    ['has NUL in a value', withMetadata(`{"a":"${CANARY}\\u0000"}`), 'contains the character NUL'],
    ['has NUL in a name', withMetadata(`{"${CANARY}\\u0000":1}`), 'contains the character NUL'],
    ['has a raw NUL', withMetadata(`{"a":"${CANARY}\0"}`), 'is not JSON'],
    ['has a high surrogate alone', withMetadata(`{"a":"${CANARY}\\ud83d"}`), 'contains a lone surrogate'],
    ['has a low surrogate alone', withMetadata(`{"a":"${CANARY}\\ude00"}`), 'contains a lone surrogate'],
    [
      'has surrogates the wrong way round',
      withMetadata(`{"a":"${CANARY}\\ude00\\ud83d"}`),
      'contains a lone surrogate',
    ],
    ['has a lone surrogate in a name', withMetadata(`{"${CANARY}\\ud83d":1}`), 'contains a lone surrogate'],
    ['begins with a byte order mark', `\ufeff${start}}`, 'starts with a byte order mark'],
    ['has a byte that is never UTF-8', utf8(`{"a":"${CANARY}`, [0xff], '"}'), 'is not valid UTF-8'],
    ['has an overlong NUL', utf8(`{"a":"${CANARY}`, [0xc0, 0x80], '"}'), 'is not valid UTF-8'],
    ['has a surrogate as bytes', utf8(`{"a":"${CANARY}`, [0xed, 0xa0, 0x80], '"}'), 'is not valid UTF-8'],
    ['has half a character', utf8(`{"a":"${CANARY}`, [0xe2, 0x82], '"}'), 'is not valid UTF-8'],
    ['is Latin-1', Buffer.from(`{"a":"${CANARY} ção"}`, 'latin1'), 'is not valid UTF-8'],
    ['is UTF-16', Buffer.from(`${start}}`, 'utf16le'), 'is not JSON'],
  ])('is refused: it %s', async (_, body, detail) => {
    const answer = await post(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
    expect(answer.body.detail).toContain(detail);
  });

  it.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('is refused when %s are nested without end', async (_, open, close) => {
    for (const depth of [65, 1000, 20_000]) {
      const answer = await post(`{"metadata":${open.repeat(depth)}1${close.repeat(depth)}}`);
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
        400,
        'malformed_json',
        'The body is nested deeper than 64 levels.',
      ]);
    }
  });

  it('is refused when arrays are nested without end and never closed', async () => {
    const answer = await post('['.repeat(150_000));
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json']);
  });
});

describe('every operation that takes JSON', () => {
  const taking = everyOperation.filter(({ requestTypes }) => requestTypes.includes('application/json'));

  async function send(operation: (typeof taking)[number], body: string) {
    const { method, path } = exampleCall(operation);
    const as = await credentialOf(world.service.acme, operation);
    return world.refused(method, path, { as, body, headers: { 'Content-Type': 'application/json' } });
  }

  it.each(taking)('refuses what is not JSON: $operationId', async (operation) => {
    expect((await send(operation, `{"${CANARY}"`)).body).toMatchObject({
      status: 400,
      code: 'malformed_json',
      detail: expect.stringContaining('at character'),
    });
  });

  it.each(
    taking.flatMap((operation) =>
      ['[]', `"${CANARY}"`, '7', 'true', 'null'].map((body) => ({ operation, name: operation.operationId, body })),
    ),
  )('accepts an object only, and not $body: $name', async ({ operation, body }) => {
    expect((await send(operation, body)).body).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ pointer: '', code: 'type' }],
    });
  });

  it.each(taking)('names an unknown member: $operationId', async (operation) => {
    const { errors, ...problem } = (await send(operation, `{"colour":"${CANARY}"}`)).body;
    expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(errors).toContainEqual({ pointer: '/colour', code: 'unknown_field', message: expect.any(String) });
  });
});
