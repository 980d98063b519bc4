import { formatValue } from '../../components/field-value.js';
import { SerialNames } from '../../components/serial-names.js';
import { commonCopy } from '../../copy/copy.js';
import type { User } from '../data/user.js';
import { type DraftField, draftFields } from '../form/draft.js';
import css from '../form/user.module.css';

export function UserFacts({ user }: { user: User }) {
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
    </dl>
  );
}

function Value({ user, field }: { user: User; field: DraftField }) {
  if (field === 'tagSerials') return <SerialNames kind="tags" serials={user.tagSerials} />;
  if (field === 'organizationSerial' && user.organizationSerial !== null) {
    return <SerialNames kind="organizations" serials={[user.organizationSerial]} />;
  }
  return formatValue(user[field]);
}
