import { activity } from './activity.js';
import { bulk } from './bulk.js';
import { common } from './common.js';
import { create } from './create.js';
import { people } from './people.js';
import { person } from './person.js';
import { session } from './session.js';

/** Every word that the console says, in one language. Another language is another object of this shape. */
export const texts = { common, session, people, person, create, bulk, activity };
export type Texts = typeof texts;
