import { Button, Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { activityCopy } from '../copy/activity.js';
import { useCurrentUser } from '../session/session.js';
import { pathOf, tabsFor } from './tabs.js';

/** Links, not tabs in the sense of ARIA: each is a page with an address of its own. */
export function ActivityTabs() {
  const [location] = useLocation();
  const { scopes } = useCurrentUser();
  return (
    <Group component="nav" aria-label={activityCopy.tabsLabel} gap={4} mb="md">
      {tabsFor(scopes).map((tab) => {
        const isHere = location === pathOf(tab);
        return (
          <Button
            key={tab}
            component={Link}
            href={pathOf(tab)}
            size="sm"
            px="sm"
            variant={isHere ? 'filled' : 'subtle'}
            aria-current={isHere ? 'page' : undefined}
          >
            {activityCopy.tabs[tab]}
          </Button>
        );
      })}
    </Group>
  );
}
