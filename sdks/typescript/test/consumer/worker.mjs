import { isMainThread, parentPort, Worker } from 'node:worker_threads';

if (isMainThread) new Worker(new URL(import.meta.url)).on('message', console.log);
else {
  const { tour } = await import('./tour.mjs');
  parentPort.postMessage(
    await tour(await import('compliance-onboarding'), await import('compliance-onboarding/functions')),
  );
}
