export { pagesRouter } from './router.ts';
export type { PagesOptions, PublicInfo } from './router.ts';
