import type { Comparison } from '../comparison.ts';
import { github } from './github.ts';
import { json } from './json.ts';
import { markdown } from './markdown.ts';
import { text } from './text.ts';

/** `locate` says at which line of `file`, the revision, a place is written. */
export type Format = (comparison: Comparison, locate: (place: string) => number, file: string) => string;

export const formats = { text, json, markdown, github } as const satisfies Readonly<Record<string, Format>>;
export type FormatName = keyof typeof formats;
