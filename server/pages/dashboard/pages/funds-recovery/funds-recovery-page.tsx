import { Page } from '../../ui/page.tsx';

export function FundsRecoveryPage() {
  return <Page title="Funds"><p /></Page>;
}
