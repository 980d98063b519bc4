import { lazy, type ReactNode } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { NotAllowed } from '../components/empty-state.js';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { SectionTabs } from '../components/section-tabs.js';
import { commonCopy, settingsCopy as copy } from '../copy/copy.js';
import { useCurrentUser, usePermission } from '../session/session.js';
import { type SettingsTab, settingsPath, settingsScope, settingsTabsFor } from './tabs.js';

const DirectoryPage = lazy(async () => ({
  default: (await import('../directories/directory-page.js')).DirectoryPage,
}));
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
const LimitsPage = lazy(async () => ({ default: (await import('./limits-page.js')).LimitsPage }));
const StatusPage = lazy(async () => ({ default: (await import('./status-page.js')).StatusPage }));

/** What rarely changes: directories, attributes, programs that use the service, and what it allows, and how it is doing. */
export function SettingsPage() {
  const [first] = settingsTabsFor(useCurrentUser().scopes);
  return (
    <Switch>
      <Route path="/settings">{first ? <Redirect to={settingsPath(first)} replace /> : <NotAllowed />}</Route>
      <Route path="/settings/organizations">
        <Section tab="organizations">
          <DirectoryPage key="organizations" kind="organizations" />
        </Section>
      </Route>
      <Route path="/settings/tags">
        <Section tab="tags">
          <DirectoryPage key="tags" kind="tags" />
        </Section>
      </Route>
      <Route path="/settings/attributes">
        <Section tab="attributes">
          <AttributesPage />
        </Section>
      </Route>
      <Route path="/settings/clients">
        <Section tab="clients">
          <PageTitle title={copy.tabs.clients} section={copy.title} />
          <ClientsPage />
        </Section>
      </Route>
      <Route path="/settings/provisioning">
        <Section tab="provisioning">
          <ProvisioningPage />
        </Section>
      </Route>
      <Route path="/settings/provisioning/connect">
        <Section tab="provisioning">
          <ConnectPage />
        </Section>
      </Route>
      <Route path="/settings/provisioning/:id">
        {({ id }) => (
          <Section tab="provisioning">
            <ProviderPage key={id} clientId={id} />
          </Section>
        )}
      </Route>
      <Route path="/settings/webhooks">
        <Section tab="webhooks">
          <PageTitle title={copy.tabs.webhooks} section={copy.title} />
          <WebhooksPage />
        </Section>
      </Route>
      <Route path="/settings/targets">
        <Section tab="targets">
          <TargetsPage />
        </Section>
      </Route>
      <Route path="/settings/limits">
        <Section tab="limits">
          <PageTitle title={copy.tabs.limits} section={copy.title} />
          <LimitsPage />
        </Section>
      </Route>
      <Route path="/settings/status">
        <Section tab="status">
          <PageTitle title={copy.tabs.status} section={copy.title} />
          <StatusPage />
        </Section>
      </Route>
      <Route>
        <Problem title={commonCopy.pageNotFound} />
      </Route>
    </Switch>
  );
}

function Section({ tab, children }: { tab: SettingsTab; children: ReactNode }) {
  const isAllowed = usePermission(settingsScope[tab]);
  const tabs = settingsTabsFor(useCurrentUser().scopes);
  return (
    <>
      <SectionTabs
        label={copy.sections}
        tabs={tabs.map((each) => ({ href: settingsPath(each), label: copy.tabs[each] }))}
      />
      {isAllowed ? (
        children
      ) : (
        <>
          <PageTitle title={copy.tabs[tab]} section={copy.title} />
          <NotAllowed />
        </>
      )}
    </>
  );
}
