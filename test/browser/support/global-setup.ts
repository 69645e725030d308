import type { TestProject } from 'vitest/node';
import { startLiveService } from '../../../scripts/test/live-service.ts';
import { readDemo } from '../../../server/demo/credentials.ts';
import type { DemoCredentials } from '../../../server/demo/credentials.ts';

/** The service as `make start` starts it, with the demo tenant, for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = await startLiveService('browser');
  const demo = readDemo(service.dataDir);
  if (demo === null) {
    await service.stop();
    throw new Error('the service wrote no demo.json');
  }
  project.provide('baseUrl', service.baseUrl);
  project.provide('demo', demo);
  return () => service.stop();
}

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string;
    demo: DemoCredentials;
  }
}
