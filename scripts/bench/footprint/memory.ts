import type { LoadGenerator } from '../load/generator.ts';
import { startService } from '../service.ts';
import { environmentOf, type Laboratory } from '../whole-path/laboratory.ts';
import { request } from '../whole-path/requests.ts';
import type { GrownService } from './grown-service.ts';

export interface Memory {
  /** Resident megabytes when ready, every operation compiled. */
  readonly ready: number;
  /** The same after load on every copy of an operation. */
  readonly warm: number;
  /** Milliseconds of the slowest first call of an operation, and of the slowest third one. */
  readonly firstHit: number;
  readonly laterHit: number;
}

export async function measureMemory(laboratory: Laboratory, generator: LoadGenerator, grown: GrownService, seconds: number): Promise<Memory> {
  const service = await startService({ folder: laboratory.folder, nodeOptions: grown.nodeOptions, env: { ...environmentOf(laboratory), ...grown.env } });
  try {
    const ready = await service.residentMegabytes();
    const apiKey = laboratory.tenants[0]?.apiKey ?? '';
    const hits: number[] = [];
    for (let round = 0; round < 3; round++) hits.push(await slowest(service.port, grown.listPaths, apiKey));
    const requests = grown.listPaths.map((path) => request('GET', path, apiKey));
    await generator.run({ port: service.port, connections: 16, seconds, requests, expectedStatus: 200, idempotencyKeys: false });
    return { ready, warm: await service.residentMegabytes(), firstHit: hits[0] ?? Number.NaN, laterHit: hits[2] ?? Number.NaN };
  } finally {
    await service.stop();
  }
}

async function slowest(port: number, paths: readonly string[], apiKey: string): Promise<number> {
  let longest = 0;
  for (const path of paths) {
    const begun = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'X-API-Key': apiKey } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} was answered by ${response.status}`);
    longest = Math.max(longest, performance.now() - begun);
  }
  return longest;
}
