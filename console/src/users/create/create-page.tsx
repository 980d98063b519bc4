import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { notice } from '../../components/notify.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { texts } from '../../copy/index.js';
import { useMay } from '../../session/session.js';
import type { Draft } from '../form/draft.js';
import { emptyDraft } from '../form/draft.js';
import { type Created, CreateForm } from './create-form.js';

export function CreatePage() {
  const [, navigate] = useLocation();
  const [start, setStart] = useState<{ readonly time: number; readonly draft: Draft }>({
    time: 0,
    draft: emptyDraft,
  });
  const mayCreate = useMay('users:write');
  const created = ({ serial, draft, isActive, another }: Created) => {
    notice(
      <>
        {texts.create.created(draft.name.trim())}{' '}
        {isActive ? texts.create.messageOnItsWay : texts.create.messageWaits}{' '}
        {another && (
          <Anchor component={Link} href={`/people/${serial}`} inherit underline="always">
            {texts.create.open}
          </Anchor>
        )}
      </>,
    );
    if (!another) return navigate(`/people/${serial}`, { replace: true });
    const { organizationSerial, tagSerials } = draft;
    setStart({ time: start.time + 1, draft: { ...emptyDraft, organizationSerial, tagSerials } });
  };
  return (
    <>
      <PageTitle title={texts.create.title} />
      {mayCreate ? (
        <CreateForm key={start.time} start={start.draft} isAnother={start.time > 0} onCreated={created} />
      ) : (
        <Problem title={texts.common.notAllowed} />
      )}
    </>
  );
}
