/** Tests of how the service treats bodies before any operation. */
import { request as rawRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { APPLICATION, startPipelineWorld } from './pipeline-world.ts';

const { service, key, code, raw } = await startPipelineWorld();
describe('a body', () => {
  const post = (body: string | Buffer, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
    service.request('POST', '/v1/applications', { as: key, body, headers });

  it.each([
    ['{"purpose":', 'is not JSON at character 11'],
    ['{"purpose":"a","purpose":"b"}', 'repeats a member name at character 15'],
    ['{"a":"\\ud800"}', 'contains a lone surrogate'],
    ['{"a":"\\u0000"}', 'contains the character NUL'],
    ['\ufeff{}', 'starts with a byte order mark'],
    [Buffer.from('7b2261223a22ff227d', 'hex'), 'is not valid UTF-8'],
    [' ', 'is not JSON'],
    ['[1,2', 'is not JSON'],
  ])('%j is malformed, and the answer says where but not what', async (body, detail) => {
    const answer = await post(body as string);
    expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
      400,
      'malformed_json',
      expect.stringContaining(detail),
    ]);
  });

  it('that is missing is malformed too', async () => {
    expect(await code('POST', '/v1/applications', { as: key })).toEqual([400, 'malformed_json']);
    expect(
      await code('POST', '/v1/applications', { as: key, headers: { 'Content-Type': 'application/json' } }),
    ).toEqual([400, 'malformed_json']);
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/jsonp',
    'json',
    'application/json; charset=latin1',
    'multipart/form-data; boundary=x',
    '*/*',
    'application/*',
  ])('of type %s is refused', async (type) => {
    const { status, body } = await post(JSON.stringify(APPLICATION), { 'Content-Type': type });
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });

  it('without a type, or compressed, is refused', async () => {
    expect(
      (await raw('/v1/applications', { method: 'POST', body: '{}', headers: { 'Content-Length': '2' } })).status,
    ).toBe(415);
    expect((await post('{}', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })).status).toBe(415);
  });

  it('may name UTF-8 in any way that HTTP allows', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
      'application/json ; x=y',
    ]) {
      expect((await post(JSON.stringify(APPLICATION), { 'Content-Type': type })).status).toBe(201);
    }
  });

  it('of more than 1 MiB is refused, announced or not', async () => {
    const large = JSON.stringify({ ...APPLICATION, channel: 'x'.repeat(1024 * 1024) });
    expect(
      await code('POST', '/v1/applications', { as: key, body: large, headers: { 'Content-Type': 'application/json' } }),
    ).toEqual([413, 'payload_too_large']);
    const chunked = await raw('/v1/applications', {
      method: 'POST',
      body: large,
      headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
    });
    expect([chunked.status, chunked.headers['connection']]).toEqual([413, 'close']);
  });

  it('is not read before the caller is known', async () => {
    const { hostname, port } = new URL(service.url);
    const { promise, resolve } = Promise.withResolvers<number>();
    const request = rawRequest(
      {
        hostname,
        port,
        path: '/v1/applications',
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Length': '900000' },
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        request.destroy();
      },
    );
    request.on('error', () => undefined).write('{');
    expect(await promise).toBe(401);
  });

  it('is refused with all its faults at once, under 422', async () => {
    const { status, body } = await post(
      JSON.stringify({ purpose: 'theft', applicant: { fullName: 'M4ria', emial: 'x' }, colour: 'red' }),
    );
    expect([status, body.code, body.errors?.map((error) => `${error.pointer} ${error.code}`).sort()]).toEqual([
      422,
      'validation_failed',
      ['/applicant/emial unknown_field', '/applicant/fullName pattern', '/colour unknown_field', '/purpose enum'],
    ]);
  });

  it('can contain names with a special meaning in JavaScript, which have none here', async () => {
    const { status, body } = await post(
      '{"purpose":"account_opening","applicant":{"fullName":"Maria da Silva"},"__proto__":{"admin":true},"constructor":1}',
    );
    expect([status, body.errors?.map((error) => error.pointer).sort()]).toEqual([422, ['/__proto__', '/constructor']]);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });
});
