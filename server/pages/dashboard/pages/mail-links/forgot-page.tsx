import { Page } from '../../ui/page.tsx';

export function ForgotPage() {
  return <Page title="Forgot"><p /></Page>;
}
