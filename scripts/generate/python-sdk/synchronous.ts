/** Names that differ in more than the prefix `Async`. */
const RENAMED: Readonly<Record<string, string>> = {
  AsyncPaginator: 'Page',
  async_extensions: 'extensions',
  async_outcome: 'outcome',
  async_paginator: 'paginator',
  async_sleep: 'sleep',
  async_start: 'start',
  async_with_response: 'with_response',
  aclose: 'close',
  aiter_bytes: 'iter_bytes',
  __aenter__: '__enter__',
  __aexit__: '__exit__',
  __aiter__: '__iter__',
};

/** Hand-written modules that exist in an asynchronous and a derived synchronous form. */
export const TWINS = ['_auth', '_client', '_download', '_follow', '_pagination', '_resource', '_transport'] as const;

/** Strings, docstrings among them, and comments; names; and the rest. */
const TOKEN = /(?<text>[rbfRBF]{0,2}(?:"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|#[^\n]*)|(?<name>[A-Za-z_]\w*)(?<blank> ?)|(?<rest>[\s\S])/g;

/**
 * The synchronous form of an asynchronous module: `async` and `await` go, names lose their prefix, and imports of
 * twins point to the derived ones. So the two clients cannot differ.
 */
export function synchronous(source: string): string {
  const derived = source.replace(TOKEN, (match, ...found) => {
    const { text, name, blank } = found.at(-1) as { text?: string; name?: string; blank?: string };
    if (text !== undefined) return inProse(text);
    if (name === undefined) return match;
    if (name === 'async' || name === 'await') return '';
    return `${RENAMED[name] ?? name.replace(/^Async(?=[A-Z])/, '')}${blank ?? ''}`;
  });
  const twins = TWINS.join('|');
  return derived
    .replace(new RegExp(`\\bcompliance_onboarding\\.(${twins})\\b`, 'g'), 'compliance_onboarding._generated.sync.$1')
    .replace(/\bcompliance_onboarding\._generated\.resources\b/g, 'compliance_onboarding._generated.sync.resources');
}

/** In strings and comments, only the calls of an example change. */
function inProse(text: string): string {
  return text.replace(/\bawait (?=(?:client|download)\.)|^(\s+)async (?=for \w+ in client\.)/gm, '$1');
}
