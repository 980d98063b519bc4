import type { ReactNode } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { NotAllowed, PageNotFound } from '../components/empty-state.js';
import { useFilters } from '../components/filters.js';
import { PageTitle } from '../components/page-title.js';
import { SectionTabs } from '../components/section-tabs.js';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { useCurrentUser, usePermission } from '../session/session.js';
import { CallPage } from './call-page.js';
import { CallsPage } from './calls-page.js';
import { DeliveriesPage } from './deliveries-page.js';
import { SessionsPage } from './sessions-page.js';
import { SignInsPage } from './sign-ins-page.js';
import { commonSearch } from './story.js';
import { StoryPage } from './story-page.js';
import { pathOf, scopeOf, type Tab, tabsFor } from './tabs.js';

export function ActivityPage() {
  const [first] = tabsFor(useCurrentUser().scopes);
  return (
    <Switch>
      <Route path="/activity">{first ? <Redirect to={pathOf(first)} replace /> : <NotAllowed />}</Route>
      <Route path="/activity/story">
        <Tabbed tab="story">
          <StoryPage />
        </Tabbed>
      </Route>
      <Route path="/activity/calls">
        <Tabbed tab="calls">
          <CallsPage />
        </Tabbed>
      </Route>
      <Route path="/activity/calls/:id">{({ id }) => <CallPage key={id} id={id} />}</Route>
      <Route path="/activity/sign-ins">
        <Tabbed tab="sign-ins">
          <SignInsPage />
        </Tabbed>
      </Route>
      <Route path="/activity/sessions">
        <Tabbed tab="sessions">
          <SessionsPage />
        </Tabbed>
      </Route>
      <Route path="/activity/deliveries">
        <Tabbed tab="deliveries">
          <DeliveriesPage />
        </Tabbed>
      </Route>
      <Route component={PageNotFound} />
    </Switch>
  );
}

function Tabbed({ tab, children }: { tab: Tab; children: ReactNode }) {
  const isAllowed = usePermission(scopeOf[tab]);
  return (
    <>
      <PageTitle title={commonCopy.activity} part={activityCopy.tabs[tab]} />
      <ActivityTabs />
      {isAllowed ? children : <NotAllowed />}
    </>
  );
}

function ActivityTabs() {
  const tabs = tabsFor(useCurrentUser().scopes);
  const { get } = useFilters();
  const search = commonSearch(get);
  return (
    <SectionTabs
      label={activityCopy.tabsLabel}
      tabs={tabs.map((tab) => ({ href: pathOf(tab), search, label: activityCopy.tabs[tab] }))}
    />
  );
}
