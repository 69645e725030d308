/**
 * Measures the cost of an evidence pack with the largest possible files: time, and memory while it is streamed. Used by
 * main.ts.
 */
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { form } from '../../test/api/applications-world.ts';
import { jpeg } from '../../test/support/specimens.ts';
import { amount, type Section } from './figures.ts';
import type { Laboratory } from './laboratory.ts';
import { residentMegabytes, type Target } from './service.ts';

const MIB = 1024 * 1024;
/** Largest number and size of files of an application. */
const FILES = 10;
const FILE_BYTES = 15 * MIB - 1024;
const SAMPLE_MILLISECONDS = 20;

/** Returns a picture with comments that fill it to the largest size of a file. */
function largePicture(number: number): Buffer {
  const picture = jpeg({ text: `Picture ${number}` });
  const comments: Buffer[] = [];
  for (let left = FILE_BYTES - picture.length; left > 4; ) {
    const size = Math.min(left, 65_535 + 2);
    const comment = Buffer.alloc(size, number);
    comment.writeUInt16BE(0xfffe, 0);
    comment.writeUInt16BE(size - 2, 2);
    comments.push(comment);
    left -= size;
  }
  return Buffer.concat([picture.subarray(0, 2), ...comments, picture.subarray(2)]);
}

async function answered(answer: Promise<Response>, status: number): Promise<Response> {
  const response = await answer;
  if (response.status !== status) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return response;
}

/** Returns the number of bytes of the pack, and the peak memory of the service meanwhile. */
async function download(
  service: Target,
  id: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ bytes: number; milliseconds: number; peak: number }> {
  const begun = performance.now();
  const response = await answered(fetch(`${service.url}/v1/applications/${id}/evidence-pack`, { headers }), 200);
  const done = new AbortController();
  const sampling = (async () => {
    let peak = 0;
    while (!done.signal.aborted) {
      peak = Math.max(peak, await residentMegabytes(service));
      await setTimeout(SAMPLE_MILLISECONDS);
    }
    return peak;
  })();
  let bytes = 0;
  for await (const piece of response.body!) bytes += piece.length;
  const milliseconds = performance.now() - begun;
  done.abort();
  return { bytes, milliseconds, peak: await sampling };
}

export async function measurePack(laboratory: Laboratory): Promise<Section[]> {
  laboratory.say(`an evidence pack of ${FILES} files of 15 MiB …`);
  const headers = laboratory.callers[0]!.apiKey;
  const DATA_DIR = join(laboratory.folder, 'pack');
  const create = async (url: string): Promise<string> => {
    const body = JSON.stringify({ purpose: 'account_opening', applicant: { fullName: 'Maria da Silva' } });
    return (
      (await (
        await answered(
          fetch(`${url}/v1/applications`, {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body,
          }),
          201,
        )
      ).json()) as { id: string }
    ).id;
  };
  let [small, large] = ['', ''];
  {
    await using service = await laboratory.startService({ DATA_DIR });
    [small, large] = [await create(service.url), await create(service.url)];
    for (let number = 1; number <= FILES; number += 1)
      await answered(
        fetch(`${service.url}/v1/applications/${large}/documents`, {
          method: 'POST',
          headers,
          body: form(largePicture(number)),
        }),
        201,
      );
  }
  // A new process, because uploading the files needs memory.
  await using service = await laboratory.startService({ DATA_DIR });
  // The log may have been signed just before the last file.
  await setTimeout(10_000);
  for (let warm = 0; warm < 20; warm += 1) await download(service, small, headers);
  const before = await residentMegabytes(service);
  const turns = [
    await download(service, large, headers),
    await download(service, large, headers),
    await download(service, large, headers),
  ];
  const first = turns[0]!;
  const growth = Math.max(...turns.map(({ peak }) => peak)) - before;
  return [
    {
      title: 'Evidence pack',
      raw: { before, turns },
      rows: [
        [`a pack of ${(first.bytes / MIB).toFixed(0)} MiB sent`, amount(first.milliseconds, 'ms')],
        ['resident before it', amount(before, 'MB')],
        ['most resident while three are sent, one after the other, beyond that', amount(growth, 'MB'), '≤ 50 MB'],
      ],
    },
  ];
}
