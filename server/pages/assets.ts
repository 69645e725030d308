/**
 * Styles, scripts and pictures of our own pages, held in memory. Created by router.ts. The release is part of every
 * address, so that a browser never mixes files of two releases; a name that does not exist throws.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { RequestHandler } from 'express';
import { Content, digestOf, sendContent } from './content.ts';

const FOLDER = join(import.meta.dirname, 'assets');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

interface Assets {
  /** `/assets/<release>`. The release is in the URL, so relative imports between modules keep it. */
  readonly base: string;
  readonly content: (name: string) => Content;
  readonly serve: RequestHandler<{ release: string; name: string[] }>;
}

/** Loads the styles and scripts of our own pages into memory, because they are few and small. */
export function loadAssets(): Assets {
  const files = new Map<string, Content>();
  for (const entry of readdirSync(FOLDER, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(FOLDER, path).split(sep).join('/'), new Content(type, readFileSync(path)));
  }
  const release = digestOf(
    [...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { digest }]) => `${name} ${digest}`)
      .join('\n'),
  );

  return {
    base: `/assets/${release}`,
    content: (name) => {
      const found = files.get(name);
      if (found === undefined) throw new Error(`there is no page asset ${name}`);
      return found;
    },
    serve: async (request, response, next) => {
      const found = files.get(request.params.name.join('/'));
      if (found === undefined) return next();
      // A page of another release may still request a file. It gets the current one, but must not cache it under that
      // URL.
      const current = request.params.release === release;
      await sendContent(request, response, found, current ? 'public, max-age=31536000, immutable' : 'no-store');
    },
  };
}
