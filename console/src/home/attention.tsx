import { Paper, Skeleton, Text, Title } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { Link } from 'wouter';
import { cssColor } from '../charts/series.js';
import { useApprovals } from '../components/use-approvals.js';
import { homeCopy } from '../copy/copy.js';
import { useCurrentUser } from '../session/session.js';
import { approvalItems, attentionItems, attentionQuery } from './attention-items.js';
import styles from './home.module.css';

const copy = homeCopy.attention;

/** What waits for someone. What the user may not see is left out, and so is what there is none of. */
export function Attention() {
  const { scopes } = useCurrentUser();
  const items = attentionItems.filter(({ scope }) => scopes.includes(scope));
  const results = useQueries({ queries: items.map(attentionQuery) });
  const approvals = useApprovals();
  const isLoading = approvals === undefined || results.some(({ isPending }) => isPending);
  const found = [
    ...(approvals ? approvalItems(approvals) : []),
    ...items.flatMap((item, index) => {
      const data = results[index]?.data;
      return data ? [{ ...item, ...data }] : [];
    }),
  ].filter(({ count }) => count > 0);
  return (
    <Paper withBorder p="md" component="section" aria-label={copy.title}>
      <Title order={2} size="h4" mb="xs">
        {copy.title}
      </Title>
      {isLoading && <Skeleton height={36} />}
      {!isLoading && found.length === 0 && (
        <Text size="sm" c="dimmed">
          {copy.nothing}
        </Text>
      )}
      {!isLoading &&
        found.map(({ key, label, href, count, isMore, isUrgent }) => (
          <Link key={key} href={href} className={styles.attention}>
            <span className={styles.count}>
              <span
                className={styles.mark}
                style={{ background: cssColor(isUrgent ? 'orange' : 'blue') }}
                aria-hidden
              />
              <span style={{ fontWeight: 400 }}>{label}</span>
            </span>
            <span className={styles.count}>{copy.count(count, isMore)}</span>
          </Link>
        ))}
    </Paper>
  );
}
