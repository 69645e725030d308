import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { startLiveService } from '../../../scripts/test/live-service.ts';
import type { LiveService } from '../../../scripts/test/live-service.ts';
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
  project.provide('secondAdministrator', await inviteAdministrator(service));
  return () => service.stop();
}

/** One more administrator of the platform, as `make platform-admin` invites them; the path of their link. */
async function inviteAdministrator({ dataDir, baseUrl }: LiveService): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/platform-admin.ts', '--email', 'second@platform.example', '--name', 'Edna Reis'], {
    env: { ...process.env, DATA_DIR: dataDir, PUBLIC_URL: baseUrl },
  });
  const link = /\/invitation#token=\S+/.exec(stdout)?.[0];
  if (link === undefined) throw new Error(`no link in ${stdout}`);
  return link;
}

declare module 'vitest' {
  interface ProvidedContext {
    baseUrl: string;
    demo: DemoCredentials;
    secondAdministrator: string;
  }
}
