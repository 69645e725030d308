import { Page } from '../../ui/page.tsx';

export function ApplicationsPage() {
  return <Page title="Applications"><p /></Page>;
}
