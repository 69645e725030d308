import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeSamples } from '../generate/code-samples/code-samples.ts';
import { docsContract } from '../generate/docs-contract.ts';
import { publishedDocuments } from '../generate/published.ts';
import type { Enforceable } from './enforceable.ts';

const DOCS = 'docs/dist';

/**
 * What readers see of a contract, at once: the published contract, and the last reference page with the new contract in it, which
 * then draws itself in the browser. The page that is drawn beforehand takes its place when it has been built.
 */
export function quickPages(root: string, { contract, model }: Enforceable): void {
  const readers = JSON.stringify(docsContract(contract, codeSamples(model)));
  const place = (name: string, text: string | Uint8Array): void => { replace(join(root, DOCS, name), text); };
  place('contract.docs.json', readers);
  for (const [name, text] of Object.entries(publishedDocuments(contract))) place(name, text);
  place('openapi.yaml', readFileSync(join(root, 'openapi.yaml')));
  const page = join(root, DOCS, 'reference.html');
  const redrawn = existsSync(page) ? undrawn(readFileSync(page, 'utf8'), readers) : null;
  if (redrawn !== null) place('reference.html', redrawn);
}

/** The running service may read at any moment, and must never find half a file. */
function replace(file: string, text: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** The page without its drawing and with another contract; null if it does not look like one of ours. */
export function undrawn(page: string, contract: string): string | null {
  const root = '<div id="redoc">';
  const [definition, next] = ['const __redoc_definition = ', '\n      const __redoc_options'];
  const drawing = page.indexOf(root) + root.length;
  const script = page.indexOf('<script type="module">', drawing);
  const start = page.lastIndexOf(definition) + definition.length;
  const end = page.indexOf(next, start);
  if (drawing < root.length || script < 0 || start < definition.length || end < 0) return null;
  // In a script no text may look like its end.
  const safe = contract.replaceAll('<', String.raw`\u003c`);
  return `${page.slice(0, drawing)}</div>\n${page.slice(script, start)}${safe};${page.slice(end)}`;
}
