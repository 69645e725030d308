export { settings } from './handlers.ts';
export { issueApiKey, type IssuedKey, type KeySpecification } from './issue.ts';
