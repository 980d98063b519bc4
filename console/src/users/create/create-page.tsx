import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { notify } from '../../components/notify.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { commonCopy, createUserCopy } from '../../copy/copy.js';
import { usePermission } from '../../session/session.js';
import type { Draft } from '../form/draft.js';
import { emptyDraft } from '../form/draft.js';
import { type Created, CreateForm } from './create-form.js';

export function CreatePage() {
  const [, navigate] = useLocation();
  const [start, setStart] = useState<{ readonly time: number; readonly draft: Draft }>({
    time: 0,
    draft: emptyDraft,
  });
  const mayCreate = usePermission('users:write');
  const created = ({ serial, draft, isActive, another, isRehired }: Created) => {
    notify(
      <>
        {(isRehired ? createUserCopy.rehire.done : createUserCopy.created)(draft.name.trim())}{' '}
        {isActive ? createUserCopy.messageOnItsWay : createUserCopy.messageWaits}{' '}
        {another && (
          <Anchor component={Link} href={`/users/${serial}`} inherit underline="always">
            {createUserCopy.open}
          </Anchor>
        )}
      </>,
    );
    if (!another) return navigate(`/users/${serial}`, { replace: true });
    const { organizationSerial, tagSerials } = draft;
    setStart({ time: start.time + 1, draft: { ...emptyDraft, organizationSerial, tagSerials } });
  };
  return (
    <>
      <PageTitle title={createUserCopy.title} />
      {mayCreate ? (
        <CreateForm key={start.time} start={start.draft} isAnother={start.time > 0} onCreated={created} />
      ) : (
        <Problem title={commonCopy.notAllowed} />
      )}
    </>
  );
}
