import { Link } from 'wouter';
import { userPageCopy } from '../../copy/copy.js';
import css from './user-page.module.css';

export type UserTab = keyof typeof userPageCopy.tabs;

const tabs = Object.keys(userPageCopy.tabs) as UserTab[];

/** Links rather than ARIA tabs, because each one has its own URL. */
export function UserTabs({ serial, current }: { serial: string; current: UserTab }) {
  return (
    <nav className={css.tabs} aria-label={userPageCopy.tabsLabel}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          href={tab === 'details' ? `/users/${serial}` : `/users/${serial}?tab=${tab}`}
          className={css.tab}
          aria-current={tab === current ? 'page' : undefined}
        >
          {userPageCopy.tabs[tab]}
        </Link>
      ))}
    </nav>
  );
}
