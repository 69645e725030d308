export { applications } from './handlers.ts';
export { Inspector } from './inspection/inspector.ts';
export { documentsExpiredBetween, expireDocuments } from './expire-documents.ts';
export { expireDraftsIn, expireDrafts } from './expire-drafts.ts';
export { liveUsage } from './quota.ts';
export { sweepFiles } from './sweep-files.ts';
