import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAuthority, type Authority } from '../authority.ts';
import { buildXml } from './build.ts';
import { readDocument } from './document.ts';
import { signXml } from './sign.ts';
import { verifyXml } from './verify.ts';

let folder: string;
let authority: Authority;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'directory-wire-'));
  authority = await openAuthority(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a signed document', () => {
  it('is read from the bytes that were signed', () => {
    const document = { ResponseTime: '2026-03-09T13:20:11.482Z', FundsRecovery: { Id: '1', ReportDetails: 'a < b & "c"\r\n \u{1F600}' }, Refunds: [] };
    const xml = signXml(buildXml('GetFundsRecoveryResponse', document), authority.signer);
    const root = verifyXml(Buffer.from(xml), [authority.signer.certificate]);
    expect(root.localName).toBe('GetFundsRecoveryResponse');
    expect(readDocument(root)).toEqual(document);
  });
});
