/** Determines which operations a file of the service serves: those whose handlers import it directly or indirectly. */
import type { Imports } from './imports.ts';

export interface Served {
  /**
   * Returns the operations whose handlers reach a file, with the number of imports between. Empty if no handler reaches
   * the file.
   */
  of(file: string): ReadonlyMap<string, number>;
  /** Returns the operations of the module to which a file belongs. Empty for a file outside of the modules. */
  ofModule(file: string): readonly string[];
}

interface Handler {
  readonly operationId: string;
  readonly file: string;
  /** Files that the handler's own text names. */
  readonly roots: readonly string[];
}

/** A statement over several lines, whose names look like the short form of properties. */
const IMPORT = /^import (?:type )?\{[^}]*\} from .*$/gm;

const FOLLOWED = /^server\/(?!contract\/|database\/|base\/)/;

export function served(imports: Imports, sources: readonly string[], operationIds: ReadonlySet<string>): Served {
  const handlers = sources
    .filter((file) => moduleOf(file) !== null && /[/-]handlers\.ts$/.test(file))
    .flatMap((file) => handlersOf(imports, file, operationIds));
  const reached = new Map<string, Map<string, number>>();
  for (const { operationId, file, roots } of handlers) {
    const closure = new Map([...imports.closure(roots, (one) => FOLLOWED.test(one)), [file, 0]]);
    for (const [one, distance] of closure)
      reached.set(one, (reached.get(one) ?? new Map<string, number>()).set(operationId, distance));
  }
  return {
    of: (file) => reached.get(file) ?? new Map(),
    ofModule: (of) => {
      const module = moduleOf(of);
      if (module === null) return [];
      return handlers.filter(({ file }) => moduleOf(file) === module).map(({ operationId }) => operationId);
    },
  };
}

function moduleOf(file: string): string | null {
  return /^server\/modules\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/**
 * Returns the handlers of a file. A handler begins where its operation is a property, and ends where the next one
 * begins.
 */
function handlersOf(imports: Imports, file: string, operationIds: ReadonlySet<string>): readonly Handler[] {
  const text = imports.text(file).replaceAll(IMPORT, '');
  const begun = [...text.matchAll(/^ {2,6}(?:async )?(\w+)(?::|\(|,$)/gm)].filter(([, name = '']) =>
    operationIds.has(name),
  );
  const imported = new Map(imports.of(file).map(({ local, from }) => [local, from]));
  const local = localsOf(text);
  return begun.map((match, index) => {
    const own = text.slice(match.index, begun[index + 1]?.index);
    const names = new Set<string>();
    const visit = (part: string): void => {
      for (const [name] of part.matchAll(/[A-Za-z_$][\w$]*/g)) {
        if (names.has(name)) continue;
        names.add(name);
        const body = local.get(name);
        if (body !== undefined) visit(body);
      }
    };
    visit(own);
    return {
      operationId: match[1] ?? '',
      file,
      roots: [...new Set([...names].flatMap((name) => imported.get(name) ?? []))],
    };
  });
}

/** Returns the functions and constants at the top level of a file, with their texts. */
function localsOf(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^(?=(?:export )?(?:async )?(?:function|const) )/m).slice(1);
  return new Map(
    parts.flatMap((part) => {
      const name = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(part)?.[1];
      return name === undefined || name.endsWith('Handlers') ? [] : [[name, part]];
    }),
  );
}
