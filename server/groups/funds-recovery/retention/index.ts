/** How long what came from the directory is kept. */
export { purgeFeed } from './purge-feed.ts';
export { purgeInbox } from './purge-inbox.ts';
