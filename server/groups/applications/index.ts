export { applications } from './handlers.ts';
export { documentsExpiredBetween, expireDocuments, type ExpiredDocuments } from './expire-documents.ts';
export { expireDraftsIn, expireDrafts } from './expire-drafts.ts';
export { startOfMonth } from './quota.ts';
export { countLiveApplications, sumLiveStorage } from './store/usage.ts';
export { sweepFiles } from './sweep-files.ts';
