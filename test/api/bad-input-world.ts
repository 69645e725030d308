/** Fixture of the tests of invalid requests. */
import { expect } from 'vitest';
import { rowCounts } from '../support/contents.ts';
import { startTestService, type Answer, type Call, type Credential, type TestService } from '../support/service.ts';

/** Text in everything that is sent; it must not occur in anything that is written or returned. */
export const CANARY = 'canary4711';

export interface BadInputWorld {
  readonly service: TestService;
  /** Credential that may call every operation that keys may call. */
  readonly key: Credential;
  /**
   * Sends a request that must be refused, and checks that nothing is written and nothing of the request is repeated.
   */
  refused(method: string, path: string, call?: Call): Promise<Answer>;
  /** Runs work that must write nothing, and checks that its input is repeated nowhere. */
  harmless<T>(work: () => Promise<T>, textOf: (result: T) => string): Promise<T>;
  stop(): Promise<void>;
}

export async function startBadInputWorld(): Promise<BadInputWorld> {
  const lines: string[] = [];
  const service = await startTestService({ env: { LOG_LEVEL: 'trace' }, log: (line) => void lines.push(line) });
  const { database, acme } = service;
  const key = await acme.key(['admin']);

  async function harmless<T>(work: () => Promise<T>, textOf: (result: T) => string): Promise<T> {
    const before = await rowCounts(database);
    const result = await work();
    expect(await rowCounts(database)).toEqual(before);
    expect(textOf(result)).not.toContain(CANARY);
    expect(lines.filter((line) => line.includes(CANARY))).toEqual([]);
    return result;
  }

  return {
    service,
    key,
    harmless,
    async refused(method, path, call = {}) {
      const answer = await harmless(
        () => service.request(method, path, { as: key, ...call }),
        ({ text }) => text,
      );
      expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
      expect(answer.status, answer.text).toBeLessThan(500);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      return answer;
    },
    async stop() {
      const traces = await database.sql('SELECT FROM audit_event a WHERE a::text LIKE $1', [`%${CANARY}%`]);
      await service.stop();
      expect(traces).toEqual([]);
    },
  };
}
