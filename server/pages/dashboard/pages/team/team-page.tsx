import { Page } from '../../ui/page.tsx';

export function TeamPage() {
  return <Page title="Team"><p /></Page>;
}
