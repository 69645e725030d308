const BEGIN = '<!-- from the contract -->';
const END = '<!-- end of it -->';

/**
 * A changelog with this body in the section of the version, which is the newest if it is new. What people wrote into a
 * section stays: only what stands between the marks is replaced.
 */
export function insert(changelog: string, title: string, body: string): string {
  const [head = '', ...sections] = changelog.split(/^(?=## )/m);
  const block = `${BEGIN}\n${body.trim()}\n${END}`;
  const own = sections.find((section) => versionOf(section) === versionOf(title));
  const written = own === undefined ? [`${title}\n\n${block}`, ...sections] : sections.map((section) => (section === own ? replaced(section, block) : section));
  return [head, ...written].map((part) => part.trimEnd()).join('\n\n').concat('\n');
}

/** The version of the newest section. */
export function newest(changelog: string): string | null {
  const title = /^## .*$/m.exec(changelog)?.[0];
  return title === undefined ? null : versionOf(title);
}

function replaced(section: string, block: string): string {
  const [begin, end] = [section.indexOf(BEGIN), section.indexOf(END)];
  return begin < 0 || end < begin ? `${section.trimEnd()}\n\n${block}` : `${section.slice(0, begin)}${block}${section.slice(end + END.length)}`;
}

function versionOf(section: string): string {
  return /^## (\S+)/.exec(section)?.[1] ?? '';
}
