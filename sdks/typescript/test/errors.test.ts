import { describe, expect, it } from 'vitest';
import * as sdk from '../src/index.ts';
import { fails, problem, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const failure = async (maxRetries = 0): Promise<unknown> => server.client({ maxRetries }).applications.get('a').then(() => undefined, (error: unknown) => error);

describe('errors', () => {
  it('have a class for each status', async () => {
    const classes = {
      400: sdk.BadRequestError, 401: sdk.AuthenticationError, 403: sdk.PermissionDeniedError, 404: sdk.NotFoundError, 406: sdk.NotAcceptableError,
      409: sdk.ConflictError, 410: sdk.GoneError, 412: sdk.PreconditionFailedError, 413: sdk.PayloadTooLargeError, 415: sdk.UnsupportedMediaTypeError,
      418: sdk.ApiError, 422: sdk.UnprocessableContentError, 423: sdk.LockedError, 429: sdk.RateLimitError, 500: sdk.InternalServerError, 503: sdk.InternalServerError,
    };
    for (const [status, expected] of Object.entries(classes)) {
      server.replies(fails(Number(status), 'some_code'));
      const error = await failure();
      expect(error).toBeInstanceOf(expected);
      expect(error).toBeInstanceOf(sdk.ApiError);
      expect(error).toMatchObject({ name: expected.name, status: Number(status), code: 'some_code', requestId: 'r-1' });
    }
  });

  it('carry the whole problem, with every field error and the members of the code', async () => {
    const members = { detail: 'Two members are wrong.', errors: [{ pointer: '/a', code: 'required', message: 'is missing' }], requiredScopes: ['write'] };
    server.replies((response) => problem(response, 422, 'validation_failed', {}, members));
    expect(await failure()).toMatchObject({ message: '422 validation_failed – Two members are wrong. (request r-1)', problem: members });
  });

  it('survive a body that is no problem document', async () => {
    server.replies((response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'));
    expect(await failure()).toMatchObject({ name: 'InternalServerError', status: 502, code: '', problem: null, body: '<h1>Bad gateway</h1>', requestId: null });
    server.replies((response) => response.writeHead(503).end());
    expect(await failure()).toMatchObject({ status: 503, code: '', problem: null });
  });

  it('call an answer that is not what it claims to be a connection error', async () => {
    server.replies((response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":'));
    expect(await failure()).toBeInstanceOf(sdk.ConnectionError);
  });

  it('never follow a redirect, which could carry a credential elsewhere', async () => {
    server.replies((response) => response.writeHead(302, { location: `${server.url}/elsewhere` }).end());
    expect(await failure()).toBeInstanceOf(sdk.ConnectionError);
    expect(server.seen.map((seen) => seen.path)).toEqual(['/v1/applications/a']);
  });

  it('can be told apart by code in a switch', async () => {
    server.replies(fails(409, 'invalid_state_transition'));
    const error = await failure();
    expect(error instanceof sdk.ConflictError && error.code === 'invalid_state_transition').toBe(true);
  });
});
