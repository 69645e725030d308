export { banner } from './banner.ts';
export { seedDemo } from './seed.ts';
