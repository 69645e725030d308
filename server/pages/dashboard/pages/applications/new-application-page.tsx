import { Page } from '../../ui/page.tsx';

export function NewApplicationPage() {
  return <Page title="New"><p /></Page>;
}
