import { Grid, Stack } from '@mantine/core';
import { CopyButton } from '../../components/copy-button.js';
import { TechnicalDetails } from '../../components/facts.js';
import { plannedCopy, userCopy, userPageCopy, usersCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { usePermission } from '../../session/session.js';
import type { VersionedUser } from '../data/user-queries.js';
import { EmployeeIds } from './employee-ids.js';
import { RecordFact } from './record-fact.js';
import { Section } from './section.js';
import { UpcomingChanges } from './upcoming-changes.js';
import { UserAccess } from './user-access.js';
import { UserFacts } from './user-facts.js';
import { UserForm } from './user-form.js';

interface DetailsTabProps {
  readonly fresh: VersionedUser;
  readonly onUnsaved: (isUnsaved: boolean) => void;
}

/** What can be edited on the left, and what else is known on the right. */
export function DetailsTab({ fresh, onUnsaved }: DetailsTabProps) {
  const { user, upcomingChanges = [] } = fresh;
  const mayWrite = usePermission('users:write');
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Section title={userCopy.details}>
          {mayWrite ? <UserForm fresh={fresh} onUnsaved={onUnsaved} /> : <UserFacts user={user} />}
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack gap="lg">
          {upcomingChanges.length > 0 && (
            <Section title={plannedCopy.upcoming.title}>
              <UpcomingChanges changes={upcomingChanges} />
            </Section>
          )}
          <UserAccess user={user} />
          <EmployeeIds serial={user.serial} />
          <Section title={userCopy.record}>
            <RecordFact name={usersCopy.createdAt}>{formatDateTime(user.createdAt)}</RecordFact>
            <RecordFact name={usersCopy.updatedAt}>{formatDateTime(user.updatedAt)}</RecordFact>
            <TechnicalDetails>
              <RecordFact name={userCopy.serial}>
                {user.serial} <CopyButton value={user.serial} label={userPageCopy.copySerial} />
              </RecordFact>
            </TechnicalDetails>
          </Section>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
