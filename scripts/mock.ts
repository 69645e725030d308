/** `make mock`: serves the examples of the contract. */
import { createServer, type RequestListener } from 'node:http';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { AddressUnavailable, listen } from '../server/request/server.ts';
import { readContract } from './contract/read.ts';
import { watchFolder } from './dev/watch.ts';
import { mock } from './mock/mock.ts';
import { misused, readOptions } from './options.ts';

const HELP = `Serve openapi.yaml by its own examples, for front ends that are built before the service can answer them.
Requests are judged as the service judges them; credentials only have to be there. Nothing is kept. A change of the
contract counts at once. Ask for another answer than the first success with  Prefer: code=422, example=validationFailed

Usage: npx node scripts/mock.ts [options]
  --contract FILE   contract to serve (default: openapi.yaml of this repository)
  --port N          port on the loopback interface (default: 4010; 0 takes any; PORT=N make mock is the same)
  --help            this text`;

const { values } = readOptions({
  options: {
    contract: { type: 'string' },
    port: { type: 'string', default: '4010' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) console.log(HELP);
else
  process.exitCode = await main(
    resolve(values.contract ?? join(import.meta.dirname, '../openapi.yaml')),
    portOf(values.port),
  );

async function main(file: string, port: number): Promise<number> {
  let answer: RequestListener;
  try {
    answer = mock(readContract(file));
  } catch (error) {
    console.error((error as Error).message);
    return 1;
  }
  try {
    const server = createServer((request, response) => {
      answer(request, response);
    });
    const taken = await listen(server, port, '127.0.0.1', {
      error: (_, text) => {
        console.error(`mock: ${text}`);
      },
    });
    console.log(`mock: ${relative(process.cwd(), file)} answers at http://127.0.0.1:${taken}`);
  } catch (error) {
    if (!(error instanceof AddressUnavailable)) throw error;
    console.error(error.message);
    return 1;
  }
  watchFolder(dirname(file), { recursive: false, matches: (name) => name === basename(file) }, () => {
    try {
      answer = mock(readContract(file));
      console.log('mock: the changed contract answers');
    } catch (error) {
      console.error(`mock: the last sound contract goes on; ${(error as Error).message}`);
    }
  });
  return 0;
}

function portOf(text: string): number {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Number(text)
    : misused(`The port must be a number from 0 to 65535, not ${text}`);
}
