import { Button, Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { activityCopy } from '../copy/copy.js';
import { useCurrentUser } from '../session/session.js';
import { pathOf, tabsFor } from './tabs.js';

/** Links rather than ARIA tabs, because each one has its own URL. */
export function ActivityTabs() {
  const [location] = useLocation();
  const tabs = tabsFor(useCurrentUser().scopes);
  if (tabs.length < 2) return null;
  return (
    <Group component="nav" aria-label={activityCopy.tabsLabel} gap={4} mb="md">
      {tabs.map((tab) => {
        const isCurrent = location === pathOf(tab);
        return (
          <Button
            key={tab}
            component={Link}
            href={pathOf(tab)}
            size="sm"
            px="sm"
            variant={isCurrent ? 'filled' : 'subtle'}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {activityCopy.tabs[tab]}
          </Button>
        );
      })}
    </Group>
  );
}
