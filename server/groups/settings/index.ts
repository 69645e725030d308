export { assertUnbound } from './bounds.ts';
export { defaultSettings } from './defaults.ts';
export type { Settings } from './document.ts';
export { expireKeys } from './expire-keys.ts';
export { settings } from './handlers.ts';
export { issueApiKey, type IssuedKey, type KeySpecification } from './issue.ts';
export { readSettings } from './settings-store.ts';
