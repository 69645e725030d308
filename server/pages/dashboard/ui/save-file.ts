/** Saves what the page has as a file of the user. */
export function saveFile(name: string, content: Blob): void {
  const href = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

export function saveJson(name: string, content: object): void {
  saveFile(name, new Blob([`${JSON.stringify(content, null, 2)}\n`], { type: 'application/json' }));
}
