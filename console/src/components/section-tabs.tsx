import { Button, Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';

interface SectionTab {
  readonly href: string;
  /** Filters that the tabs share. */
  readonly search?: string;
  readonly label: string;
}

interface SectionTabsProps {
  readonly label: string;
  readonly tabs: readonly SectionTab[];
}

/** Links rather than ARIA tabs, because each one has its own URL. */
export function SectionTabs({ label, tabs }: SectionTabsProps) {
  const [location] = useLocation();
  if (tabs.length < 2) return null;
  return (
    <Group component="nav" aria-label={label} gap={4} mb="md">
      {tabs.map((tab) => {
        const isCurrent = location === tab.href || location.startsWith(`${tab.href}/`);
        return (
          <Button
            key={tab.href}
            component={Link}
            href={`${tab.href}${tab.search ?? ''}`}
            size="sm"
            px="sm"
            variant={isCurrent ? 'filled' : 'subtle'}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {tab.label}
          </Button>
        );
      })}
    </Group>
  );
}
