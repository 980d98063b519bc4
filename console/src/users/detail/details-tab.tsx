import { Anchor, Grid, Stack, Text } from '@mantine/core';
import { attributeField } from '@rollcall/sheets';
import { Link } from 'wouter';
import { AttributeName } from '../../components/attribute-name.js';
import { formatAttribute } from '../../components/attribute-value.js';
import { useAttributes } from '../../components/attributes.js';
import { CopyButton } from '../../components/copy-button.js';
import { type DirectoryKind, useDisplayNames } from '../../components/directory.js';
import { TechnicalDetails } from '../../components/disclosure.js';
import { RecordFact } from '../../components/facts.js';
import { FieldChanges } from '../../components/field-changes.js';
import { formatField } from '../../components/field-value.js';
import { Section } from '../../components/section.js';
import {
  attributesCopy,
  commonCopy,
  plannedCopy,
  userCopy,
  userPageCopy,
  usersCopy,
} from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { usePermission } from '../../session/session.js';
import { managerField, storedValue, type User } from '../data/user.js';
import type { UpcomingChange, VersionedUser } from '../data/user-queries.js';
import { retiredOf } from '../form/attribute-inputs.js';
import { draftFields, type OwnField } from '../form/draft.js';
import css from '../form/user.module.css';
import { EmployeeIds } from './employee-ids.js';
import { FailedMessage } from './failed-message.js';
import { upcomingText } from './leaving.js';
import { ManagerName } from './organization-chart.js';
import { UserAccess } from './user-access.js';
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
    <>
      {mayWrite && <FailedMessage user={user} />}
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
    </>
  );
}

function UserFacts({ user }: { user: User }) {
  const attributes = useAttributes();
  const shown = [...attributes.filter(({ isRetired }) => !isRetired), ...retiredOf(user, attributes)];
  return (
    <dl className={css.facts}>
      {draftFields.map((field) => (
        <div key={field}>
          <dt>{commonCopy.fields[field]}</dt>
          <dd>
            <Value user={user} field={field} />
          </dd>
        </div>
      ))}
      {shown.map((attribute) => (
        <div key={attribute.key} data-retired={attribute.isRetired || undefined}>
          <dt>
            <AttributeName attribute={attribute} />
          </dt>
          <dd>
            {formatAttribute(attribute.type, storedValue(user, attributeField(attribute.key)))}
            {attribute.isRetired && (
              <span className={css.mark} data-retired>
                {attributesCopy.retired}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ user, field }: { user: User; field: OwnField }) {
  if (field === 'tagSerials') return <SerialNames kind="tags" serials={user.tagSerials} />;
  if (field === 'organizationSerial' && user.organizationSerial !== null) {
    return <SerialNames kind="organizations" serials={[user.organizationSerial]} />;
  }
  if (field === managerField) return <ManagerName manager={user.manager} />;
  return formatField(field, user[field]);
}

interface SerialNamesProps {
  readonly kind: DirectoryKind;
  readonly serials: readonly string[];
}

/** The names of organizations or tags, each with its serial. */
function SerialNames({ kind, serials }: SerialNamesProps) {
  const names = useDisplayNames(kind, serials);
  if (serials.length === 0) return commonCopy.empty;
  return serials.map((serial, index) => {
    const name = names.get(serial);
    return (
      <span key={serial}>
        {index > 0 && ', '}
        {name ?? serial}
        {name !== undefined && (
          <Text span inherit c="dimmed">
            {` (${serial})`}
          </Text>
        )}
      </span>
    );
  });
}

const upcomingCopy = plannedCopy.upcoming;

/** What planned calls will change, soonest first. */
function UpcomingChanges({ changes }: { changes: readonly UpcomingChange[] }) {
  return (
    <Stack gap="sm">
      {changes.map((change) => (
        <div key={change.callId}>
          <Text size="sm" fw={600}>
            {upcomingText(change)}
          </Text>
          {!isStatusOnly(change) && <FieldChanges fields={change.effect.fields} kind={change.effect.kind} />}
          <Anchor component={Link} href={`/activity/calls/${change.callId}`} size="sm">
            {upcomingCopy.view}
          </Anchor>
        </div>
      ))}
    </Stack>
  );
}

/** A deactivation also removes the role. */
function isStatusOnly({ effect }: UpcomingChange): boolean {
  return Object.keys(effect.fields).every((field) => field === 'isActive' || field === 'role');
}
