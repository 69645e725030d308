export { onboarding } from './handlers.ts';
