import { formatValue } from '../../components/field-value.js';
import { commonCopy } from '../../copy/common.js';
import type { User } from '../data/user.js';
import { draftFields } from '../form/draft.js';
import css from '../form/user.module.css';

export function UserFacts({ user }: { user: User }) {
  return (
    <dl className={css.facts}>
      {draftFields.map((field) => (
        <div key={field}>
          <dt>{commonCopy.fields[field]}</dt>
          <dd>{formatValue(user[field])}</dd>
        </div>
      ))}
    </dl>
  );
}
