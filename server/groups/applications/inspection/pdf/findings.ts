import type { Sink } from './reader.ts';
import { isKind, type PdfDictionary } from './values.ts';

/** Names that make a PDF do something, or carry something, beyond showing pages (ISO 32000-1 §7.11.4, §12.6.4, §12.7.8, §13). */
const ACTIVE: ReadonlySet<string> = new Set([
  'JavaScript', 'JS', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'FileAttachment', 'RichMedia', 'RichMediaExecute', 'XFA', 'GoToE', 'GoToR', 'ImportData',
  'SubmitForm', 'Rendition', 'Movie', 'Sound', '3D', 'GoTo3DView', 'OnInstantiate', 'NeedsRendering',
]);
const SCRIPT_ADDRESS = /^\s*(?:javascript|vbscript):/i;
/** A link to these reads a file of the reader's, or shows one that nobody inspected. */
const LOCAL_ADDRESS = /^\s*(?:file:|data:|\\\\)/i;

/** What the names, strings and dictionaries in a file say about it. */
export class Findings implements Sink {
  encrypted = false;
  active = false;

  name(name: string): void {
    if (name === 'Encrypt') this.encrypted = true;
    else if (ACTIVE.has(name)) this.active = true;
  }

  string(beginning: string): void {
    if (SCRIPT_ADDRESS.test(beginning)) this.active = true;
  }

  /** Members whose names are too short to mean anything elsewhere. */
  dictionary({ entries }: PdfDictionary): void {
    const isFileWithContent = entries.has('EF') && (entries.has('F') || entries.has('UF') || entries.has('Type'));
    const isProgram = [entries.get('Subtype'), entries.get('Subtype2')].some((type) => isKind(type, 'name') && type.name === 'PS');
    const address = entries.get('URI');
    const isLocal = isKind(address, 'string') && LOCAL_ADDRESS.test(address.text);
    if (isFileWithContent || isProgram || isLocal) this.active = true;
  }
}
