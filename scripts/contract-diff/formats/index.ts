import type { Comparison } from '../comparison.ts';
import type { Locate } from '../locate.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { text } from './text.ts';

/** `locate` says at which line of `file`, the revision, a change was made. */
export type Format = (comparison: Comparison, locate: Locate, file: string) => string;

export const formats = { text, json, markdown, github } as const satisfies Readonly<Record<string, Format>>;
export type FormatName = keyof typeof formats;
