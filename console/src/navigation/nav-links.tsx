import { NavLink } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { Icon } from '../components/icon.js';
import { useApprovals } from '../components/use-approvals.js';
import { useCurrentUser } from '../session/session.js';
import { ApprovalsBadge } from './approvals-badge.js';
import { isAt, nameOf, placesFor } from './places.js';

export function NavLinks({ onGone }: { onGone: () => void }) {
  const [location] = useLocation();
  const { toDecide = 0, isMore = false } = useApprovals() ?? {};
  return placesFor(useCurrentUser().scopes).map((place) => {
    const isHere = isAt(place, location);
    return (
      <NavLink
        key={place.key}
        component={Link}
        href={place.href}
        label={nameOf(place)}
        leftSection={<Icon name={place.icon} />}
        rightSection={
          place.key === 'activity' && toDecide > 0 && <ApprovalsBadge count={toDecide} isMore={isMore} />
        }
        active={isHere}
        variant="light"
        className="place"
        aria-current={isHere ? 'page' : undefined}
        onClick={onGone}
      />
    );
  });
}
