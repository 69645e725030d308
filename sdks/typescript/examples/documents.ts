/** Uploads a document from the disk and saves it again. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ComplianceOnboarding, fileFromPath } from 'compliance-onboarding';

const client = new ComplianceOnboarding();
const folder = await mkdtemp(join(tmpdir(), 'documents-'));
await writeFile(join(folder, 'passport.png'), new Uint8Array([0x89, 0x50, 0x4e, 0x47]));

const { id } = await client.applications.create({ purpose: 'account_opening', applicant: { fullName: 'Ana Souza' } });
const document = await client.applications.documents.upload(id, {
  file: await fileFromPath(join(folder, 'passport.png')),
  type: 'passport',
  side: 'single',
});

const download = await client.applications.documents.download(id, document.id);
console.log(download.contentType, await download.saveTo(join(folder, 'copy')), 'bytes');
