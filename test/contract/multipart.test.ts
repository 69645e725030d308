/** Tests of multipart bodies. */
import { beforeAll, describe, expect, it } from 'vitest';
import { success } from '../support/api.ts';
import { png } from '../support/specimens.ts';
import { useService, type Credential } from '../support/service.ts';

let key: Credential;
let path: string;
const service = await useService();
beforeAll(async () => {
  key = await service.acme.key(['read', 'write']);
  const { body } = await success(
    service.api.POST('/v1/applications', {
      headers: key,
      body: { purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } },
    }),
  );
  path = `/v1/applications/${body.id}/documents`;
});

const BOUNDARY = 'XXXX';
const field = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content: string, fileName = 'a.png'): string =>
  `--${BOUNDARY}\r\n` +
  `Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n` +
  'Content-Type: image/png\r\n' +
  '\r\n' +
  `${content}\r\n`;
const end = `--${BOUNDARY}--\r\n`;
const good = field('type', 'passport') + field('side', 'single');

async function send(body: string | Buffer, type = `multipart/form-data; boundary=${BOUNDARY}`) {
  const answer = await service.request('POST', path, {
    as: key,
    body: Buffer.from(body as string),
    headers: { 'Content-Type': type },
  });
  return [answer.status, answer.body.code];
}

describe('a multipart body', () => {
  it('with one file and the documented fields is accepted', async () => {
    const form = new FormData();
    form.set('type', 'passport');
    form.set('side', 'single');
    form.set(
      'file',
      new Blob([new Uint8Array(png({ width: 700, height: 500 }))], { type: 'image/png' }),
      'passport.png',
    );
    expect((await service.request('POST', path, { as: key, body: form })).status).toBe(201);
  });

  it.each([
    ['has a text where the file should be', good + field('file', 'just text') + end, 400, 'file_part_missing'],
    ['has no file', good + end, 400, 'file_part_missing'],
    ['has no parts', end, 400, 'file_part_missing'],
    ['has a file in another part', good + file('picture', 'x') + end, 400, 'too_many_parts'],
    ['has two files', good + file('file', 'x') + file('file', 'y') + end, 400, 'too_many_parts'],
    ['has a field twice', good + field('type', 'passport') + file('file', 'x') + end, 400, 'too_many_parts'],
    [
      'has too many fields',
      Array.from({ length: 20 }, (_, n) => field(`f${n}`, '1')).join('') + file('file', 'x') + end,
      400,
      'too_many_parts',
    ],
    ['has an endless field', field('type', 'x'.repeat(5000)) + file('file', 'x') + end, 400, 'multipart_malformed'],
    ['has NUL in a field', field('type', 'a\0b') + file('file', 'x') + end, 400, 'multipart_malformed'],
    ['ends in the middle', good + file('file', 'x').slice(0, -10), 400, 'multipart_malformed'],
    ['does not begin', 'no boundary here', 400, 'multipart_malformed'],
    ['is empty', '', 400, 'multipart_malformed'],
    ['has an unknown field', good + field('colour', 'red') + file('file', 'x') + end, 422, 'validation_failed'],
    ['lacks a required field', field('side', 'single') + file('file', 'x') + end, 422, 'validation_failed'],
    [
      'has a value that is not in the enumeration',
      field('type', 'diary') + file('file', 'x') + end,
      422,
      'validation_failed',
    ],
  ])('that %s is refused', async (_, body, status, code) => {
    expect(await send(body)).toEqual([status, code]);
  });

  it('needs a boundary', async () => {
    expect(await send(good + end, 'multipart/form-data')).toEqual([400, 'multipart_malformed']);
  });

  it('is not JSON, nor a form', async () => {
    expect(await send('{}', 'application/json')).toEqual([415, 'unsupported_media_type']);
    expect(await send('type=passport', 'application/x-www-form-urlencoded')).toEqual([415, 'unsupported_media_type']);
  });

  it('with a file of more than 15 MiB is refused', async () => {
    expect(await send(good + file('file', 'x'.repeat(15 * 1024 * 1024 + 1)) + end)).toEqual([413, 'file_too_large']);
  });

  it('that is larger than any file may be is refused unread', async () => {
    expect(await send(Buffer.alloc(16 * 1024 * 1024))).toEqual([413, 'file_too_large']);
  });
});
