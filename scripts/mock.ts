/** `make mock`: the contract answers by its own examples. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { watchFolder } from './dev/watch.ts';
import { readContract } from './generate/read-contract.ts';
import { mock } from './mock/mock.ts';

const HELP = `Serve openapi.yaml by its own examples, for front ends that are built before the service can answer them.
Requests are judged as the service judges them; credentials only have to be there. Nothing is kept. A change of the contract
counts at once. Ask for another answer than the first success with  Prefer: code=422, example=validationFailed

Usage: node scripts/mock.ts [options]
  --contract FILE   contract to serve (default: openapi.yaml of this repository)
  --port N          port on the loopback interface (default: 4010; 0 takes any)
  --help            this text`;

const { values } = parseArgs({ options: { contract: { type: 'string' }, port: { type: 'string', default: '4010' }, help: { type: 'boolean', default: false } } });

if (values.help) console.log(HELP);
else await main(resolve(values.contract ?? join(import.meta.dirname, '../openapi.yaml')), Number(values.port));

async function main(file: string, port: number): Promise<void> {
  let answer: RequestListener;
  try {
    answer = mock(readContract(file));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
    return;
  }
  const server = createServer((request, response) => { answer(request, response); }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  console.log(`mock: ${relative(process.cwd(), file)} answers at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  watchFolder(dirname(file), { recursive: false, matches: (name) => name === basename(file) }, () => {
    try {
      answer = mock(readContract(file));
      console.log('mock: the changed contract answers');
    } catch (error) {
      console.error(`mock: the last sound contract goes on; ${(error as Error).message}`);
    }
  });
}
