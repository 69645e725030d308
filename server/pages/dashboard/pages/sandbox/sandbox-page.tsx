import { Page } from '../../ui/page.tsx';

export function SandboxPage() {
  return <Page title="Sandbox"><p /></Page>;
}
