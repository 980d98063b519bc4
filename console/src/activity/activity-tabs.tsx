import { SectionTabs } from '../components/section-tabs.js';
import { activityCopy } from '../copy/copy.js';
import { useCurrentUser } from '../session/session.js';
import { pathOf, tabsFor } from './tabs.js';

export function ActivityTabs() {
  const tabs = tabsFor(useCurrentUser().scopes);
  return (
    <SectionTabs
      label={activityCopy.tabsLabel}
      tabs={tabs.map((tab) => ({ href: pathOf(tab), label: activityCopy.tabs[tab] }))}
    />
  );
}
