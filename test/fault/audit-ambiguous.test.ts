/** Tests that the offline verifier refuses files that two JSON readers could read differently. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { shared } from '../support/service.ts';
import { run, startAuditedService, type AuditedService } from './audit-log.ts';

let log: Awaited<ReturnType<AuditedService['writeLog']>>;
let lines: string[];
const audited = await shared(startAuditedService());
beforeAll(async () => {
  log = await audited.writeLog();
  const file = join(audited.folder, 'whole.ndjson');
  await audited.exportLog(file, log);
  lines = readFileSync(file, 'utf8').trimEnd().split('\n');
});

const verify = async (content: string | Buffer, ...options: string[]) => {
  const file = join(audited.folder, 'ambiguous.ndjson');
  writeFileSync(file, content);
  return run('verify-audit.mjs', [file, '--public-key', log.publicKey, '--quiet', ...options]);
};
/** Returns the export with one of its lines changed; the first event is on the second line. */
const changed = (change: (line: string) => string, at = 1): string =>
  lines.map((line, index) => (index === at ? change(line) : line)).join('\n');
const first = (line: string, member: string): string => line.replace('"event":{', `"event":{${member},`);

describe('the offline verifier', () => {
  it('believes the export as it is, however its white space and escapes are written', async () => {
    expect(await verify(lines.join('\n'))).toMatchObject({ status: 0 });
    expect(await verify(`${changed((line) => line.replaceAll('":', '" :\t'))}\r\n`)).toMatchObject({ status: 0 });
    expect(await verify(changed((line) => line.replace('"action"', '"\\u0061ction"')))).toMatchObject({ status: 0 });
  });

  it.each<[what: string, content: () => string | Buffer, says: string]>([
    [
      'an event with a member twice, of which one reader takes the other',
      () => changed((line) => first(line, '"outcome":"denied"')),
      'line 2 of .* has the member "outcome" twice',
    ],
    [
      'a member twice that says the same',
      () => changed((line) => first(line, /"outcome":"\w+"/.exec(line)?.[0] ?? '')),
      'has the member "outcome" twice',
    ],
    [
      'a member twice of which one is escaped',
      () => changed((line) => first(line, '"\\u006futcome":"denied"')),
      'has the member "outcome" twice',
    ],
    [
      'a member twice deep inside',
      () => changed((line) => line.replace('"actor":{', '"actor":{"display":"X",')),
      'has the member "display" twice',
    ],
    [
      'two events in one line',
      () => changed((line) => line.replace('"type":"event"', '"type":"event","event":{}')),
      'has the member "event" twice',
    ],
    [
      'two types of a line',
      () => changed((line) => line.replace('"type":"event"', '"type":"header","type":"event"')),
      'has the member "type" twice',
    ],
    [
      'a checkpoint with two sizes',
      () =>
        changed(
          (line) => line.replace('"treeSize":', '"treeSize":1,"treeSize":'),
          lines.findIndex((line) => line.includes('"checkpoint"')),
        ),
      'has the member "treeSize" twice',
    ],
    [
      'a prototype',
      () => changed((line) => first(line, '"__proto__":{"outcome":"denied"}')),
      'has a member "__proto__"',
    ],
    ['a constructor', () => changed((line) => first(line, '"constructor":1')), 'has a member "constructor"'],
    ['a number that is none', () => changed((line) => line.replace(/"sequence":1\b/, '"sequence":NaN')), 'is not JSON'],
    [
      'a number without end',
      () => changed((line) => line.replace(/"sequence":1\b/, '"sequence":1e999')),
      'has the number 1e999',
    ],
    [
      'a number beyond 2^53',
      () => changed((line) => first(line, '"more":9007199254740993')),
      'has the number 9007199254740993',
    ],
    [
      'a number that is rounded to a small one',
      () => changed((line) => line.replace(/"sequence":1\b/, '"sequence":1.00000000000000000001')),
      'has the number',
    ],
    [
      'a number that is rounded to nothing',
      () => changed((line) => first(line, '"more":1e-999')),
      'has the number 1e-999',
    ],
    ['a zero below zero', () => changed((line) => first(line, '"more":-0')), 'has the number -0'],
    ['a byte order mark', () => `\uFEFF${lines.join('\n')}`, 'line 1 of .* begins with a byte order mark'],
    [
      'half of a surrogate pair',
      () => changed((line) => first(line, '"more":"\\ud83d"')),
      'has half of a surrogate pair',
    ],
    [
      'half of a surrogate pair in a name',
      () => changed((line) => first(line, '"\\ude00":1')),
      'has half of a surrogate pair',
    ],
    [
      'bytes that are no UTF-8',
      () => Buffer.concat([Buffer.from(`${lines[0]}\n`), Buffer.from([0x22, 0xff, 0x22, 10])]),
      'line 2 of .* is not UTF-8',
    ],
    [
      'UTF-8 that is longer than it need be',
      () => Buffer.concat([Buffer.from(`${lines[0]}\n`), Buffer.from([0x22, 0xc0, 0xaf, 0x22, 10])]),
      'is not UTF-8',
    ],
    ['something after an event', () => changed((line) => `${line}{"type":"event"}`), 'line 2 of .* is not JSON'],
    ['a comment', () => changed((line) => `${line} // x`), 'is not JSON'],
    ['a trailing comma', () => changed((line) => line.replace(/}$/, ',}')), 'is not JSON'],
    ['a list in place of a line', () => changed((line) => `[${line}]`), 'is not an object'],
    [
      'a line of another type',
      () => changed((line) => line.replace('"type":"event"', '"type":"Event"')),
      'is no header, event or checkpoint',
    ],
    ['two headers', () => `${lines.join('\n')}\n${lines[0]}`, 'the header is the first line, and no other'],
    ['no header first', () => lines.slice(1).join('\n'), 'the header is the first line, and no other'],
    [
      'a hundred thousand brackets',
      () => changed((line) => first(line, `"more":${'['.repeat(1e5)}${']'.repeat(1e5)}`)),
      'is nested too deeply',
    ],
  ])('refuses %s', async (_, content, says) => {
    const { status, stderr, stdout } = await verify(content());
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(says));
    expect(stderr).not.toContain('    at ');
  });

  it('reads a stored checkpoint and a key as strictly', async () => {
    const [kept, key] = [join(audited.folder, 'kept.json'), join(audited.folder, 'key.json')];
    writeFileSync(kept, JSON.stringify(log.kept).replace('{', '{"treeSize":1,'));
    expect(await verify(lines.join('\n'), '--trusted-checkpoint', kept)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('has the member "treeSize" twice'),
    });
    writeFileSync(key, `{"kty":"OKP","crv":"Ed25519","x":"${log.publicKey}","x":"${log.publicKey}"}`);
    expect(await verify(lines.join('\n'), '--public-key', key)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('has the member "x" twice'),
    });
  });
});
