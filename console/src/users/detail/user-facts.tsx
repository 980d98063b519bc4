import { valueInWords } from '../../components/field-value.js';
import { texts } from '../../copy/index.js';
import type { User } from '../data/user.js';
import { draftFields } from '../form/draft.js';
import css from '../form/user.module.css';

/** For those who may look and not change. */
export function PersonFacts({ user }: { user: User }) {
  return (
    <dl className={css.facts}>
      {draftFields.map((field) => (
        <div key={field}>
          <dt>{texts.common.fields[field]}</dt>
          <dd>{valueInWords(user[field])}</dd>
        </div>
      ))}
    </dl>
  );
}
