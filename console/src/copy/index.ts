import { activity } from './activity.js';
import { bulk } from './bulk.js';
import { common } from './common.js';
import { create } from './create-user.js';
import { session } from './session.js';
import { person } from './user.js';
import { people } from './users.js';

/** Every word that the console says, in one language. Another language is another object of this shape. */
export const texts = { common, session, people, person, create, bulk, activity };
export type Texts = typeof texts;
