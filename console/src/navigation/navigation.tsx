import { Box, Burger, Kbd, NavLink, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { noApprovals } from '../components/calls.js';
import { Icon } from '../components/icon.js';
import { useApprovals } from '../components/use-approvals.js';
import { useWaitingFeeds } from '../components/use-waiting-feeds.js';
import { commonCopy, homeCopy, navigationCopy, plannedCopy } from '../copy/copy.js';
import { useCurrentUser } from '../session/session.js';
import { isApple } from './keys.js';
import styles from './navigation.module.css';
import { isAt, nameOf, placesFor } from './places.js';

export function NavLinks({ onGone }: { onGone: () => void }) {
  const [location] = useLocation();
  const { toDecide, isMore } = useApprovals() ?? noApprovals;
  const badges: Readonly<Record<string, WaitingBadgeProps>> = {
    activity: { count: toDecide.length, isMore, text: plannedCopy.toDecide(toDecide.length) },
    feeds: { count: useWaitingFeeds(), isMore: false, text: homeCopy.attention.feedsWaiting },
  };
  return placesFor(useCurrentUser().scopes).map((place) => {
    const isHere = isAt(place, location);
    const badge = badges[place.key];
    return (
      <NavLink
        key={place.key}
        component={Link}
        href={place.href}
        label={nameOf(place)}
        leftSection={<Icon name={place.icon} />}
        rightSection={badge && badge.count > 0 && <WaitingBadge {...badge} />}
        active={isHere}
        variant="light"
        className="place"
        {...(place.within && { pl: 'xl' })}
        aria-current={isHere ? 'page' : undefined}
        onClick={onGone}
      />
    );
  });
}

interface WaitingBadgeProps {
  readonly count: number;
  readonly isMore: boolean;
  /** For those who can't see it. */
  readonly text: string;
}

/** How much awaits the approval of the user. */
function WaitingBadge({ count, isMore, text }: WaitingBadgeProps) {
  return (
    <span className={styles.badge}>
      <span aria-hidden>{homeCopy.attention.count(count, isMore)}</span>
      <VisuallyHidden>{text}</VisuallyHidden>
    </span>
  );
}

/** Opens the navigation on small screens. A dot says that something in it awaits approval. */
export function MenuButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const { toDecide } = useApprovals() ?? noApprovals;
  const feeds = useWaitingFeeds();
  const waiting = [
    ...(toDecide.length > 0 ? [plannedCopy.toDecide(toDecide.length)] : []),
    ...(feeds > 0 ? [homeCopy.attention.feedsWaiting] : []),
  ];
  const label = [commonCopy.menu, ...waiting].join('. ');
  return (
    <Box className={styles.burger ?? ''} hiddenFrom="sm">
      <Burger opened={isOpen} onClick={onToggle} size="sm" aria-label={label} />
      {waiting.length > 0 && !isOpen && <span className={styles.dot} />}
    </Box>
  );
}

const searchCopy = navigationCopy.search;

/** Opens the command palette. */
export function HeaderSearch({ onOpen }: { onOpen: () => void }) {
  return (
    <UnstyledButton className={styles.search} onClick={onOpen} aria-keyshortcuts="Control+K Meta+K">
      <Icon name="search" size={16} />
      <span className={styles.searchText}>{searchCopy.open}</span>
      <Kbd className={styles.searchKeys} size="xs" aria-hidden>
        {searchCopy.keys(isApple)}
      </Kbd>
    </UnstyledButton>
  );
}
