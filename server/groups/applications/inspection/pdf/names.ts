/** Names that make a PDF do something, or carry something, beyond showing pages (ISO 32000-1 §7.11.4, §12.6.4, §12.7.8, §13). */
const ACTIVE: ReadonlySet<string> = new Set([
  'JavaScript', 'JS', 'Launch', 'EmbeddedFile', 'EmbeddedFiles', 'FileAttachment', 'RichMedia', 'XFA', 'GoToE', 'ImportData', 'SubmitForm', 'Rendition',
]);

/** What the names in a file say about it. */
export class Names {
  encrypted = false;
  active = false;
  readonly see = (name: string): void => {
    if (name === 'Encrypt') this.encrypted = true;
    else if (ACTIVE.has(name)) this.active = true;
  };
}
