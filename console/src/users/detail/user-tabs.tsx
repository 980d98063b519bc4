import { Link } from 'wouter';
import { userPageCopy } from '../../copy/copy.js';
import css from './user-page.module.css';

export type UserTab = keyof typeof userPageCopy.tabs;

const tabs = Object.keys(userPageCopy.tabs) as UserTab[];

interface UserTabsProps {
  readonly serial: string;
  readonly current: UserTab;
  /** Whether the details have unsaved changes. */
  readonly isUnsaved: boolean;
}

/** Links rather than ARIA tabs, because each one has its own URL. */
export function UserTabs({ serial, current, isUnsaved }: UserTabsProps) {
  return (
    <nav className={css.tabs} aria-label={userPageCopy.tabsLabel}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          href={tab === 'details' ? `/users/${serial}` : `/users/${serial}?tab=${tab}`}
          className={css.tab}
          aria-current={tab === current ? 'page' : undefined}
        >
          {userPageCopy.tabs[tab]}{' '}
          {tab === 'details' && isUnsaved && current !== tab && (
            <span className={css.unsaved}>{userPageCopy.unsaved}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
