import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DirectoryClient, openAuthority } from '../../../../server/providers/directory/index.ts';
import { closeAtInterrupt } from '../../interrupt.ts';
import { terminate } from '../../processes.ts';
import { lists, unlimited, type Order } from './order.ts';

export interface SimulatedDirectory {
  readonly client: DirectoryClient;
  /** Makes the certificate of a participant, which it has before it asks anything. */
  admit(ispb: string): Promise<void>;
  stop(): Promise<void>;
}

/** A simulated directory in a process of its own, so that it does not share a thread with who reads it, and the service's client for it. */
export async function startDirectory(order: Order): Promise<SimulatedDirectory> {
  const child = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const stop = closeAtInterrupt(() => terminate(child));
  const died = once(child, 'exit').then((): never => { throw new Error('the simulated directory ended unexpectedly'); });
  died.catch(() => {});
  child.send(order);
  const [url] = (await Promise.race([once(child, 'message'), died])) as [string];
  const authority = await openAuthority(join(order.dataDir, 'directory'));
  const client = new DirectoryClient({
    url, authorities: authority.certificate, signers: [authority.signer.certificate], identify: (ispb) => authority.client(ispb),
    rates: { ...lists, FUNDS_RECOVERIES: unlimited },
  });
  return {
    client,
    admit: async (ispb) => void await authority.client(ispb),
    async stop() {
      await client.close();
      await stop();
    },
  };
}
