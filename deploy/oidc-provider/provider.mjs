/**
 * An OpenID provider to try single sign-on with, from the npm package oidc-provider. It asks for a name and accepts any
 * password: never let others reach it.
 */
import { Provider } from 'oidc-provider';

const port = 9477;
const rollcallUrl = process.env.ROLLCALL_PUBLIC_URL ?? 'http://localhost:9478';

const accounts = {
  ada: { employee_number: 'E1001', name: 'Ada Lovelace', groups: ['people-admins'] },
  alan: { employee_number: 'E1002', name: 'Alan Turing', groups: ['hr'] },
  grace: { employee_number: 'E1003', name: 'Grace Hopper', groups: [] }, // unknown to Rollcall, unless you create her
};

const provider = new Provider(`http://localhost:${port}`, {
  clients: [
    {
      client_id: 'rollcall',
      client_secret: 'a secret to try',
      redirect_uris: [`${rollcallUrl}/service/auth/sso/callback`],
      post_logout_redirect_uris: [`${rollcallUrl}/`],
      backchannel_logout_uri: `${rollcallUrl}/service/auth/sso/backchannel-logout`,
      backchannel_logout_session_required: true,
    },
  ],
  claims: { openid: ['sub'], profile: ['employee_number', 'name'], email: ['email'], groups: ['groups'] },
  cookies: { keys: ['only for trying'] },
  features: { backchannelLogout: { enabled: true } },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
});

provider.listen(port, 'localhost', () => {
  console.info(
    `Sign in as ${Object.keys(accounts).join(', ')} at http://localhost:${port}, with any password.`,
  );
});
