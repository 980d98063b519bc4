// A SCIM service as shown in the SCIMMY README, with users in PostgreSQL and one statement per operation. It is copied
// to the folder in which SCIMMY is installed, and runs there.
import express from 'express';
import pg from 'pg';
import SCIMMY from 'scimmy';
import SCIMMYRouters from 'scimmy-routers';

const { DATABASE_URL, HOST, PORT, TOKEN } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });

await pool.query(`
  CREATE TABLE users (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    user_name text NOT NULL UNIQUE,
    display_name text,
    email text,
    phone text,
    active boolean NOT NULL,
    created timestamptz NOT NULL DEFAULT now(),
    modified timestamptz NOT NULL DEFAULT now()
  )`);

SCIMMY.Resources.declare(SCIMMY.Resources.User, {
  ingress: async ({ id }, data) => {
    const values = [
      data.userName,
      data.displayName,
      data.emails?.[0]?.value,
      data.phoneNumbers?.[0]?.value,
      data.active ?? true,
    ];
    const { rows } = await unlessTaken(
      id
        ? pool.query(
            `UPDATE users SET user_name = $2, display_name = $3, email = $4, phone = $5, active = $6, modified = now()
             WHERE id = $1 RETURNING *`,
            [id, ...values],
          )
        : pool.query(
            `INSERT INTO users (user_name, display_name, email, phone, active) VALUES ($1, $2, $3, $4, $5)
             RETURNING *`,
            values,
          ),
    );
    if (!rows[0]) throw new SCIMMY.Types.Error(404, null, `Resource ${id} not found`);
    return user(rows[0]);
  },
  egress: async ({ id }) => {
    const { rows } = await pool.query(
      id ? 'SELECT * FROM users WHERE id = $1' : 'SELECT * FROM users',
      id ? [id] : [],
    );
    if (id && !rows[0]) throw new SCIMMY.Types.Error(404, null, `Resource ${id} not found`);
    return id ? user(rows[0]) : rows.map(user);
  },
  degress: async ({ id }) => {
    await pool.query('DELETE FROM users WHERE id = $1', [id]);
  },
});

async function unlessTaken(query) {
  try {
    return await query;
  } catch (error) {
    if (error.code !== '23505') throw error;
    throw new SCIMMY.Types.Error(409, 'uniqueness', 'userName is taken');
  }
}

function user(row) {
  return {
    id: row.id,
    userName: row.user_name,
    displayName: row.display_name,
    emails: [{ value: row.email, type: 'work' }],
    phoneNumbers: [{ value: row.phone, type: 'work' }],
    active: row.active,
    meta: { created: row.created, lastModified: row.modified },
  };
}

const app = express();
app.get('/ready', (_, response) => response.send('ready'));
app.use(
  '/scim',
  new SCIMMYRouters({
    type: 'bearer',
    handler: (request) => {
      if (request.header('Authorization') !== `Bearer ${TOKEN}`)
        throw new Error('Authorization not detected!');
      return 'bench';
    },
  }),
);
app.listen(Number(PORT), HOST);
