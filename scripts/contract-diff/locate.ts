import { LineCounter, isMap, parseDocument } from 'yaml';

/**
 * The line at which a place of the report is written: `POST /v1/things, 200` at the operation, `Thing.name` at the schema
 * and its member, anything unknown (what was removed) at the nearest thing that is left.
 */
export function locator(source: string): (place: string) => number {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  return (place) => {
    for (const path of candidates(place)) {
      const parent = document.getIn(path.slice(0, -1));
      const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === path.at(-1)) : undefined;
      const [start] = (pair?.key as { readonly range?: readonly number[] } | undefined)?.range ?? [];
      if (start !== undefined) return lines.linePos(start).line;
    }
    return 1;
  };
}

/** Where it may be written, the most exact first. */
function candidates(place: string): string[][] {
  const operation = /^(?:webhook )?([A-Z]+) ([^,]+)/.exec(place);
  if (operation !== null) {
    const [, method = '', path = ''] = operation;
    return [['paths', path, method.toLowerCase()], ['paths', path]];
  }
  const segments = place.split('/');
  const [name = '', ...members] = place.split(/[./]/);
  return [
    ...segments.map((_, index) => segments.slice(0, segments.length - index)),
    ['components', 'schemas', name, 'properties', members.find((member) => member !== 'properties') ?? ''],
    ['components', 'schemas', name],
    ['components', 'schemas', 'ProblemCode', 'x-problems', name],
    ['components', 'securitySchemes', place.split(' ')[0] ?? ''],
  ];
}
