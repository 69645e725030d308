/** Test of how each SDK gets and shares tokens. */
import { describe, expect, it } from 'vitest';
import { figure } from './support/figures.ts';
import { json, startRecorder, type Recorder } from './support/recorder.ts';
import type { Sdk, SdkClient } from './support/sdk.ts';
import { everySdk, operation } from './support/sdks.ts';

const CALLS = 1_000;
const sdks = everySdk();

interface TokenService {
  readonly recorder: Recorder;
  issued(): number;
  /** Invalidates every token that was issued until now. */
  revoke(): void;
}

/** Starts a service whose tokens are valid for `seconds` seconds. */
async function tokenService(seconds: number): Promise<TokenService> {
  const recorder = await startRecorder();
  let [issued, oldest] = [0, 1];
  recorder.answers((response, { target, headers }) => {
    if (target === '/oauth/token') {
      json(200, { access_token: `t${++issued}`, token_type: 'Bearer', expires_in: seconds })(
        response,
        recorder.arrived[0]!,
      );
      return;
    }
    const good = Number(headers['authorization']?.replace('Bearer t', '')) >= oldest;
    (good
      ? json(200, operation('getSandbox').successes[0]!.example)
      : json(401, {
          type: '/problems/invalid_token',
          title: 'No',
          status: 401,
          code: 'invalid_token',
        }))(response, recorder.arrived[0]!);
  });
  return {
    recorder,
    issued: () => issued,
    revoke: () => {
      oldest = issued + 1;
    },
  };
}

const open = (sdk: Sdk, { recorder }: TokenService): Promise<SdkClient> =>
  sdk.open({
    baseUrl: recorder.url,
    clientId: 'kyc_live_7Hq2ZtK9',
    clientSecret: 'kyc_live_7Hq2ZtK9_secret',
    maxRetries: 0,
    timeout: 55_000,
  });

async function failed(client: SdkClient, times: number): Promise<string[]> {
  return (await client.many(operation('getSandbox'), {}, times)).flatMap((outcome) =>
    outcome.ok ? [] : [outcome.error.message],
  );
}

describe.each(sdks)('the tokens of $name', (sdk) => {
  it(`cost one request for ${CALLS} calls that start cold at the same time`, async () => {
    const service = await tokenService(3_600);
    const client = await open(sdk, service);
    expect(await failed(client, CALLS)).toEqual([]);
    expect(service.issued()).toBe(1);
    figure(`token manager: ${sdk.name}, ${CALLS} concurrent cold calls: ${service.issued()} token request`);
    await client.close();
  });

  it('fail no call if all are revoked while many are made, time and again', async () => {
    const service = await tokenService(3_600);
    const client = await open(sdk, service);
    expect(await failed(client, 1)).toEqual([]);
    for (let rotation = 1; rotation <= 5; rotation++) {
      service.revoke();
      expect(await failed(client, 100)).toEqual([]);
      expect(service.issued()).toBe(1 + rotation);
    }
    figure(`token manager: ${sdk.name}, 5 rotations under 500 calls: 0 failed, ${service.issued() - 1} renewals`);
    await client.close();
  });

  it('fail no call although each is valid for a second', async () => {
    const service = await tokenService(1);
    const client = await open(sdk, service);
    let calls = 0;
    for (const end = Date.now() + 2_500; Date.now() < end; calls += 20) expect(await failed(client, 20)).toEqual([]);
    expect(service.issued()).toBeGreaterThanOrEqual(3);
    expect(service.issued()).toBeLessThan(calls / 10);
    figure(`token manager: ${sdk.name}, tokens of one second: 0 of ${calls} calls failed, ${service.issued()} tokens`);
    await client.close();
  });
});
