/**
 * Starts a service for each worker of the browser tests. Named in their vitest.config.ts. If one does not start, no
 * test runs.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { buildDashboard } from '../../../scripts/dashboard.ts';
import { startLiveService } from '../../../scripts/test/live-service.ts';
import type { LiveService } from '../../../scripts/test/live-service.ts';
import { readDemo } from '../../../server/demo/credentials.ts';
import type { DemoCredentials } from '../../../server/demo/credentials.ts';

/** What a test knows of the service under test. */
export interface BrowsedService {
  readonly baseUrl: string;
  readonly demo: DemoCredentials;
  /** Path of an invitation. */
  readonly secondAdministrator: string;
  /** Two administrators who maintain the watch lists. */
  readonly listAdministrators: readonly [string, string];
}

/** Starts a service for each worker as `make start` does, with the demo tenant, for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildDashboard({ onlyIfChanged: true });
  const names = Array.from({ length: project.vitest.config.maxWorkers }, (_, index) => `browser-${index + 1}`);
  const starting = await Promise.allSettled(names.map((name) => startLiveService(name)));
  const services = starting.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const stop = async (): Promise<void> => void (await Promise.all(services.map((service) => service.stop())));
  try {
    const failed = starting.find((start) => start.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    project.provide('services', await Promise.all(services.map(browsed)));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function browsed(service: LiveService): Promise<BrowsedService> {
  const demo = readDemo(service.dataDir);
  if (demo === null) throw new Error('the service wrote no demo.json');
  const [secondAdministrator, proposes, confirms] = [
    await inviteAdministrator(service, 'second', 'Edna Reis'),
    await inviteAdministrator(service, 'proposes', 'Marta Nunes'),
    await inviteAdministrator(service, 'confirms', 'Davi Prado'),
  ];
  return {
    baseUrl: service.baseUrl,
    demo,
    secondAdministrator,
    listAdministrators: [proposes, confirms],
  };
}

/** Invites another administrator of the platform as `make platform-admin` does, and returns the path of the link. */
async function inviteAdministrator({ dataDir, baseUrl }: LiveService, account: string, name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['scripts/platform-admin.ts', '--email', `${account}@platform.example`, '--name', name],
    {
      env: { ...process.env, DATA_DIR: dataDir, PUBLIC_URL: baseUrl },
    },
  );
  const link = /\/invitation#token=\S+/.exec(stdout)?.[0];
  if (link === undefined) throw new Error(`no link in ${stdout}`);
  return link;
}

declare module 'vitest' {
  interface ProvidedContext {
    services: readonly BrowsedService[];
  }
}
