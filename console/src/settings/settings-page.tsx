import { lazy, type ReactNode } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { NotAllowedPage } from '../components/empty-state.js';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { SectionTabs } from '../components/section-tabs.js';
import { commonCopy, settingsCopy as copy } from '../copy/copy.js';
import { loadAccountCopy } from '../copy/load-copy.js';
import { usePermission } from '../session/session.js';
import { settingsPath, settingsTabs } from './tabs.js';

const ApplicationsPage = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./applications-page.js')).ApplicationsPage };
});
const AttributesPage = lazy(async () => ({
  default: (await import('./attributes-page.js')).AttributesPage,
}));
const ClientsPage = lazy(async () => ({ default: (await import('./clients-page.js')).ClientsPage }));
const ProvisioningPage = lazy(async () => ({
  default: (await import('./provisioning-page.js')).ProvisioningPage,
}));
const ConnectPage = lazy(async () => ({ default: (await import('./connect-page.js')).ConnectPage }));
const ProviderPage = lazy(async () => ({ default: (await import('./provider-page.js')).ProviderPage }));
const WebhooksPage = lazy(async () => ({
  default: (await import('./webhooks-page.js')).WebhooksPage,
}));
const TargetsPage = lazy(async () => ({ default: (await import('./targets-page.js')).TargetsPage }));

/** What rarely changes: attributes, and programs that use the service. */
export function SettingsPage() {
  const isAllowed = usePermission('access:admin');
  if (!isAllowed) return <NotAllowedPage title={copy.title} />;
  return (
    <Switch>
      <Route path="/settings">
        <Redirect to={settingsPath('attributes')} replace />
      </Route>
      <Route path="/settings/attributes">
        <Section>
          <AttributesPage />
        </Section>
      </Route>
      <Route path="/settings/clients">
        <Section>
          <PageTitle title={copy.tabs.clients} section={copy.title} />
          <ClientsPage />
        </Section>
      </Route>
      <Route path="/settings/applications">
        <Section>
          <PageTitle title={copy.tabs.applications} section={copy.title} />
          <ApplicationsPage />
        </Section>
      </Route>
      <Route path="/settings/provisioning">
        <Section>
          <ProvisioningPage />
        </Section>
      </Route>
      <Route path="/settings/provisioning/connect">
        <Section>
          <ConnectPage />
        </Section>
      </Route>
      <Route path="/settings/provisioning/:id">
        {({ id }) => (
          <Section>
            <ProviderPage key={id} clientId={id} />
          </Section>
        )}
      </Route>
      <Route path="/settings/webhooks">
        <Section>
          <PageTitle title={copy.tabs.webhooks} section={copy.title} />
          <WebhooksPage />
        </Section>
      </Route>
      <Route path="/settings/targets">
        <Section>
          <TargetsPage />
        </Section>
      </Route>
      <Route>
        <Problem title={commonCopy.pageNotFound} />
      </Route>
    </Switch>
  );
}

function Section({ children }: { children: ReactNode }) {
  return (
    <>
      <SectionTabs
        label={copy.title}
        tabs={settingsTabs.map((tab) => ({ href: settingsPath(tab), label: copy.tabs[tab] }))}
      />
      {children}
    </>
  );
}
