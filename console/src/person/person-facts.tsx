import type { User } from '../people/user.js';
import { texts } from '../texts/index.js';
import { draftFields } from './draft.js';
import { valueInWords } from './field-value.js';
import css from './person.module.css';

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
