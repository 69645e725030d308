/** Tests of the warning about deprecated operations. */
import { describe, expect, it, vi } from 'vitest';
import type { LogEvent } from '../src/index.ts';
import { answers, TestServer } from './support/server.ts';

const server = await new TestServer().start();

/** A client whose warnings are collected; nothing else is told at the usual level. */
function warned(): {
  readonly warnings: string[];
  readonly events: LogEvent[];
  readonly client: ReturnType<TestServer['client']>;
} {
  const [warnings, events]: [string[], LogEvent[]] = [[], []];
  const silent = (): void => {
    throw new Error('told below the level of a warning');
  };
  const client = server.client({
    logger: {
      debug: silent,
      info: silent,
      warn: (message, event) => {
        warnings.push(message);
        events.push(event);
      },
    },
  });
  return { warnings, events, client };
}

describe('a deprecated operation', () => {
  it('is warned of once, with its dates and the page about it', async () => {
    server.replies(
      answers({}, 200, {
        deprecation: '@1767225600',
        sunset: 'Sun, 01 Nov 2026 00:00:00 GMT',
        link: '<https://a.example/next>; rel="next", <https://docs.example/moves>; rel="deprecation"; type="text/html"',
      }),
    );
    const { warnings, events, client } = warned();
    await client.applications.get('0197f2c8');
    await client.applications.get('0197f2c9');
    await vi.waitFor(() =>
      expect(warnings).toEqual([
        'GET /v1/applications/{applicationId} is deprecated since 2026-01-01; it ends on 2026-11-01; see ' +
          'https://docs.example/moves',
      ]),
    );
    expect(events[0]).toMatchObject({ type: 'deprecation', route: 'GET /v1/applications/{applicationId}' });
    await client.sandbox.get();
    expect(warnings[1]).toContain('GET /v1/sandbox is deprecated');
  });

  it('is warned of if only its end is announced, and if a date cannot be read', async () => {
    const { warnings, client } = warned();
    server.replies(answers({}, 200, { sunset: 'Sun, 01 Nov 2026 00:00:00 GMT' }));
    await client.applications.get('a');
    server.replies(answers({}, 200, { deprecation: 'true' }));
    await client.sandbox.get();
    await vi.waitFor(() =>
      expect(warnings).toEqual([
        'GET /v1/applications/{applicationId} is deprecated; it ends on 2026-11-01',
        'GET /v1/sandbox is deprecated',
      ]),
    );
  });

  it('is warned of if it answers an error, too', async () => {
    const { warnings, client } = warned();
    server.replies(answers({ code: 'gone' }, 410, { deprecation: '@1767225600' }));
    await client.applications.get('a').catch(() => undefined);
    await vi.waitFor(() => expect(warnings).toHaveLength(1));
  });
});
