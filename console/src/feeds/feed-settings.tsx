import { Button, Stack, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import { UserLink } from '../components/actor.js';
import { FactTable } from '../components/facts.js';
import type { Feed } from '../components/feeds.js';
import { ScrollRegion } from '../components/scroll-region.js';
import { Section } from '../components/section.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { usePermission } from '../session/session.js';
import styles from './feeds.module.css';
import { fieldName } from './problem-text.js';
import { scheduleTexts } from './schedule-text.js';
import { conversionTexts, limitRows, rulesTexts, sourceColumns, sourceTexts } from './settings-text.js';

const copy = feedsCopy.settings;

/** The settings of a feed in words. */
export function FeedSettings({ feed }: { feed: Feed }) {
  const mayManage = usePermission('access:admin');
  const limits = limitRows(feed.limits);
  const learns = feed.limits.learn === false ? copy.learnsNot : copy.learns;
  return (
    <Stack gap="md">
      {mayManage && (
        <Button component={Link} href={`/feeds/${feed.key}/edit`} variant="default" w="fit-content">
          {feedsCopy.actions.edit}
        </Button>
      )}
      <Section title={feedsCopy.from}>
        <Texts texts={sourceTexts(feed.source)} />
      </Section>
      <Section title={feedsCopy.schedule}>
        <Texts
          texts={feed.source.type === 'upload' ? [feedsCopy.onlyByUpload] : scheduleTexts(feed.schedule)}
        />
      </Section>
      <Mapping mapping={feed.mapping} />
      <Section title={copy.rules}>
        <Texts texts={rulesTexts(feed)} />
      </Section>
      {limits.length === 0 ? (
        <Section title={copy.limits}>
          <Text size="sm">{learns}</Text>
        </Section>
      ) : (
        <div>
          <FactTable title={copy.limits} rows={limits} />
          <Text size="sm" c="dimmed" mt={4}>
            {learns}
          </Text>
        </div>
      )}
      <Section title={copy.people}>
        <People inform={feed.inform} />
      </Section>
    </Stack>
  );
}

function Texts({ texts }: { texts: readonly string[] }) {
  const [only] = texts;
  if (texts.length === 1) return <Text size="sm">{only}</Text>;
  return (
    <ul className={styles.texts}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function Mapping({ mapping }: Pick<Feed, 'mapping'>) {
  return (
    <Section title={copy.mapping}>
      <ScrollRegion label={copy.mappingTable}>
        <Table verticalSpacing={6} miw={480} aria-label={copy.mappingTable}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{copy.column}</Table.Th>
              <Table.Th>{copy.field}</Table.Th>
              <Table.Th>{copy.conversion}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {mapping.columns.map((column) => (
              <Table.Tr key={column.field}>
                <Table.Td>{sourceColumns(column)}</Table.Td>
                <Table.Td>{fieldName(column.field)}</Table.Td>
                <Table.Td>
                  {conversionTexts(column).map((text) => (
                    <div key={text}>{text}</div>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </Section>
  );
}

function People({ inform: { users, chat } }: { inform: Feed['inform'] }) {
  return (
    <Text size="sm" component="div">
      {!users || users.length === 0
        ? copy.everyone
        : users.map((serial) => (
            <div key={serial}>
              <UserLink serial={serial} />
            </div>
          ))}
      {chat && <div>{copy.chat[chat]}</div>}
    </Text>
  );
}
