import { useQuery } from '@tanstack/react-query';
import { usePermission } from '../session/session.js';
import { feedHealth } from './feeds.js';
import { feedsQuery } from './feeds-query.js';

/** How many feeds wait for an approval that the user may give. */
export function useWaitingFeeds(): number {
  const mayRead = usePermission('users:read');
  const mayDecide = usePermission('users:write') && mayRead;
  const { data = [] } = useQuery({ ...feedsQuery, enabled: mayDecide });
  return data.filter((feed) => feedHealth(feed) === 'waiting').length;
}
