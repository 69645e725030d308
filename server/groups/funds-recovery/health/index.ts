/** What operators watch of the feeds. */
export { checkFeed } from './check-feed.ts';
export { FeedAlarm } from './feed-alarm.ts';
export { sampleFeeds } from './sample-feeds.ts';
export { observeTokens } from './observe-tokens.ts';
