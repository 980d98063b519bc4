import { Redirect, Route, Switch } from 'wouter';
import { NotAllowedPage } from '../components/empty-state.js';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { SectionTabs } from '../components/section-tabs.js';
import { commonCopy, navigationCopy, settingsCopy } from '../copy/copy.js';
import { usePermission } from '../session/session.js';
import { LimitsPage } from './limits-page.js';
import { StatusPage } from './status-page.js';

const title = navigationCopy.pages.system;
const tabs = settingsCopy.systemTabs;

/** How the service is doing, and what it allows, for those who run it. */
export function SystemPage() {
  const isAllowed = usePermission('access:admin');
  if (!isAllowed) return <NotAllowedPage title={title} />;
  return (
    <Switch>
      <Route path="/system">
        <Redirect to="/system/status" replace />
      </Route>
      <Route path="/system/status">
        <Tabs />
        <PageTitle title={tabs.status} section={title} />
        <StatusPage />
      </Route>
      <Route path="/system/limits">
        <Tabs />
        <PageTitle title={tabs.limits} section={title} />
        <LimitsPage />
      </Route>
      <Route>
        <Problem title={commonCopy.pageNotFound} />
      </Route>
    </Switch>
  );
}

function Tabs() {
  return (
    <SectionTabs
      label={title}
      tabs={Object.entries(tabs).map(([tab, label]) => ({ href: `/system/${tab}`, label }))}
    />
  );
}
