import { Page } from '../../ui/page.tsx';

export function TenantsPage() {
  return <Page title="Tenants"><p /></Page>;
}
