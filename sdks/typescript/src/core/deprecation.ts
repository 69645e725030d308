/**
 * Reports, once for each operation, that the server has announced its end (RFC 9745, RFC 8594). Used by the log of
 * calls (report.ts).
 */
export class Deprecations {
  readonly #told = new Set<string>();

  /** Returns the notice, or null if nothing is announced or it was reported before. */
  notice(route: string, headers: Headers): string | null {
    const [since, end] = [headers.get('deprecation'), headers.get('sunset')];
    if ((since === null && end === null) || this.#told.has(route)) return null;
    this.#told.add(route);
    const page = /<([^>]*)>[^,]*;\s*rel="?(?:deprecation|sunset)/i.exec(headers.get('link') ?? '')?.[1];
    return [`is deprecated${day(since, ' since ')}`, day(end, 'it ends on '), page && `see ${page}`]
      .filter(Boolean)
      .join('; ');
  }
}

/** Formats the date: `@1688169599` is seconds of the epoch; a sunset is an HTTP date. Any other value is omitted. */
function day(value: string | null, before: string): string {
  const time = new Date(value?.startsWith('@') ? Number(value.slice(1)) * 1000 : (value ?? NaN));
  return Number.isNaN(time.getTime()) ? '' : before + time.toISOString().slice(0, 10);
}
