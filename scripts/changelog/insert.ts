/** A changelog with this section as its newest; a section of the same version is replaced. */
export function insert(changelog: string, section: string): string {
  const [head = '', ...sections] = changelog.split(/^(?=## )/m);
  const kept = sections.filter((other) => versionOf(other) !== versionOf(section));
  return [head, section, ...kept].map((part) => part.trimEnd()).join('\n\n').concat('\n');
}

export function newest(changelog: string): string | null {
  const section = /^## .*$/m.exec(changelog)?.[0];
  return section === undefined ? null : versionOf(section);
}

function versionOf(section: string): string {
  return /^## (\S+)/.exec(section)?.[1] ?? '';
}
