/** A test directory and a client of it, new for each test. Used by the tests of the directory's client. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { DirectoryClient } from '../client.ts';
import type { Document } from '../directory.ts';
import {
  makeTestAuthority,
  sendXml,
  signedAnswer,
  startTestDirectory,
  type TestAuthority,
  type TestDirectory,
} from './test-directory.ts';

export const ispb = '9ABCDEF0';
/** Query for the first page. */
export const first = { cursor: null, includeIndirect: false };

/** Directory and client of a test file. Both are new in each test. */
export class ClientSite {
  trusted!: TestAuthority;
  /** Authority that the client does not trust. */
  stranger!: TestAuthority;
  server!: TestDirectory;
  client!: DirectoryClient;

  /** Makes the directory answer every request with this document. */
  readonly answer = (root: string, content: Document, gzip = false): void => {
    const xml = signedAnswer(this.trusted.authority.signer, root, content);
    this.server.answer((_, response) => sendXml(response, xml, { gzip }));
  };
}

export function clientSite(): ClientSite {
  const site = new ClientSite();
  beforeAll(async () => {
    [site.trusted, site.stranger] = await Promise.all([makeTestAuthority(), makeTestAuthority()]);
  });
  beforeEach(async () => {
    const { authority } = site.trusted;
    site.server = await startTestDirectory(authority);
    site.client = new DirectoryClient({
      url: site.server.url,
      authorities: authority.certificate,
      signers: [authority.signer.certificate],
      identify: authority.client,
    });
  });
  afterEach(async () => {
    await site.client.close();
    await site.server.close();
  });
  afterAll(() => Promise.all([site.trusted.remove(), site.stranger.remove()]));
  return site;
}
