import { readFileSync } from 'node:fs';
import { redocly } from './redocly.ts';

/** The page's badge is its only remote resource. */
const REMOTE_BADGE = /https:\/\/cdn\.redoc\.ly\/redoc\/[\w.-]+\.svg/g;

/** Renders the reference page as one file that loads nothing from elsewhere. */
export async function referencePage(root: string, contractFile: string, workFile: string): Promise<string> {
  const { code, stderr, stdout } = await redocly(
    ['build-docs', contractFile, '-o', workFile, '--inlineBundle', '--config', 'scripts/generate/redocly.docs.yaml'],
    root,
  );
  if (code !== 0) throw new Error(`the reference page was not built:\n${stderr}${stdout}`);
  return readFileSync(workFile, 'utf8').replace(REMOTE_BADGE, 'data:,');
}
