import { liveFollowing } from './follow-example.ts';
import { liveTour } from './tour.ts';
import { startLiveService } from './live-service.ts';
import { pytest } from './pytest.ts';
import type { Result } from './result.ts';
import { vitest } from './vitest.ts';

/** Both SDK suites, the tour of the README and the client of the guide to the feed against one service, each started as its reader would. */
export async function liveSuites(): Promise<Result> {
  const service = await startLiveService('live');
  try {
    const env = { COMPLIANCE_LIVE: service.demo };
    const results = [
      await vitest('sdk-typescript-live', 'sdks/typescript/vitest.live.config.ts', env),
      await pytest('sdk-python-live', 'sdks/python', ['sdks/python/tests/live'], env),
      await liveTour(service),
      await liveFollowing(service),
    ];
    return {
      passed: results.reduce((sum, { passed }) => sum + passed, 0),
      failed: results.reduce((sum, { failed }) => sum + failed, 0),
      figures: [`service ready ${service.startMs} ms after its start on an empty data directory`],
      complaint: results.map(({ complaint }) => complaint ?? '').join('\n'),
    };
  } finally {
    await service.stop();
  }
}
