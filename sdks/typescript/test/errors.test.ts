/** Tests of the errors that calls throw, also for answers that are no problem documents. */
import { describe, expect, it } from 'vitest';
import * as sdk from '../src/index.ts';
import { fails, problem, TestServer } from './support/server.ts';

const server = await new TestServer().start();
const failure = async (maxRetries = 0): Promise<unknown> =>
  server
    .client({ maxRetries })
    .applications.get('a')
    .then(
      () => undefined,
      (error: unknown) => error,
    );

describe('errors', () => {
  it('have a class for each status', async () => {
    const classes = {
      400: sdk.BadRequestError,
      401: sdk.AuthenticationError,
      403: sdk.PermissionDeniedError,
      404: sdk.NotFoundError,
      405: sdk.MethodNotAllowedError,
      406: sdk.NotAcceptableError,
      409: sdk.ConflictError,
      410: sdk.GoneError,
      412: sdk.PreconditionFailedError,
      413: sdk.PayloadTooLargeError,
      415: sdk.UnsupportedMediaTypeError,
      418: sdk.ApiError,
      422: sdk.UnprocessableContentError,
      423: sdk.LockedError,
      428: sdk.PreconditionRequiredError,
      429: sdk.RateLimitError,
      500: sdk.ServerError,
      503: sdk.ServerError,
    };
    for (const [status, expected] of Object.entries(classes)) {
      server.replies(fails(Number(status), 'some_code'));
      const error = await failure();
      expect(error).toBeInstanceOf(expected);
      expect(error).toBeInstanceOf(sdk.ApiError);
      expect(error).toMatchObject({
        name: expected.name,
        status: Number(status),
        code: 'some_code',
        requestId: 'r-1',
      });
    }
  });

  it('carry the whole problem, with every field error and the members of the code', async () => {
    const members = {
      detail: 'Two members are wrong.',
      errors: [{ pointer: '/a', code: 'required', message: 'is missing' }],
      requiredScopes: ['write'],
    };
    server.replies((response) => problem(response, 422, 'validation_failed', { members }));
    expect(await failure()).toMatchObject({
      message: '422 validation_failed – Two members are wrong. [/a (required)] (request r-1)',
      problem: members,
    });
  });

  it('name in the message what is wrong with which members, five of them at most', async () => {
    const wrong = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        pointer: `/list/${index}`,
        code: 'type',
        message: 'must be text',
      }));
    server.replies((response) => problem(response, 422, 'validation_failed', { members: { errors: wrong(6) } }));
    const told = String(((await failure()) as Error).message);
    expect(told).toContain('/list/4 (type) …] (request r-1)');
    expect(told).not.toContain('/list/5');
    server.replies((response) =>
      problem(response, 422, 'validation_failed', {
        members: { errors: [{ parameter: 'limit', code: 'maximum', message: 'is too large' }, null, 'text'] },
      }),
    );
    expect(await failure()).toMatchObject({ message: expect.stringContaining('[limit (maximum); request ') });
  });

  it('survive a problem whose members have wrong types', async () => {
    server.replies((response) =>
      problem(response, 422, 'validation_failed', { members: { errors: 'none', detail: 7 } }),
    );
    expect(await failure()).toBeInstanceOf(sdk.UnprocessableContentError);
  });

  it('survive a body that is no problem document', async () => {
    server.replies((response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'));
    expect(await failure()).toMatchObject({
      name: 'ServerError',
      status: 502,
      code: '',
      problem: null,
      body: '<h1>Bad gateway</h1>',
      requestId: null,
    });
    server.replies((response) => response.writeHead(503).end());
    expect(await failure()).toMatchObject({ status: 503, code: '', problem: null });
  });

  it('never follow a redirect, which could carry a credential elsewhere, and do not repeat it', async () => {
    server.replies((response) => response.writeHead(302, { location: `${server.url}/elsewhere` }).end());
    expect(await failure(2)).toBeInstanceOf(sdk.RedirectError);
    expect(server.seen.map((seen) => seen.path)).toEqual(['/v1/applications/a']);
  });

  it('have a class for each problem code of the contract, which is one of its status as well', async () => {
    server.replies(fails(409, 'invalid_state_transition', {}, { currentStatus: 'withdrawn' }));
    const error = await failure();
    expect(error).toBeInstanceOf(sdk.InvalidStateTransitionError);
    expect(error).toBeInstanceOf(sdk.ConflictError);
    expect(error).not.toBeInstanceOf(sdk.DuplicateExternalIdError);
    if (!(error instanceof sdk.InvalidStateTransitionError)) throw new Error('unreachable');
    const code: 'invalid_state_transition' = error.code;
    expect([code, sdk.InvalidStateTransitionError.code, error.problem?.currentStatus]).toEqual([
      code,
      code,
      'withdrawn',
    ]);
  });

  it('preserve a code that this version does not know, with the class of its status', async () => {
    server.replies(fails(409, 'invented_next_year', {}, { retryable: false, invented: { deep: [1] } }));
    const error = await failure();
    expect(error).toBeInstanceOf(sdk.ConflictError);
    expect(error).toMatchObject({ code: 'invented_next_year', retryable: false, problem: { invented: { deep: [1] } } });
  });

  it('know which failures may be temporary', async () => {
    for (const [status, passes] of [
      [400, false],
      [404, false],
      [408, true],
      [409, false],
      [425, true],
      [429, true],
      [500, true],
      [501, false],
      [503, true],
    ] as const) {
      server.replies(fails(status, 'some_code'));
      expect(await failure()).toMatchObject({ status, retryable: passes });
    }
  });

  it('leave a body that cannot be sent to the language, and send nothing', async () => {
    server.replies(fails(500, 'internal_error'));
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    await expect(
      server.client().applications.withdraw('a', endless as unknown as sdk.WithdrawRequest),
    ).rejects.toBeInstanceOf(TypeError);
    expect(server.seen).toHaveLength(0);
  });
});
