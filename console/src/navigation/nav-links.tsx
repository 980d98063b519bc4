import { NavLink } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { Icon } from '../components/icon.js';
import { useCurrentUser } from '../session/session.js';
import { isAt, nameOf, placesFor } from './places.js';

export function NavLinks({ onGone }: { onGone: () => void }) {
  const [location] = useLocation();
  return placesFor(useCurrentUser().scopes).map((place) => {
    const isHere = isAt(place, location);
    return (
      <NavLink
        key={place.key}
        component={Link}
        href={place.href}
        label={nameOf(place)}
        leftSection={<Icon name={place.icon} />}
        active={isHere}
        variant="light"
        className="place"
        aria-current={isHere ? 'page' : undefined}
        onClick={onGone}
      />
    );
  });
}
