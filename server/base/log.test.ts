/** Tests of the log of the service. */
import { describe, expect, it } from 'vitest';
import { generateApiKey } from '../identity/api-key.ts';
import { createLog } from './log.ts';

function lines(level: 'info' | 'warn' = 'info') {
  const written: string[] = [];
  return { written, log: createLog(level, { write: (line) => void written.push(line) }) };
}

describe('the log', () => {
  it('writes one JSON object per line, with level and time', () => {
    const { written, log } = lines();
    log.info({ requestId: 'r', ms: 1.5 }, 'request');
    expect(JSON.parse(written[0] as string)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      requestId: 'r',
      ms: 1.5,
      msg: 'request',
    });
  });

  it('omits lines below the configured level', () => {
    const { written, log } = lines('warn');
    log.info({}, 'quiet');
    expect(written).toEqual([]);
  });

  it('removes members that hold secrets', () => {
    const { written, log } = lines();
    log.info(
      {
        password: 'p',
        headers: { authorization: 'Bearer x', 'x-api-key': 'y', accept: 'z' },
        body: { client_secret: 's', refreshToken: 'r' },
      },
      'm',
    );
    expect(written[0]).not.toMatch(/"(password|authorization|x-api-key|client_secret|refreshToken)"/);
    expect(written[0]).toContain('"accept":"z"');
  });

  it('removes them from errors too, and does not change the logged objects', () => {
    const { written, log } = lines();
    const error = Object.assign(new Error('refused'), { password: 'p', code: 'E' });
    const fields = { err: error, password: 'q' };
    log.error(fields, 'm');
    expect(JSON.parse(written[0] as string)).toMatchObject({ err: { message: 'refused', code: 'E' } });
    expect(written[0]).not.toContain('"password"');
    expect(fields).toEqual({ err: error, password: 'q' });
  });

  it('does not repeat a row that the database refused', () => {
    const { written, log } = lines();
    const refused = {
      code: '23502',
      detail: 'Failing row contains (Maria da Silva, 1990-04-12).',
      where: 'parameter $1 = Maria',
      internalQuery: 'INSERT Maria',
    };
    log.error({ err: Object.assign(new Error('null value in column "id"'), refused) }, 'm');
    expect(written[0]).toContain('23502');
    expect(written[0]).not.toContain('Maria');
  });

  it('removes credentials from any text, error messages and stacks included', () => {
    const { written, log } = lines();
    const { secret, prefix } = generateApiKey('live');
    const token = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    log.error(
      {
        err: new Error(
          `cannot use ${secret} with ${token} and rt_Yk3vC1o8mZ5nT0qLr7wXbE2dHs6aUf4JgP9iKtNcVhQ, ` +
            'rtb_Yk3vC1o8mZ5nT0qLr7wXbE2dHs6aUf4JgP9iKtNcVhQ and csrf_Yk3vC1o8mZ5nT0qLr7wXbE2dHs6aUf4JgP9iKtNcVhQ',
        ),
      },
      `about ${secret}`,
    );
    expect(written[0]).not.toContain(secret);
    expect(written[0]).not.toContain(token);
    expect(written[0]).not.toContain('Yk3v');
    expect(written[0]).toContain(`${prefix}_[redacted]`);
  });
});
