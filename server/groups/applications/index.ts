export { applications } from './handlers.ts';
export { expireDrafts } from './expire-drafts.ts';
export { sweepFiles } from './sweep-files.ts';
